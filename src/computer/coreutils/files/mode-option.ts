import { UsageError } from '../options.ts';
import { changedMode } from './modes.ts';

/**
 * Mode that an option wants.
 *
 * @param umask bits that letters without `u`, `g`, `o` or `a` leave out
 * @throws UsageError
 */
export function modeOption(text: string | undefined, otherwise: number, umask = 0): number {
	const mode = text === undefined ? otherwise : changedMode(otherwise, text, true, umask);
	if (mode === null) throw new UsageError(`invalid mode: '${text}'`);
	return mode;
}
