import { Mode } from '#environment/mode.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { isDirectory } from '../objects/tree.ts';
import { parseOptions } from '../options.ts';
import type { Repository } from '../repository.ts';
import { findInTree } from '../worktree/tree-files.ts';

/** `git write-tree`: creates a tree from the index. */
export const writeTree: Command = (git, args) => {
	const options = parseOptions('write-tree [--missing-ok] [--prefix=<prefix>/]', args, {
		missing: '--missing-ok',
		prefix: '--prefix ='
	});
	const { index, objects } = git.repository;
	const unmerged = index.unmerged();
	if (unmerged.length > 0) {
		throw new GitError(
			`${unmerged.map((path) => `${path}: unmerged (${index.get(path, 2)?.id ?? index.get(path, 3)?.id ?? ''})\n`).join('')}fatal: git-write-tree: error building trees`,
			128
		);
	}
	if (!options.has('missing')) requireObjects(git.repository);
	const tree = index.writeTree((content) => objects.write('tree', content));
	index.save();
	const prefix = options.get('prefix')?.replace(/\/+$/, '') ?? '';
	const part = prefix === '' ? null : findInTree(objects, tree, prefix);
	if (prefix !== '' && (!part || !isDirectory(part.mode)))
		throw fatal(`git-write-tree: prefix ${options.get('prefix') ?? ''} not found`);
	git.out(`${part?.id ?? tree}\n`);
	return 0;
};

/** @throws GitError if the object of an index entry is missing */
function requireObjects({ index, objects }: Repository): void {
	for (const { path, mode, id, intentToAdd } of index.entries()) {
		if (mode === Mode.commit || intentToAdd || objects.has(id)) continue;
		throw new GitError(
			`error: invalid object ${mode.toString(8)} ${id} for '${path}'\nfatal: git-write-tree: error building trees`,
			128
		);
	}
}
