import { compareTrees, pathOf } from '../diff/change.ts';
import { NO_DIFF } from '../diff/format.ts';
import { printChanges } from '../diff/print.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';

/** Changes of a commit against its first parent without line numbers; commits with equal texts make the same change. */
export function patchText(repository: Repository, id: string, pathspec?: Pathspec): string {
	const { tree, parents } = repository.commit(id);
	const before = parents[0] === undefined ? null : repository.commit(parents[0]).tree;
	const changes = compareTrees(repository.objects, before, tree).filter(
		(change) => !pathspec || pathspec.isEmpty || pathspec.matches(pathOf(change))
	);
	const text = printChanges(repository, changes, { ...NO_DIFF, patch: true });
	return text.replace(/^(index .*|@@ .*)$/gm, '');
}
