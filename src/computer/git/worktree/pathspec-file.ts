import { absolute } from '#computer/abi/paths.ts';
import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import { pathOfLine } from '../input-lines.ts';
import type { Invocation } from '../invocation.ts';
import type { Options } from '../options.ts';

/** Options of commands that can read paths from a file. */
export const PATHSPEC_FILE = { from: '--pathspec-from-file =', fromNul: '--pathspec-file-nul' };

/**
 * Paths from the arguments, or from the file of `--pathspec-from-file`.
 *
 * @throws GitError if both are given
 */
export function namedOrListed(
	git: Invocation,
	options: Options<keyof typeof PATHSPEC_FILE>,
	given: readonly string[]
): string[] {
	const from = options.get('from');
	if (from === undefined) {
		if (options.has('fromNul')) throw fatal("the option '--pathspec-file-nul' requires '--pathspec-from-file'");
		return [...given];
	}
	if (given.length > 0) throw fatal("'--pathspec-from-file' and pathspec arguments cannot be used together");
	const bytes = from === '-' ? git.input() : git.context.sync.readFile(absolute(from, git.cwd));
	const text = decode(bytes);
	if (options.has('fromNul')) return text.split('\0').filter((part) => part !== '');
	const lines = text.split(/\r?\n/).filter((line) => line !== '');
	return lines.map(pathOfLine);
}
