import type { ChangedFile } from '../../../workspace/contract.ts';

/** The change of a path among those of a project, which are sorted by path: there may be very many for few rows. */
export function changeAt(changes: readonly ChangedFile[], path: string): ChangedFile | undefined {
	let [low, high] = [0, changes.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((changes[middle]?.path ?? path) < path) low = middle + 1;
		else high = middle;
	}
	const found = changes[low];
	return found?.path === path ? found : undefined;
}
