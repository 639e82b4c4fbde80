import type { Invocation } from '../invocation.ts';
import { buildTrees } from '../index/write-tree.ts';
import { switchTree, writeFile } from '../worktree/checkout.ts';
import { entriesOf } from '../worktree/tree-files.ts';
import type { Merged } from './merge-trees.ts';
import { newEntry } from '../index/index-file.ts';

/** The tree of what merged cleanly, conflicting files as far as they got. */
export function mergedTree(git: Invocation, merged: Merged): string {
	const files = new Map(merged.files);
	for (const { path, file } of merged.conflicts) files.set(path, file);
	return buildTrees(entriesOf(files), (content) => git.repository.objects.write('tree', content)).id;
}

/**
 * Brings index and working tree from `from` to the result, conflicts as stages, and says what happened.
 * @param quiet says nothing of what fits; `all` of conflicts either
 */
export function applyMerged(
	git: Invocation,
	from: string,
	merged: Merged,
	labels: { ours: string; theirs: string },
	quiet: boolean | 'all' = false
): void {
	const { repository } = git;
	const { index } = repository;
	switchTree(repository, from, mergedTree(git, merged), false, 'merge');
	const isSilent = quiet === 'all' || (quiet && merged.conflicts.length === 0);
	for (const path of isSilent ? [] : merged.merged) git.out(`Auto-merging ${path}\n`);
	for (const { path, kind, deletedBy, stages, file } of merged.conflicts) {
		writeFile(repository, path, file);
		index.remove(path);
		stages.forEach((stage, i) => {
			if (stage) index.set(newEntry(path, stage, i + 1));
		});
		if (quiet === 'all') continue;
		if (kind === 'modify/delete') {
			const [gone, kept] = deletedBy === 'ours' ? [labels.ours, labels.theirs] : [labels.theirs, labels.ours];
			git.out(
				`CONFLICT (modify/delete): ${path} deleted in ${gone} and modified in ${kept}.  Version ${kept} of ${path} left in tree.\n`
			);
		} else if (kind === 'binary') {
			git.out(
				`warning: Cannot merge binary files: ${path} (${labels.ours} vs. ${labels.theirs})\nAuto-merging ${path}\nCONFLICT (content): Merge conflict in ${path}\n`
			);
		} else git.out(`CONFLICT (${kind}): Merge conflict in ${path}\n`);
	}
	index.save();
}
