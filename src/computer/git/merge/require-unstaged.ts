import { treeToIndex } from '../diff/sides.ts';
import { pathOf } from '../diff/change.ts';
import { GitError } from '../errors.ts';
import type { Repository } from '../repository.ts';

/** @throws GitError if the index differs from the tree */
export function requireUnstaged(repository: Repository, tree: string, closing = ''): void {
	const staged = treeToIndex(repository, tree);
	if (staged.length === 0) return;
	const names = staged.map(pathOf).join('\n  ');
	throw new GitError(
		`error: Your local changes to the following files would be overwritten by merge:\n  ${names}${closing}`,
		2
	);
}
