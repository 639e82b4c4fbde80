import { COLOR_RESET } from '../color-choice.ts';
import { ansiColor } from '../config/ansi-color.ts';
import type { Config } from '../config/config.ts';
import { GitError } from '../errors.ts';

const SLOTS = {
	context: 'normal',
	meta: 'bold',
	frag: 'cyan',
	func: 'normal',
	old: 'red',
	new: 'green',
	commit: 'yellow',
	whitespace: 'normal red',
	oldMoved: 'bold magenta',
	oldMovedAlternative: 'bold blue',
	oldMovedDimmed: 'dim',
	oldMovedAlternativeDimmed: 'dim italic',
	newMoved: 'bold cyan',
	newMovedAlternative: 'bold yellow',
	newMovedDimmed: 'dim',
	newMovedAlternativeDimmed: 'dim italic',
	contextDimmed: 'dim',
	oldDimmed: 'dim red',
	newDimmed: 'dim green',
	contextBold: 'bold',
	oldBold: 'bold red',
	newBold: 'bold green'
};

export type DiffSlot = keyof typeof SLOTS;

/** Escape sequences for the parts of a diff. */
export type DiffColors = Readonly<Record<DiffSlot | 'reset', string>>;

/** The configured colors. @throws GitError if a color is invalid */
export function diffColors(config: Config): DiffColors {
	const found: Record<string, string> = { reset: COLOR_RESET };
	for (const [slot, usual] of Object.entries(SLOTS)) {
		const other = slot === 'context' ? config.get('color.diff.plain') : undefined;
		const text = config.get(`color.diff.${slot}`) ?? config.get(`diff.color.${slot}`) ?? other ?? usual;
		const color = ansiColor(text);
		if (color === null)
			throw new GitError(
				`error: invalid color value: ${text}\nfatal: unable to parse 'color.diff.${slot}' from command-line config`,
				128
			);
		found[slot] = color;
	}
	return found as DiffColors;
}
