import { pathOf, sortChanges, type Change } from '../diff/change.ts';
import { diffEnds, singleMergeBase } from '../diff/ends.ts';
import { announcedFiles, DIFF_OPTIONS, formatHow, scriptFormat } from '../diff/options.ts';
import { selectChanges } from '../diff/select.ts';
import { indexToWorktree, stagedFiles, touchedFiles, treeToIndex, treeToWorktree } from '../diff/sides.ts';
import { GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { resolveTree } from '../refs/revision.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { scanRepository } from '../worktree/scan.ts';
import { statesOfSubmodules } from '../worktree/status.ts';
import { ignoredState } from '../worktree/submodules.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { printCompared } from './compared.ts';
import { conflictSides } from './diff.ts';

const PLUMBING_OPTIONS = {
	...DIFF_OPTIONS,
	deep: '-r -t',
	exitCode: '--exit-code',
	quiet: '--quiet',
	silent: '-q',
	merge: '-m',
	combined: '-c --cc',
	never: '-0'
};

/** `git diff-files`: compares the worktree with the index, for scripts. */
export const diffFiles: Command = (git, args) => {
	const options = parseOptions('diff-files [<options>] [<path>...]', args, PLUMBING_OPTIONS);
	const { repository } = git;
	const paths = [...options.operands, ...(options.paths ?? [])];
	const states = statesOfSubmodules(repository, ignoredState(options.get('ignoreSubmodules')));
	const scan = scanRepository(repository);
	const touched = touchedFiles(repository, scan);
	const changed = indexToWorktree(repository, scan, states, announcedFiles(options, 'none'));
	const known = new Set(changed.map(pathOf));
	const changes = sortChanges([...changed, ...touched.filter((change) => !known.has(pathOf(change)))])
		.filter(({ status }) => !options.has('silent') || status !== 'D')
		.flatMap((change) => conflictSides(repository, change, options));
	return print(git, changes, paths, options, () => stagedFiles(repository));
};

/** `git diff-index`: compares the index or worktree with a tree, for scripts. */
export const diffIndex: Command = (git, args) => {
	const options = parseOptions('diff-index [-m] [--cached] [--merge-base] <tree-ish> [<path>...]', args, {
		...PLUMBING_OPTIONS,
		cached: '--cached',
		mergeBase: '--merge-base'
	});
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const [text, ...others] = revisions;
	if (text === undefined || others.length > 0)
		throw new GitError('usage: git diff-index [-m] [--cached] [--merge-base] <tree-ish> [<path>...]', 129);
	const tree = options.has('mergeBase')
		? singleMergeBase(repository, diffEnds(repository, [text], (warning) => git.err(warning)).trees)
		: resolveTree(repository, text);
	const changes = options.has('cached')
		? treeToIndex(repository, tree, announcedFiles(options, 'empty'))
		: treeToWorktree(repository, tree, statesOfSubmodules(repository, ignoredState(options.get('ignoreSubmodules'))));
	const files = () => treeFiles(repository.objects, tree);
	return print(git, changes, paths, options, files, options.has('cached'));
};

/** Prints changes, as raw lines unless another format was requested. Returns the exit code. */
function print(
	git: Invocation,
	found: readonly Change[],
	paths: readonly string[],
	options: Options<keyof typeof PLUMBING_OPTIONS>,
	filesBefore: () => ReadonlyMap<string, TreeFile>,
	isStaged = false
): number {
	const { repository } = git;
	const how = { isForPeople: false, filesBefore };
	const changes = selectChanges(repository, [...found], new Pathspec(repository, paths), options, how);
	const format = scriptFormat(options, formatHow(git, false));
	// The index has no merge result to compare the sides of a conflict with.
	return printCompared(git, repository, changes, options, isStaged ? { ...format, combined: false } : format);
}
