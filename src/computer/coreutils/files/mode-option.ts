import { UsageError } from '../options.ts';
import { changedMode } from './modes.ts';

/**
 * Returns the mode set by an option.
 *
 * @param umask bits not set by letters without `u`, `g`, `o` or `a`
 * @throws UsageError
 */
export function modeOption(text: string | undefined, otherwise: number, umask = 0): number {
	const mode = text === undefined ? otherwise : changedMode(otherwise, text, true, umask);
	if (mode === null) throw new UsageError(`invalid mode: '${text}'`);
	return mode;
}
