import picomatch from 'picomatch';
import { EnvironmentError } from '../errors.ts';

const MAX_GLOB_CHARACTERS = 1_000;
/**
 * Stars allowed in a glob: with four, matching a name of 255 characters takes about n⁴/24 steps, which is a second;
 * with more, hours.
 */
const MAX_STARS = 4;

/**
 * Creates a path matcher for a glob from a model; refuses globs that could backtrack without end. Like ripgrep, it
 * supports `*`, `**`, `?`, `[…]` and `{…}`.
 *
 * @throws EnvironmentError `EINVAL`
 */
export function globMatcher(glob: string): (path: string) => boolean {
	const refuse = (reason: string): EnvironmentError =>
		new EnvironmentError('EINVAL', `The pattern could not be used: ${reason}: ${glob.slice(0, 200)}`);
	if (glob.length > MAX_GLOB_CHARACTERS) throw refuse('it is too long');
	for (const part of glob.split('/'))
		if ((part.match(/\*+/g)?.length ?? 0) > MAX_STARS)
			throw refuse(`more than ${MAX_STARS} * in one part of the path take too long`);
	try {
		return picomatch(glob, { dot: true, noextglob: true });
	} catch (error) {
		throw refuse(error instanceof Error ? error.message : String(error));
	}
}

/** A repeated group that contains a repetition or an alternative. */
const NESTED = /\((?:[^()\\]|\\.)*(?:[*+|]|\{\d*,)(?:[^()\\]|\\.)*\)(?:[*+]|\{\d*,)/;

/**
 * Creates a JavaScript regular expression for a pattern from a model, for when ripgrep is missing. Its time must be
 * bounded by the text's length: nothing here can stop endless backtracking, so patterns that cause it are refused.
 *
 * @throws EnvironmentError `EINVAL`
 */
export function boundedExpression(source: string, flags: string): RegExp {
	const refuse = (reason: string): EnvironmentError =>
		new EnvironmentError('EINVAL', `The search could not be run: ${reason}`);
	// Innermost groups are removed one by one to examine what surrounds them.
	for (let left = source.replace(/\[(?:[^\]\\]|\\.)*\]/g, 'x'), before = ''; left !== before;) {
		if (NESTED.test(left))
			throw refuse(
				'a repeated group with repetitions or alternatives in it can take for ever without ripgrep. Write it without nesting.'
			);
		before = left;
		left = left.replace(/\((?:[^()\\]|\\.)*\)/, (group) => (/[*+|]|\{\d*,/.test(group) ? 'x*' : 'x'));
	}
	try {
		return new RegExp(source, flags);
	} catch (error) {
		throw refuse(error instanceof Error ? error.message : String(error));
	}
}
