import { discarding, unstaging } from '../choosing/choice-mode.ts';
import { chooseHunks } from '../choosing/choose-hunks.ts';
import { failure, fatal, GitError } from '../errors.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import type { Command, Invocation } from '../invocation.ts';
import { recreateConflict } from '../merge/check-out-merging.ts';
import { conflictStyle } from '../merge/conflict-style.ts';
import type { ConflictStyle } from '../merge/merge-text.ts';
import { parseOptions } from '../options.ts';
import { PATHSPEC_FILE, namedOrListed } from '../worktree/pathspec-file.ts';
import { peel, resolveRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull, removeFile, writeFile } from '../worktree/checkout.ts';
import { prefetchFiles } from '../worktree/prefetch-files.ts';
import { changedFile } from '../worktree/file-state.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import { worktreeFiles } from '../worktree/verify-path.ts';
import { newEntry } from '../index/index-file.ts';

export const restore: Command = (git, args) => {
	const options = parseOptions('restore [<options>] [--source=<branch>] <file>...', args, {
		staged: '-S --staged',
		worktree: '-W --worktree',
		source: '-s --source =',
		quiet: '-q --quiet',
		ours: '--ours -2',
		theirs: '--theirs -3',
		merge: '-m --merge',
		conflict: '--conflict =',
		overlay: '--overlay',
		noOverlay: '--no-overlay',
		ignoreUnmerged: '--ignore-unmerged',
		progress: '--progress --no-progress',
		patch: '-p --patch',
		...PATHSPEC_FILE
	});
	const paths = namedOrListed(git, options, [...options.operands, ...(options.paths ?? [])]);
	const staged = options.has('staged');
	if (options.has('patch')) return restoreHunks(git, paths, options.get('source'), staged, options.has('worktree'));
	if (paths.length === 0) throw fatal('you must specify path(s) to restore');
	const merges = options.has('merge') || options.has('conflict');
	restorePaths(git, {
		source: options.get('source') ?? (staged ? 'HEAD' : null),
		paths,
		staged,
		worktree: options.has('worktree') || !staged,
		overlays: options.has('overlay'),
		unmerged: merges
			? conflictStyle(git.repository, options.get('conflict'))
			: options.has('ours')
				? 'ours'
				: options.has('theirs')
					? 'theirs'
					: options.has('ignoreUnmerged')
						? 'skip'
						: 'refuse'
	});
	return 0;
};

/** Lets the user choose hunks to restore. */
function restoreHunks(
	git: Invocation,
	paths: readonly string[],
	source: string | undefined,
	staged: boolean,
	worktree: boolean
): number {
	const { repository } = git;
	const pathspec = new Pathspec(repository, paths);
	const name = source ?? (staged ? 'HEAD' : undefined);
	const id = name === undefined ? null : resolveRevision(repository, name);
	const tree = id === null ? null : peel(repository, id, 'tree');
	const isHead = name === 'HEAD';
	if (staged && !worktree) return chooseHunks(git, unstaging(tree ?? EMPTY_TREE, isHead), pathspec);
	return chooseHunks(git, discarding(tree, isHead, staged), pathspec);
}

/** Source and destination of restored files. */
export interface Restore {
	/** Source revision; null for the index. */
	source: string | null;
	paths: readonly string[];
	staged: boolean;
	worktree: boolean;
	/** Keeps files that the source does not have. */
	overlays: boolean;
	/** Handling of unmerged files restored from the index: a side, the conflict in a style, skip or refuse. */
	unmerged: ConflictStyle | 'ours' | 'theirs' | 'skip' | 'refuse';
	/** Also restores files that are marked skip-worktree, for example outside a sparse checkout. */
	includesSkipped?: boolean;
}

