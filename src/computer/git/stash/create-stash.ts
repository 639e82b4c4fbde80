import { GitError } from '../errors.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import { pathOf } from '../diff/change.ts';
import type { Invocation } from '../invocation.ts';
import { buildTrees } from '../index/write-tree.ts';
import { serializeCommit, subjectOf } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { modeOf, storedContent } from '../worktree/file-state.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { computeStatus } from '../worktree/status.ts';
import { entriesOf, treeFiles, type TreeFile } from '../worktree/tree-files.ts';

/** Selects what to stash. */
export interface StashHow {
	message?: string | undefined;
	/** Paths to stash; default: all. */
	paths?: Pathspec | null;
	/** Stashes untracked files too; `all`: even ignored ones. */
	untracked?: 'normal' | 'all' | null;
	/** Stashes only staged changes. */
	isStaged?: boolean;
	/** Tree to stash in place of the files. */
	tree?: string;
}

/** Created stash. */
export interface MadeStash {
	id: string;
	message: string;
	/** Trees of the files and of the index. */
	tree: string;
	staged: string;
	/** Paths that were not tracked. */
	untracked: string[];
}

/** Creates the commits of a stash; changes neither index nor files. Returns null if there is nothing to stash. */
export function createStash(git: Invocation, how: StashHow): MadeStash | null {
	const { repository } = git;
	const { index, objects, refs } = repository;
	const head = repository.head();
	if (head === null) throw new GitError('You do not have the initial commit yet', 1);
	const isChosen = (path: string) => how.paths?.matches(path) ?? true;
	const untracked = untrackedFiles(repository, how).filter(isChosen);
	const isUnstaged = how.isStaged !== true && indexToWorktree(repository).some((one) => isChosen(pathOf(one)));
	const isStaged = treeToIndex(repository, headTree(repository)).some((one) => isChosen(pathOf(one)));
	if (!isStaged && !isUnstaged && untracked.length === 0) return null;
	if (index.entries().some(({ intentToAdd, stage }) => intentToAdd || stage > 0))
		throw new GitError('error: cannot stash what is not added yet\nCannot save the current index state', 1);
	const branch = refs.currentBranch() ?? '(no branch)';
	const about = `${branch}: ${objects.abbreviate(head)} ${subjectOf(repository.commit(head).message)}`;
	const message = how.message === undefined ? `WIP on ${about}` : `On ${branch}: ${how.message}`;
	const who = { author: repository.author(), committer: repository.committer() };
	const commit = (tree: string, parents: string[], text: string) =>
		objects.write('commit', serializeCommit({ tree, parents, ...who, message: text }));
	const staged = index.writeTree((content) => objects.write('tree', content));
	const indexCommit = commit(staged, [head], `index on ${about}\n`);
	const tree = how.tree ?? (how.isStaged ? staged : treeOf(repository, worktreeFiles(repository, staged, isChosen)));
	const parents = [head, indexCommit];
	if (untracked.length > 0) {
		const files = new Map(untracked.map((path) => [path, stored(repository, path)]));
		parents.push(commit(treeOf(repository, files), [], `untracked files on ${about}\n`));
	}
	return { id: commit(tree, parents, message), message, tree, staged, untracked };
}

function untrackedFiles(repository: Repository, { untracked }: StashHow): string[] {
	if (!untracked) return [];
	const found = computeStatus(repository, { untracked: 'all', ignored: untracked === 'all' });
	const ignored = found.ignored.flatMap((path) => (path.endsWith('/') ? filesBelow(repository, path) : [path]));
	return [...found.untracked.filter((path) => !path.endsWith('/')), ...ignored];
}

function filesBelow({ files, root }: Repository, directory: string): string[] {
	const all = files.walk(`${root}/${directory.slice(0, -1)}`);
	return all.filter(({ stat }) => stat.kind !== 'directory').map(({ path }) => path.slice(root.length + 1));
}

/** Files that are in the index or HEAD, in their current state. */
function worktreeFiles(
	repository: Repository,
	staged: string,
	isChosen: (path: string) => boolean
): Map<string, TreeFile> {
	const { index, objects } = repository;
	const found = treeFiles(objects, staged);
	for (const change of indexToWorktree(repository)) {
		const path = pathOf(change);
		if (!isChosen(path)) continue;
		if (change.after) found.set(path, stored(repository, path));
		else if (lstatOrNull(repository, repository.absolute(path))?.kind !== 'directory') found.delete(path);
	}
	for (const path of treeFiles(objects, headTree(repository)).keys()) {
		if (index.has(path) || !isChosen(path)) continue;
		const stat = lstatOrNull(repository, repository.absolute(path));
		if (stat?.kind === 'file' || stat?.kind === 'symlink') found.set(path, stored(repository, path));
	}
	return found;
}

function stored(repository: Repository, path: string): TreeFile {
	const { files, objects } = repository;
	const stat = files.lstat(repository.absolute(path));
	return { mode: modeOf(stat), id: objects.write('blob', storedContent(repository, path, stat, 'keep')) };
}

const treeOf = ({ objects }: Repository, files: ReadonlyMap<string, TreeFile>): string =>
	buildTrees(entriesOf(files), (content) => objects.write('tree', content)).id;
