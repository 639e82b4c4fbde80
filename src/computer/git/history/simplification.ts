import { compareTrees, pathOf } from '../diff/change.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import type { Revision } from './walk.ts';

/** A commit of a history that is simplified. */
export interface HistoryNode extends Revision {
	/** Parents that lead on. */
	parents: readonly string[];
	/** Nothing that is looked at changed in it. */
	isSame: boolean;
	/** The same against each parent. */
	sameTo: readonly boolean[];
	/** Brought something that its first parent had not. */
	isPull: boolean;
}

/** Rules by which history becomes simpler. */
export interface SimplificationRules {
	/** Paths whose changes are looked at. */
	pathspec: Pathspec;
	/** Tells of a commit whether a reference names it, where such commits alone count. */
	isNamed: ((id: string) => boolean) | null;
	/** A merge leads on to all its parents, even if one of them has the same. */
	isWhole: boolean;
	/** Commits that change nothing are left out. */
	isDense: boolean;
	/** Merges that brought a change into their first parent stay. */
	showsPulls: boolean;
	/** History ends before the first of the files. */
	endsBeforeFiles: boolean;
	firstParent: boolean;
	/** Merges stay that tie lines of history together, and commits get the parents that are shown. */
	keepsTies: boolean;
}

/** Commits that are left out from the start, and the ends that were named for it. */
export interface LeftOut {
	hidden: Set<string>;
	bottoms: ReadonlySet<string>;
}

/** Commits and their parents in a history simplified to what changed at some paths, by git-log(1). */
export class Simplification {
	readonly #nodes = new Map<string, HistoryNode>();
	readonly #roots = new Set<string>();
	/** Commits that change nothing are left out. */
	readonly isPruned: boolean;

	constructor(
		private readonly repository: Repository,
		readonly rules: SimplificationRules,
		private readonly left: LeftOut
	) {
		this.isPruned = !rules.pathspec.isEmpty || rules.isNamed !== null;
	}

	node(id: string): HistoryNode {
		const known = this.#nodes.get(id);
		if (known) return known;
		const commit = this.repository.commit(id);
		const parents = this.#roots.has(id) ? [] : commit.parents;
		const node = { id, commit, parents, isSame: false, sameTo: [], isPull: false };
		this.#nodes.set(id, node);
		if (this.isPruned && !this.isHidden(id)) this.#simplify(node);
		return node;
	}

	isHidden(id: string): boolean {
		return this.left.hidden.has(id);
	}

	/** Leaves out a commit that was walked. */
	hide(id: string): void {
		this.left.hidden.add(id);
	}

	/** Tells whether a parent counts: one that is shown, or an end of what is. */
	isRelevant(id: string): boolean {
		return !this.left.hidden.has(id) || this.left.bottoms.has(id);
	}

	/** The only parent that a commit without changes leads to; null if there are more. */
	onlyParent({ parents }: HistoryNode): string | null {
		if (this.rules.firstParent || parents.length < 2) return parents[0] ?? null;
		const relevant = parents.filter((parent) => this.isRelevant(parent));
		return relevant.length === 1 ? relevant[0]! : null;
	}

	/** Tells whether a commit is shown, as far as its changes say. */
	isKept(node: HistoryNode): boolean {
		const { isDense, keepsTies, showsPulls } = this.rules;
		if (!this.isPruned || !isDense || !node.isSame) return true;
		if (!keepsTies) return false;
		if (showsPulls && node.isPull) return true;
		return node.parents.filter((parent) => this.isRelevant(parent)).length > 1;
	}

	/** Parents of a commit as they are shown: beyond commits that are left out, where ties are kept. */
	shownParents(node: HistoryNode): string[] {
		const { isDense, keepsTies } = this.rules;
		if (!this.isPruned || !isDense || !keepsTies) return [...node.parents];
		return [...new Set(node.parents.flatMap((parent) => this.#standIn(parent) ?? []))];
	}

	/** Looks again at commits whose parents may have been left out since. */
	review(nodes: readonly HistoryNode[]): void {
		if (!this.isPruned || !this.rules.isDense || !this.rules.isWhole || this.rules.firstParent) return;
		for (const node of nodes) if (!node.isSame && node.parents.length > 1) node.isSame = this.sameness(node);
	}

	/** Tells whether a commit has the same as each parent that counts. */
	sameness({ parents, sameTo }: HistoryNode): boolean {
		const all = sameTo.map((isSame, at) => ({ isSame, isRelevant: this.isRelevant(parents[at]!) }));
		const relevant = all.filter((one) => one.isRelevant);
		return (relevant.length > 0 ? relevant : all).every((one) => one.isSame);
	}

	/** Tells whether a commit has none of the files. */
	isEmpty({ commit }: Revision): boolean {
		return !this.#hasChanges(null, commit.tree);
	}

	/** First commit from here that is shown; null where history ends before one. */
	#standIn(id: string): string | null {
		for (;;) {
			if (this.isHidden(id)) return id;
			const node = this.node(id);
			if (!node.isSame) return id;
			if (node.parents.length === 0) return null;
			const only = this.onlyParent(node);
			if (only === null) return id;
			id = only;
		}
	}

	#simplify(node: HistoryNode): void {
		const { isWhole, isDense, showsPulls, endsBeforeFiles, firstParent } = this.rules;
		if (node.parents.length === 0) {
			node.isSame = this.isEmpty(node);
			return;
		}
		if (!isDense && node.parents.length < 2) return;
		const sameTo: boolean[] = [];
		for (const [at, parent] of (firstParent ? node.parents.slice(0, 1) : node.parents).entries()) {
			const isSame = !this.#differs(parent, node);
			if (isSame && !isWhole && this.isRelevant(parent)) {
				node.parents = [parent];
				node.sameTo = [true];
				node.isSame = !showsPulls || at === 0;
				return;
			}
			const before = this.repository.commit(parent).tree;
			if (!isSame && endsBeforeFiles && !this.#hasChanges(null, before)) this.#roots.add(parent);
			if (!isSame && at === 0) node.isPull = true;
			sameTo.push(isSame);
		}
		node.sameTo = sameTo;
		node.isSame = this.sameness(node);
	}

	#differs(parent: string, node: HistoryNode): boolean {
		const { isNamed, pathspec } = this.rules;
		if (isNamed?.(node.id)) return true;
		if (isNamed && pathspec.isEmpty) return false;
		return this.#hasChanges(this.repository.commit(parent).tree, node.commit.tree);
	}

	#hasChanges(before: string | null, after: string): boolean {
		const { pathspec } = this.rules;
		return compareTrees(this.repository.objects, before, after).some((change) => pathspec.matches(pathOf(change)));
	}
}
