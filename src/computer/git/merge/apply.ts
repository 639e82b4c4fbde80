import { newEntry } from '../index/index-file.ts';
import { buildTrees } from '../index/write-tree.ts';
import type { Invocation } from '../invocation.ts';
import { switchTree } from '../worktree/checkout.ts';
import { entriesOf } from '../worktree/tree-files.ts';
import type { Merged } from './merge-trees.ts';

/** The tree of what merged cleanly, conflicting files as far as they got. */
export const mergedTree = (git: Invocation, { files }: Pick<Merged, 'files'>): string =>
	buildTrees(entriesOf(files), (content) => git.repository.objects.write('tree', content)).id;

/**
 * Brings index and working tree from `from` to the result, conflicts as stages, and says what happened.
 * @param quiet says nothing of what fits; `all` of conflicts either
 */
export function applyMerged(git: Invocation, from: string, merged: Merged, quiet: boolean | 'all' = false): void {
	const { repository } = git;
	const { index } = repository;
	const tree = mergedTree(git, merged);
	switchTree(repository, from, tree, false, 'merge');
	for (const { path, stages } of merged.conflicts) {
		index.remove(path);
		stages.forEach((stage, at) => {
			if (stage) index.setStage(newEntry(path, stage, at + 1));
		});
	}
	index.save();
	if (!merged.isClean) repository.refs.note('AUTO_MERGE', tree);
	if (quiet === 'all' || (quiet && merged.isClean)) return;
	git.out(merged.notices.map(({ text }) => `${text}\n`).join('') + merged.advice);
}
