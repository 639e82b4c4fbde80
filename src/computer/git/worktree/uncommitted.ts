import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import type { Repository } from '../repository.ts';

/**
 * Sentences of git about uncommitted changes that prevent an action; none if there are no such changes.
 *
 * @param refusal of the action, such as `cannot rebase`
 */
export function uncommittedFaults(repository: Repository, refusal: string): string[] {
	const isUnstaged = indexToWorktree(repository).length > 0;
	const isStaged = treeToIndex(repository, headTree(repository)).length > 0;
	const faults = isUnstaged ? [`${refusal}: You have unstaged changes.`] : [];
	if (isStaged && isUnstaged) faults.push('additionally, your index contains uncommitted changes.');
	else if (isStaged) faults.push(`${refusal}: Your index contains uncommitted changes.`);
	return faults;
}
