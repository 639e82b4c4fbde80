import { ansiColor } from './config/ansi-color.ts';
import { fatal, GitError } from './errors.ts';
import type { Invocation } from './invocation.ts';
import type { Repository } from './repository.ts';

/** Sequence that ends a color. */
export const COLOR_RESET = '\x1b[m';

/**
 * Tells whether output is colored: by `--color`, then by `color.<kind>` and `color.ui`, else at a terminal.
 *
 * @param given value of `--color`; '' for the option alone
 */
export function wantsColor(git: Invocation, kind: string, given?: string): boolean {
	if (given !== undefined && !['', 'always', 'auto', 'never'].includes(given))
		throw new GitError('error: option `color\' expects "always", "auto", or "never"', 129);
	const { config } = git.repository;
	const chosen = given === '' ? 'always' : (given ?? config.get(`color.${kind}`) ?? config.get('color.ui') ?? 'auto');
	const word = chosen.toLowerCase();
	if (word === 'always') return true;
	if (['never', 'false', 'no', 'off', '0'].includes(word)) return false;
	return git.context.sync.isTerminal(1) && git.env['TERM'] !== 'dumb';
}

/** Sequence of a color of `color.<kind>.<slot>`. @throws GitError for a color there is not */
export function slotColor({ config }: Repository, kind: string, slot: string, otherwise: string): string {
	const key = `color.${kind}.${slot}`;
	const set = config.get(key);
	const color = ansiColor(set ?? otherwise);
	if (color === null) throw fatal(`bad config variable '${key.toLowerCase()}'`);
	return color;
}
