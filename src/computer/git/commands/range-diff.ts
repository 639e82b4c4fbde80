import { binaryBytes } from '../diff/lines.ts';
import { DIFF_OPTIONS, diffFormat, formatHow } from '../diff/options.ts';
import { GitError } from '../errors.ts';
import { parseRange } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { findRevision, peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { rangeDiff, USUAL_CREATION } from '../series/range-diff.ts';
import { isCommitRange } from '../series/commit-range.ts';
import { Pathspec } from '../worktree/pathspec.ts';

const USAGE = `range-diff [<options>] <old-base>..<old-tip> <new-base>..<new-tip>
   or: git range-diff [<options>] <old-tip>...<new-tip>
   or: git range-diff [<options>] <base> <old-tip> <new-tip>`;

const OPTIONS = {
	...DIFF_OPTIONS,
	creation: '--creation-factor =',
	dual: '--dual-color',
	simple: '--no-dual-color',
	leftOnly: '--left-only',
	rightOnly: '--right-only',
	notes: '--notes ?',
	noNotes: '--no-notes'
};

/** `git range-diff`: compares two versions of a commit series. */
export const rangeDiffCommand: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const { repository } = git;
	const creation = options.get('creation') ?? String(USUAL_CREATION);
	if (!/^\d+$/.test(creation)) throw new GitError("error: option `creation-factor' expects a numerical value", 129);
	const { ranges, paths } = givenRanges(git, options.operands, options.paths);
	if (options.has('leftOnly') && options.has('rightOnly'))
		throw new GitError("error: options '--left-only' and '--right-only' cannot be used together", 1);
	const color = options.latest('dual', 'simple');
	if (color === 'dual') options.add('color', '');
	const text = rangeDiff(git, [parseRange(repository, [ranges[0]]), parseRange(repository, [ranges[1]])], {
		creation: Number(creation),
		format: diffFormat(options, true, formatHow(git, true)),
		isDual: color !== 'simple',
		only: options.has('leftOnly') ? 'old' : options.has('rightOnly') ? 'new' : undefined,
		notes: options
			.inOrder('notes', 'noNotes')
			.map(({ name, value }) => (name === 'noNotes' ? '--no-notes' : value === '' ? '--notes' : `--notes=${value}`)),
		pathspec: new Pathspec(repository, paths)
	});
	git.out(binaryBytes(text));
	return 0;
};

/** Parses the two ranges, given in one of three forms, and the paths after them. */
function givenRanges(
	{ repository }: Invocation,
	operands: readonly string[],
	paths: readonly string[] | null
): { ranges: [string, string]; paths: readonly string[] } {
	const [one = '', two = '', three = ''] = operands;
	const isCommit = (text: string) => commitOf(repository, text) !== null;
	const isExact = (count: number) => paths !== null && operands.length === count;
	const may = (count: number) => paths === null && operands.length >= count;
	const result = (first: string, second: string, count: number) => ({
		ranges: [first, second] as [string, string],
		paths: paths ?? operands.slice(count)
	});
	if (isExact(3) || (may(3) && [one, two, three].every(isCommit))) {
		const wrong = [one, two, three].find((text) => !isCommit(text));
		if (wrong !== undefined) throw usage(`not a revision: '${wrong}'`);
		return result(`${one}..${two}`, `${one}..${three}`, 3);
	}
	if (isExact(2) || (may(2) && [one, two].every((text) => isCommitRange(repository, text)))) {
		const wrong = [one, two].find((text) => !isCommitRange(repository, text));
		if (wrong !== undefined) throw usage(`not a commit range: '${wrong}'`);
		return result(one, two, 2);
	}
	if (isExact(1) || (may(1) && one.includes('...'))) {
		const [, left = '', right = ''] = /^(.*?)\.\.\.(.*)$/s.exec(one) ?? [];
		if (!one.includes('...')) throw usage(`not a symmetric range: '${one}'`);
		const [old, now] = [left || 'HEAD', right || 'HEAD'];
		return result(`${now}..${old}`, `${old}..${now}`, 1);
	}
	throw usage('need two commit ranges');
}

const usage = (message: string): GitError => new GitError(`fatal: ${message}\n\nusage: git ${USAGE}`, 129);

function commitOf(repository: Repository, text: string): string | null {
	const id = findRevision(repository, text);
	return id === null ? null : peel(repository, id, 'commit');
}
