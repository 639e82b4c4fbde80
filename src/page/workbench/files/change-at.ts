import { placeOf } from '#environment/sorted.ts';
import type { ChangedFile } from '#workspace/contract.ts';

const pathOf = ({ path }: ChangedFile): string => path;

/**
 * Finds the change of a path by binary search in a project's changes, which are sorted by path: there may be very many
 * of them for few rows.
 */
export function changeAt(changes: readonly ChangedFile[], path: string): ChangedFile | undefined {
	const found = changes[placeOf(changes, path, pathOf)];
	return found?.path === path ? found : undefined;
}
