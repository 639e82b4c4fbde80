import { isCache } from '../../../scratch-paths.ts';
import { HOME, isWithin } from '../../paths.ts';

/** Whether losing a change of `path` costs nobody anything: temporary files and caches. */
export function isScratch(path: string): boolean {
	return isWithin(path, '/tmp') || isCache(path, HOME);
}
