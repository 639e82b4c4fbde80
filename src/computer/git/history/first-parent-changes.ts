import { compareTrees, type Change } from '../diff/change.ts';
import type { DIFF_OPTIONS } from '../diff/options.ts';
import { selectChanges } from '../diff/select.ts';
import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { treeFiles } from '../worktree/tree-files.ts';
import type { Revision } from './walk.ts';

/**
 * Changes of a commit against its first parent, or the one that it is to be compared with.
 * @param merges includes merges; `git log -p` does not
 */
export function firstParentChanges(
	repository: Repository,
	{ commit, from }: Revision,
	pathspec: Pathspec,
	options: Options<keyof typeof DIFF_OPTIONS>,
	merges = false,
	ignoresCase = false
): Change[] {
	if (commit.parents.length > 1 && !merges) return [];
	const parent = from ?? commit.parents[0];
	const before = parent === undefined ? null : repository.commit(parent).tree;
	const filesBefore = () => (before === null ? new Map() : treeFiles(repository.objects, before));
	const changes = compareTrees(repository.objects, before, commit.tree);
	return selectChanges(repository, changes, pathspec, options, { filesBefore, ignoresCase });
}
