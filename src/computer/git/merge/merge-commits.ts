import { mergeBases, mergeBasesOfAll } from '../history/walk.ts';
import type { Invocation } from '../invocation.ts';
import { fatal } from '../errors.ts';
import { peel } from '../refs/revision.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { mergedTree } from './apply.ts';
import type { TreeMergeHow } from './merge-plan.ts';
import type { Repository } from '../repository.ts';
import { shiftedTree } from './shifted-tree.ts';
import { mergeTrees, type Merged } from './merge-trees.ts';

/** A commit, or a virtual merge base made by merging several commits. */
interface Point {
	tree: string;
	/** Commits whose history it includes. */
	tips: readonly string[];
}

/**
 * Merges a commit into another. If they have several merge bases, those are merged first.
 *
 * @param bases commits or trees to use instead of the computed merge bases
 */
export function mergeCommits(
	git: Invocation,
	ours: string,
	theirs: string,
	how: Omit<TreeMergeHow, 'base'>,
	bases?: readonly string[]
): Merged {
	return new BaseMerger(git, how).merge(pointOf(git, ours), pointOf(git, theirs), how, { depth: 0, bases });
}

function pointOf({ repository }: Invocation, id: string): Point {
	const tree = peel(repository, id, 'tree');
	if (tree === null) throw fatal(`unable to read tree (${id})`);
	const commit = peel(repository, id, 'commit');
	return { tree, tips: commit === null ? [] : [commit] };
}

function basesOf(repository: Repository, ours: Point, theirs: Point): string[] {
	const [[one, ...more], [other]] = [ours.tips, theirs.tips];
	if (one === undefined || other === undefined) return [];
	return more.length === 0 ? mergeBases(repository, one, other) : mergeBasesOfAll(repository, other, ours.tips);
}

interface Level {
	depth: number;
	/** Commits or trees to use instead of the computed merge bases. */
	bases?: readonly string[] | undefined;
}

class BaseMerger {
	/** Cached trees of merged bases: criss-cross histories need the same ones repeatedly. */
	readonly #known = new Map<string, string>();

	constructor(
		private readonly git: Invocation,
		private readonly how: Omit<TreeMergeHow, 'base'>
	) {}

	merge(ours: Point, theirs: Point, names: { ours: string; theirs: string }, { depth, bases }: Level): Merged {
		const { git } = this;
		const { repository } = git;
		// Start with the oldest.
		const found = bases ?? basesOf(repository, ours, theirs).reverse();
		const [first, ...others] = found;
		if (first === undefined)
			return this.#mergeOn({ tree: EMPTY_TREE, tips: [] }, 'empty tree', ours, theirs, names, depth);
		const label = others.length > 0 ? 'merged common ancestors' : repository.objects.abbreviate(first);
		const base = others.reduce((point, id) => this.#join(point, id, depth + 1), pointOf(git, first));
		return this.#mergeOn(base, label, ours, theirs, names, depth);
	}

	#mergeOn(
		base: Point,
		label: string,
		ours: Point,
		theirs: Point,
		names: { ours: string; theirs: string },
		depth: number
	): Merged {
		const { objects } = this.git.repository;
		const path = this.how.options?.subtree;
		const placed = (tree: string) => (path === undefined ? tree : shiftedTree(objects, ours.tree, tree, path));
		const trees = { base: placed(base.tree), ours: ours.tree, theirs: placed(theirs.tree) };
		return mergeTrees(this.git, trees, { ...this.how, ...names, base: label }, depth);
	}

	#join(one: Point, other: string, depth: number): Point {
		const tips = [...one.tips, ...pointOf(this.git, other).tips];
		const key = `${depth} ${one.tree} ${tips.join(' ')} ${other}`;
		let tree = this.#known.get(key);
		if (tree === undefined) {
			const names = { ours: 'Temporary merge branch 1', theirs: 'Temporary merge branch 2' };
			this.#known.set(key, (tree = mergedTree(this.git, this.merge(one, pointOf(this.git, other), names, { depth }))));
		}
		return { tree, tips };
	}
}
