import { isCache } from '#environment/scratch-paths.ts';
import { HOME, isWithin } from '#computer/abi/paths.ts';

/** Returns true for temporary files and caches, whose changes can be lost without harm. */
export function isScratch(path: string): boolean {
	return isWithin(path, '/tmp') || isCache(path, HOME);
}