/** Restores files. Returns how many files were written or removed, and how many conflicts were recreated. */
export function restorePaths(git: Invocation, how: Restore): { written: number; recreated: number } {
	const { repository } = git;
	const { source, staged } = how;
	const { index } = repository;
	const pathspec = new Pathspec(repository, how.paths);
	const unmerged = source === null ? index.unmerged().filter((path) => pathspec.matches(path)) : [];
	const stage = how.unmerged === 'ours' ? 2 : how.unmerged === 'theirs' ? 3 : 0;
	const wanted = source === null ? indexFiles(repository, stage) : sourceFiles(repository, source);
	const known = new Set([
		...wanted.keys(),
		...unmerged,
		...(source !== null ? index.entries().map(({ path }) => path) : [])
	]);
	if (!how.includesSkipped)
		for (const { path, id, mode, skipWorktree } of index.entries()) {
			const file = wanted.get(path);
			if (skipWorktree && file?.id === id && file.mode === mode) known.delete(path);
		}
	const missing = pathspec.unmatched(known);
	if (missing !== undefined) throw failure(`pathspec '${missing}' did not match any file(s) known to git`);
	checkUnmerged(git, unmerged, how);
	const recreated = how.unmerged === 'merge' || how.unmerged === 'diff3' || how.unmerged === 'zdiff3' ? unmerged : [];
	if (how.unmerged === 'merge' || how.unmerged === 'diff3' || how.unmerged === 'zdiff3')
		for (const path of unmerged) recreateConflict(repository, path, how.unmerged);
	let written = 0;
	const isWritten = ([path]: [string, TreeFile]) => how.worktree && known.has(path) && pathspec.matches(path);
	prefetchFiles(
		repository,
		[...wanted].filter(isWritten).map(([, file]) => file)
	);
	for (const path of known) {
		if (!pathspec.matches(path)) continue;
		const file = wanted.get(path);
		if (file) written += restoreFile(repository, path, file, how) ? 1 : 0;
		else if (staged && !how.worktree) index.remove(path);
		else if (source !== null && index.has(path) && !how.overlays) {
			if (staged) index.remove(path);
			removeFile(repository, path);
			written++;
		}
	}
	index.save();
	return { written, recreated: recreated.length };
}

/** @throws GitError for unmerged files, unless options say how to handle them and that is possible */
function checkUnmerged(git: Invocation, unmerged: readonly string[], { unmerged: what }: Restore): void {
	const { index } = git.repository;
	const side = what === 'ours' ? 2 : 3;
	const faults = unmerged.flatMap((path) => {
		if (what === 'refuse') return [`error: path '${path}' is unmerged`];
		const isThere = (what !== 'ours' && what !== 'theirs') || index.get(path, side) !== undefined;
		return isThere ? [] : [`error: path '${path}' does not have ${what === 'ours' ? 'our' : 'their'} version`];
	});
	if (faults.length > 0) throw new GitError(faults.join('\n'), 1);
	if (what === 'skip') for (const path of unmerged) git.err(`warning: path '${path}' is unmerged\n`);
}

/** Restores one file in the index and worktree as requested. Returns whether anything changed. */
function restoreFile(repository: Repository, path: string, file: TreeFile, { staged, worktree }: Restore): boolean {
	const { index } = repository;
	const entry = index.get(path);
	const stat = lstatOrNull(repository, repository.absolute(path));
	const isSame = entry?.id === file.id && entry.mode === file.mode;
	if (worktree && !(isSame && stat && !changedFile(repository, entry, stat))) {
		const made = writeFile(repository, path, file, 'files first');
		if (staged || isSame) index.set(made);
		return true;
	}
	if (!staged || isSame) return false;
	index.set(newEntry(path, file));
	return true;
}

function sourceFiles(repository: Repository, source: string): Map<string, TreeFile> {
	if (source === 'HEAD' && repository.head() === null) return worktreeFiles(repository.objects, EMPTY_TREE);
	const tree = peel(repository, resolveRevision(repository, source), 'tree');
	if (tree === null) throw fatal(`could not resolve ${source}`);
	return worktreeFiles(repository.objects, tree);
}

function indexFiles(repository: Repository, stage: number): Map<string, TreeFile> {
	const files = new Map<string, TreeFile>();
	for (const entry of repository.index.entries()) {
		if (entry.stage === 0 || entry.stage === stage) files.set(entry.path, entry);
	}
	return files;
}
