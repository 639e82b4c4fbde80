import { isCache } from '#environment/scratch-paths.ts';
import { HOME, isWithin } from '#computer/abi/paths.ts';

/** Whether losing a change of `path` costs nobody anything: temporary files and caches. */
export function isScratch(path: string): boolean {
	return isWithin(path, '/tmp') || isCache(path, HOME);
}
