import { GitError } from '../errors.ts';
import { newEntry } from '../index/index-file.ts';
import type { Invocation } from '../invocation.ts';
import { applyMerged, mergedTree } from '../merge/apply.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull, writeFile } from '../worktree/checkout.ts';
import { longStatus } from '../worktree/long-status.ts';
import { computeStatus } from '../worktree/status.ts';
import { treeFiles } from '../worktree/tree-files.ts';

/** Options for applying a stash. */
export interface ApplyHow {
	/** Restores staged changes as staged. */
	restoresIndex: boolean;
	isQuiet: boolean;
}

/** Applies a stash. Returns false if it conflicts, or if files are in the way. */
export function applyStash(git: Invocation, id: string, how: ApplyHow): boolean {
	const { repository } = git;
	const { index, objects } = repository;
	const [base, staged, untracked] = repository.commit(id).parents.map((parent) => repository.commit(parent).tree);
	if (index.unmerged().length > 0)
		throw new GitError(
			`${index
				.unmerged()
				.map((path) => `${path}: unmerged\n`)
				.join('')}error: cannot apply a stash in the middle of a merge`,
			1
		);
	const ours = index.writeTree((content) => objects.write('tree', content));
	const isMoved = how.restoresIndex && staged !== base && staged !== ours;
	const wanted = isMoved ? stagedTree(git, { base: base!, ours, theirs: staged! }) : null;
	const labels = {
		ours: base === ours ? 'Version stash was based on' : 'Updated upstream',
		theirs: 'Stashed changes',
		base: 'Stash base'
	};
	let isClean = false;
	try {
		const merged = mergeTrees(git, { base: base!, ours, theirs: repository.commit(id).tree }, labels);
		applyMerged(git, ours, merged, how.isQuiet ? 'all' : false);
		isClean = merged.isClean;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		if (!how.isQuiet) git.err(`${error.message}\n`);
	}
	if (isClean) unstageChanges(repository, ours, wanted ?? ours, wanted !== null);
	else if (how.restoresIndex && !how.isQuiet) git.err('Index was not unstashed.\n');
	if (untracked !== undefined && !restoreUntracked(git, untracked, how.isQuiet)) isClean = false;
	index.save();
	if (!how.isQuiet) git.out(longStatus(repository, computeStatus(repository), 'normal'));
	return isClean;
}

/** Tree of the index merged with the staged changes. @throws GitError if they conflict */
function stagedTree(git: Invocation, trees: { base: string; ours: string; theirs: string }): string {
	const merged = mergeTrees(git, trees, { ours: 'ours', theirs: 'theirs' });
	if (!merged.isClean) throw new GitError('error: conflicts in index. Try without --index.', 1);
	return mergedTree(git, merged);
}

/** Unstages restored changes, except new files. @param isWhole makes the index equal to the tree */
function unstageChanges(repository: Repository, before: string, wanted: string, isWhole: boolean): void {
	const { index, objects } = repository;
	const files = treeFiles(objects, wanted);
	const known = treeFiles(objects, isWhole ? wanted : before);
	for (const entry of index.entries()) {
		const file = files.get(entry.path);
		if (file && (file.id !== entry.id || file.mode !== entry.mode))
			index.set({ ...entry, ...file, size: 0, modifiedMs: 0 });
		else if (!file && isWhole) index.remove(entry.path);
	}
	for (const [path, file] of known) if (!index.has(path)) index.set(newEntry(path, file));
}

/** Restores untracked files. Prints a message and returns false if a path already exists. */
function restoreUntracked(git: Invocation, tree: string, isQuiet: boolean): boolean {
	const { repository } = git;
	let isWhole = true;
	for (const [path, file] of treeFiles(repository.objects, tree)) {
		if (lstatOrNull(repository, repository.absolute(path))) {
			if (!isQuiet) git.err(`${path} already exists, no checkout\n`);
			isWhole = false;
		} else writeFile(repository, path, file);
	}
	if (!isWhole && !isQuiet) git.err('error: could not restore untracked files from stash\n');
	return isWhole;
}
