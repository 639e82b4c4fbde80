import { placeOf } from '#environment/sorted.ts';
import type { ChangedFile } from '#workspace/contract.ts';

const pathOf = ({ path }: ChangedFile): string => path;

/** The change of a path among those of a project, which are sorted by path: there may be very many for few rows. */
export function changeAt(changes: readonly ChangedFile[], path: string): ChangedFile | undefined {
	const found = changes[placeOf(changes, path, pathOf)];
	return found?.path === path ? found : undefined;
}
