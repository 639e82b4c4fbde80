import { isCache } from '#environment/scratch-paths.ts';
import { HOME, isWithin, TEMPORARY_ROOTS } from '#computer/abi/paths.ts';

/** Returns true for temporary files and caches, whose changes can be lost without harm. */
export function isScratch(path: string): boolean {
	return TEMPORARY_ROOTS.some((root) => isWithin(path, root)) || isCache(path, HOME);
}
