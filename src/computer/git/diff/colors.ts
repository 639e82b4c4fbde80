import { ansiColor } from '../config/ansi-color.ts';
import { booleanOf } from '../config/values.ts';
import type { Config } from '../config/config.ts';
import { fatal, GitError } from '../errors.ts';

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
	oldDimmed: 'dim',
	newDimmed: 'dim',
	contextBold: 'bold',
	oldBold: 'bold red',
	newBold: 'bold green'
};

export type DiffSlot = keyof typeof SLOTS;

/** Escape sequences for the parts of a difference. */
export type DiffColors = Readonly<Record<DiffSlot | 'reset', string>>;

/** The colors that settings give. @throws GitError for one there is not */
export function diffColors(config: Config): DiffColors {
	const found: Record<string, string> = { reset: '\x1b[m' };
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

/**
 * Decides about colors, by an option and settings.
 *
 * @param option value of `--color`; undefined where it is not given, null for `--no-color`
 * @param keys settings, the first that is there counts
 */
export function wantsColor(
	config: Config,
	option: string | null | undefined,
	keys: readonly string[],
	isTerminal: () => boolean
): boolean {
	if (option === null) return false;
	if (option !== undefined && !['', 'always', 'never', 'auto'].includes(option))
		throw new GitError(`error: option \`color' expects "always", "auto", or "never"`, 129);
	const setting = keys.map((key) => config.get(key)).find((value) => value !== undefined) ?? 'auto';
	const text = (option === '' ? 'always' : (option ?? setting)).toLowerCase();
	if (text === 'always') return true;
	if (text === 'never' || booleanOf(text) === false) return false;
	if (text !== 'auto' && booleanOf(text) === null) throw fatal(`bad boolean config value '${text}' for '${keys[0]}'`);
	return isTerminal();
}
