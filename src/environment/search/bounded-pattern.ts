import picomatch from 'picomatch';
import { EnvironmentError } from '../errors.ts';

const MAX_GLOB_CHARACTERS = 1_000;
/** A name of 255 characters is tried in about n⁴/24 ways with four of them, which is a second; with more it is hours. */
const MAX_STARS = 4;

/**
 * A matcher of paths for a glob a model made up: what would be tried without end is refused.
 * As ripgrep, it knows `*`, `**`, `?`, `[…]` and `{…}`.
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

/** A group that repeats, with something in it that repeats or can be one of two. */
const NESTED = /\((?:[^()\\]|\\.)*(?:[*+|]|\{\d*,)(?:[^()\\]|\\.)*\)(?:[*+]|\{\d*,)/;

/**
 * JavaScript's regular expression of a pattern a model made up, where there is no ripgrep, whose time grows with the
 * text only. Nothing here can stop one that tries without end, so the kind that does is refused.
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
