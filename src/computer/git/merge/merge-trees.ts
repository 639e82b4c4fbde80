import type { Invocation } from '../invocation.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import { applyMoves } from './apply-moves.ts';
import { followDirectories } from './directory-renames.ts';
import { findMoves } from './find-moves.ts';
import { MergePlan, type Notice, type TreeMergeHow } from './merge-plan.ts';
import { submoduleAdvice } from './merge-submodule.ts';
import { Settlement, type Conflict } from './settle-paths.ts';

export type { Conflict } from './settle-paths.ts';

/** Result of merging two trees. */
export interface Merged {
	/** Files of the result; those in conflict have markers, or the version of one side. */
	files: Map<string, TreeFile>;
	conflicts: Conflict[];
	/** Also false if only the location of a directory is in conflict. */
	isClean: boolean;
	notices: Notice[];
	/** Final advice about submodules. */
	advice: string;
}

/**
 * Merges two trees with a common `base`. Merged contents are written as blobs.
 *
 * @param depth nesting level of merges of merge bases
 */
export function mergeTrees(
	git: Invocation,
	trees: { base: string; ours: string; theirs: string },
	how: TreeMergeHow,
	depth = 0
): Merged {
	const plan = new MergePlan(git, [trees.base, trees.ours, trees.theirs], how, depth);
	const moves = [...findMoves(plan, 1), ...findMoves(plan, 2)];
	followDirectories(plan, moves);
	applyMoves(plan, moves);
	const { files, conflicts } = new Settlement(plan);
	const advice = depth > 0 ? '' : submoduleAdvice(plan.submodules);
	return { files, conflicts, isClean: plan.isClean, notices: plan.notices(), advice };
}
