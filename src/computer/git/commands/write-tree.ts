import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';

export const writeTree: Command = (git) => {
	const { index, objects } = git.repository;
	const unmerged = index.unmerged();
	if (unmerged.length > 0) {
		throw new GitError(
			`${unmerged.map((path) => `${path}: unmerged (${index.get(path, 2)?.id ?? index.get(path, 3)?.id ?? ''})\n`).join('')}fatal: git-write-tree: error building trees`,
			128
		);
	}
	git.out(`${index.writeTree((content) => objects.write('tree', content))}\n`);
	index.save();
	return 0;
};
