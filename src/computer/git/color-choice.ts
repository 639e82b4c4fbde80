import { ansiColor } from './config/ansi-color.ts';
import type { Config } from './config/config.ts';
import { booleanOf } from './config/values.ts';
import { fatal, GitError } from './errors.ts';
import type { Invocation } from './invocation.ts';
import type { Repository } from './repository.ts';

/** Escape sequence that resets the color. */
export const COLOR_RESET = '\x1b[m';

/**
 * Returns whether output is colored: by `--color`, then `color.<kind>` and `color.ui`; by default only on a terminal.
 *
 * @param given value of `--color`; '' for the option without a value
 */
export function wantsColor(git: Invocation, kind: string, given?: string): boolean {
	const keys = [...new Set([`color.${kind}`, 'color.ui'])];
	return choosesColor(git.repository.config, given, keys, () => isColorTerminal(git));
}

/** Returns whether the output is a terminal with colors, directly or through a pager. */
export const isColorTerminal = ({ context, env }: Invocation): boolean =>
	(context.sync.isTerminal(1) || booleanOf(env['GIT_PAGER_IN_USE'] ?? '') === true) && env['TERM'] !== 'dumb';

/**
 * Decides whether to use colors, by an option and settings.
 *
 * @param option value of `--color`; undefined if not given, null for `--no-color`
 * @param keys settings, of which the first one that is set applies
 */
export function choosesColor(
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

/** Escape sequence for the color of `color.<kind>.<slot>`. @throws GitError for an invalid color */
export function slotColor(
	{ config }: Pick<Repository, 'config'>,
	kind: string,
	slot: string,
	otherwise: string
): string {
	const key = `color.${kind}.${slot}`;
	const set = config.get(key);
	const color = ansiColor(set ?? otherwise);
	if (color === null) throw fatal(`bad config variable '${key.toLowerCase()}'`);
	return color;
}
