import { newEntry } from '../index/index-file.ts';
import { buildTrees } from '../index/write-tree.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';
import { writeFile } from '../worktree/checkout.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { entriesOf } from '../worktree/tree-files.ts';
import type { Merged } from './merge-trees.ts';

/** Tree of the merge result; files in conflict contain their markers. */
export const mergedTree = (git: Invocation, { files }: Pick<Merged, 'files'>): string =>
	buildTrees(entriesOf(files), (content) => git.repository.objects.write('tree', content)).id;

/**
 * Updates index and working tree from `from` to the merge result, records conflicts as stages, and prints the notices.
 * @param quiet true prints nothing if the merge is clean; `all` never prints anything
 */
export function applyMerged(git: Invocation, from: string, merged: Merged, quiet: boolean | 'all' = false): void {
	const { repository } = git;
	const { index } = repository;
	const tree = mergedTree(git, merged);
	switchTree(repository, from, tree, { verb: 'merge' });
	for (const { path, stages } of merged.conflicts) {
		materialize(repository, path, merged);
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

/** Writes a file in conflict that a sparse checkout leaves out: the user has to resolve it. */
function materialize(repository: Repository, path: string, { files }: Pick<Merged, 'files'>): void {
	const file = files.get(path);
	if (file && repository.index.get(path)?.skipWorktree) writeFile(repository, path, file);
}
