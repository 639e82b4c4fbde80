import { stashing } from '../choosing/choice-mode.ts';
import { chooseHunks } from '../choosing/choose-hunks.ts';
import { headTree } from '../diff/sides.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { GitError } from '../errors.ts';
import { newEntry } from '../index/index-file.ts';
import { Invocation } from '../invocation.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import { removeFile, writeFile } from '../worktree/checkout.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { treeFiles } from '../worktree/tree-files.ts';
import { createStash } from './create-stash.ts';

/**
 * Lets the user choose hunks of the working tree, in an index of their own. Returns the tree of HEAD with these hunks.
 *
 * @throws GitError if none is chosen
 */
export function chosenTree(git: Invocation, paths: readonly string[]): string {
	const { repository, env, context, cwd } = git;
	const { files, objects } = repository;
	const head = headTree(repository) ?? EMPTY_TREE;
	const place = `${repository.gitDir}/index.stash.${context.pid}`;
	const inner = new Invocation(context, cwd, git.surroundings.overrides, { ...env, GIT_INDEX_FILE: place });
	try {
		const { index } = inner.repository;
		index.replace([...treeFiles(objects, head)].map(([path, file]) => newEntry(path, file)));
		index.save();
		chooseHunks(inner, stashing(head), new Pathspec(inner.repository, paths));
		inner.flush();
		const tree = inner.repository.index.writeTree((content) => objects.write('tree', content));
		if (tree === head) throw new GitError('No changes selected', 1);
		return tree;
	} finally {
		files.remove(place, { force: true });
	}
}

/** Removes chosen hunks from the files; the index stays as it is. @throws GitError if other changes are in the way */
export function removeChosen(git: Invocation, tree: string): void {
	const { repository } = git;
	const { objects } = repository;
	const head = headTree(repository) ?? EMPTY_TREE;
	const now = createStash(git, {})?.tree ?? head;
	const labels = { ours: 'files', theirs: 'HEAD', base: 'chosen' };
	const merged = mergeTrees(git, { base: tree, ours: now, theirs: head }, labels);
	if (!merged.isClean) throw new GitError('Cannot remove worktree changes', 1);
	const present = treeFiles(objects, now);
	for (const [path, file] of merged.files) {
		const before = present.get(path);
		if (before?.id !== file.id || before.mode !== file.mode) writeFile(repository, path, file);
	}
	for (const path of present.keys()) if (!merged.files.has(path)) removeFile(repository, path);
}
