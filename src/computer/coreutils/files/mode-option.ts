import { UsageError } from '../options.ts';
import { changedMode } from './modes.ts';

export function modeOption(text: string | undefined, otherwise: number): number {
	const mode = text === undefined ? otherwise : changedMode(otherwise, text, true);
	if (mode === null) throw new UsageError(`invalid mode: '${text}'`);
	return mode;
}
