import { GitError } from '../errors.ts';
import { compareBlobs } from '../diff/blobs.ts';
import { compareTrees, makeChange, pathOf, type Change } from '../diff/change.ts';
import { binaryBytes } from '../diff/lines.ts';
import { announcedFiles, DIFF_OPTIONS, diffFormat, formatHow } from '../diff/options.ts';
import { combinedHow, mergedChanges, printMerged } from '../diff/merge-patch.ts';
import { DIFF_USAGE, diffEnds, diffMisused, singleMergeBase, type DiffEnds } from '../diff/ends.ts';
import { selectChanges } from '../diff/select.ts';
import { headTree, indexToWorktree, stagedFiles, treeToIndex, treeToWorktree } from '../diff/sides.ts';
import type { Command, Invocation } from '../invocation.ts';
import { areBeside, filesBeside } from '../diff/no-index.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { worktreeFile } from '../worktree/file-state.ts';
import { parseOptions, type Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { statesOfSubmodules } from '../worktree/status.ts';
import { ignoredState } from '../worktree/submodules.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { printCompared } from './compared.ts';

const OPTIONS = {
	...DIFF_OPTIONS,
	cached: '--cached --staged',
	exitCode: '--exit-code',
	quiet: '--quiet',
	mergeBase: '--merge-base',
	combined: '-c',
	dense: '--cc',
	allPaths: '--combined-all-paths',
	noIndex: '--no-index'
};

type DiffCommandOptions = Options<keyof typeof OPTIONS>;

export const diff: Command = (git, args) => {
	const options = parseOptions(DIFF_USAGE, args, OPTIONS);
	const given = [...options.operands, ...(options.paths ?? [])];
	if (options.has('noIndex') || areBeside(git, given)) {
		const found = filesBeside(git, given);
		const chosen = selectChanges(found.repository, found.changes, new Pathspec(found.repository, []), options);
		options.add('exitCode', '');
		return shown(git, found.repository, chosen, options, ['1', '2']);
	}
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const ends = diffEnds(repository, revisions, (text) => git.err(text));
	requireFitting(ends, options);
	if (ends.trees.length > 2) return showCombined(git, combined(ends), new Pathspec(repository, paths), options);
	const isBlobs = ends.blobs.length > 0;
	const compared = new Comparison(repository, ends, options);
	const found = isBlobs ? compareBlobs(repository, ends.blobs, paths) : compared.changes();
	const changes = selectChanges(repository, found, new Pathspec(repository, isBlobs ? [] : paths), options, {
		filesBefore: () => compared.filesBefore()
	});
	repository.index.save();
	return shown(git, repository, changes, options, sidesOf(ends, options.has('cached')), options.has('cached'));
};

/** @throws GitError if the options do not fit the number of trees and blobs */
function requireFitting({ trees, blobs }: DiffEnds, options: DiffCommandOptions): void {
	const isBased = options.has('mergeBase');
	if (options.has('cached') && (trees.length > 1 || blobs.length > 0)) throw diffMisused();
	if (trees.length > 0 && blobs.length > 0) throw diffMisused();
	if (!isBased) return;
	if (trees.length > 2 || blobs.length > 0) throw diffMisused();
	if (trees.length === 0 && !options.has('cached')) throw new GitError('error: invalid option: --merge-base', 255);
}

/** Result and parents of a combined diff. The result is the first tree that is not given as a parent. */
function combined({ trees }: DiffEnds): { result: string; parents: string[] } {
	const at = Math.max(
		0,
		trees.findIndex(({ isParent }) => !isParent)
	);
	const all = trees.map(({ tree }) => tree);
	return { result: all[at]!, parents: all.filter((_, i) => i !== at) };
}

function showCombined(
	git: Invocation,
	{ result, parents }: { result: string; parents: readonly string[] },
	pathspec: Pathspec,
	options: DiffCommandOptions
): number {
	const { repository } = git;
	const since = parents.map((parent) =>
		selectChanges(repository, compareTrees(repository.objects, parent, result), pathspec, options)
	);
	const format = diffFormat(options, true, formatHow(git, true, repository.config));
	const isDense = options.latest('combined', 'dense') !== 'combined';
	const merged = mergedChanges(since);
	const text = printMerged(repository, merged, format, combinedHow(format, isDense, options.has('allPaths')));
	if (!options.has('quiet')) git.out(binaryBytes(text));
	return merged.length > 0 && (options.has('exitCode') || options.has('quiet')) ? 1 : 0;
}

/** Prefixes of the two sides for `diff.mnemonicPrefix`: commit, index, worktree or object. */
function sidesOf({ trees, blobs }: DiffEnds, cached: boolean): [string, string] {
	if (cached) return ['c', 'i'];
	if (trees.length > 1 || blobs.length > 1) return ['a', 'b'];
	return blobs.length > 0 ? ['o', 'w'] : trees.length > 0 ? ['c', 'w'] : ['i', 'w'];
}

/** Prints changes. Returns the exit code. */
function shown(
	git: Invocation,
	repository: Repository,
	changes: readonly Change[],
	options: DiffCommandOptions,
	sides: [string, string],
	isStaged = false
): number {
	const format = diffFormat(options, true, { ...formatHow(git, true, repository.config), sides });
	// The index has no merge result to compare the sides of a conflict with.
	const shownFormat = isStaged ? { ...format, combined: false } : format;
	return printCompared(git, repository, changes, options, shownFormat);
}

/** Comparison of at most two trees with each other, the index or the worktree. */
class Comparison {
	constructor(
		private readonly repository: Repository,
		private readonly ends: DiffEnds,
		private readonly options: DiffCommandOptions
	) {}

	changes(): Change[] {
		const { repository, options } = this;
		const [, after] = this.#trees();
		const before = this.#before();
		const announced = announcedFiles(options, 'none');
		const states = () => statesOfSubmodules(repository, ignoredState(options.get('ignoreSubmodules')));
		if (before === null)
			return indexToWorktree(repository, undefined, states(), announced).flatMap((change) =>
				conflictSides(repository, change, options)
			);
		if (options.has('cached')) return treeToIndex(repository, before, announced);
		if (after) return compareTrees(repository.objects, before, after.tree);
		return treeToWorktree(repository, before, states());
	}

	filesBefore(): ReadonlyMap<string, TreeFile> {
		const before = this.#before();
		return before === null ? stagedFiles(this.repository) : treeFiles(this.repository.objects, before);
	}

	/** Tree of the old side; null if that is the index. */
	#before(): string | null {
		const { repository, ends, options } = this;
		const [first] = this.#trees();
		if (!first) return options.has('cached') ? headTree(repository) : null;
		return options.has('mergeBase') ? singleMergeBase(repository, ends.trees) : first.tree;
	}

	/** Trees in the order of comparison: `main ^topic` means `topic..main`. */
	#trees(): DiffEnds['trees'] {
		const [first, second] = this.ends.trees;
		return first && second?.isExcluded && !first.isExcluded ? [second, first] : this.ends.trees;
	}
}

type SideOptions = Options<'base' | 'theirs' | 'ignoreSubmodules'>;

/** Lists an unmerged path twice: as unmerged, and with the changes of the worktree since one side (ours by default). */
export function conflictSides(repository: Repository, change: Change, sides: SideOptions): Change[] {
	if (change.status !== 'U') return [change];
	const side = sides.has('base') ? 1 : sides.has('theirs') ? 3 : 2;
	const path = pathOf(change);
	const ours = repository.index.get(path, side);
	const stat = lstatOrNull(repository, repository.absolute(path));
	if (!ours || stat?.kind === 'directory') return [change];
	const now = stat && worktreeFile(repository, path, stat);
	if (now?.id === ours.id && now.mode === ours.mode) return [change];
	return [change, makeChange(path, { mode: ours.mode, id: ours.id }, now, true)];
}
