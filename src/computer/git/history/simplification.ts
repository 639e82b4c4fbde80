import { compareTrees, pathOf } from '../diff/change.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import type { Revision } from './walk.ts';

/** Commit of a simplified history. */
export interface HistoryNode extends Revision {
	/** Parents to follow. */
	parents: readonly string[];
	/** Set if the commit has no relevant change. */
	isSame: boolean;
	/** Same against each parent. */
	sameTo: readonly boolean[];
	/** Set if the commit has relevant changes against its first parent. */
	isPull: boolean;
}

/** Rules for simplifying history. */
export interface SimplificationRules {
	/** Paths whose changes are relevant. */
	pathspec: Pathspec;
	/** Returns whether a ref points to a commit; null unless only such commits are relevant. */
	isNamed: ((id: string) => boolean) | null;
	/** Follows all parents of a merge, even if one of them has the same content. */
	isWhole: boolean;
	/** Omits commits without relevant changes. */
	isDense: boolean;
	/** Keeps merges that brought a change into their first parent. */
	showsPulls: boolean;
	/** Ends history at the commits that introduce the files. */
	endsBeforeFiles: boolean;
	firstParent: boolean;
	/** Keeps merges that connect lines of history, and replaces parents with shown commits. */
	keepsTies: boolean;
}

/** Commits excluded from the start, and the named ends of the exclusion. */
export interface LeftOut {
	hidden: Set<string>;
	bottoms: ReadonlySet<string>;
}

/** Commits and parents of a history simplified to the changes of some paths, as in git-log(1). */
export class Simplification {
	readonly #nodes = new Map<string, HistoryNode>();
	readonly #roots = new Set<string>();
	/** Set if commits without relevant changes are omitted. */
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

	/** Omits a commit that was already walked. */
	hide(id: string): void {
		this.left.hidden.add(id);
	}

	/** Returns whether a parent is relevant: it is shown, or is a named end. */
	isRelevant(id: string): boolean {
		return !this.left.hidden.has(id) || this.left.bottoms.has(id);
	}

	/** Only parent to follow from a commit without changes; null if there are several. */
	onlyParent({ parents }: HistoryNode): string | null {
		if (this.rules.firstParent || parents.length < 2) return parents[0] ?? null;
		const relevant = parents.filter((parent) => this.isRelevant(parent));
		return relevant.length === 1 ? relevant[0]! : null;
	}

	/** Returns whether a commit is shown, judging by its changes. */
	isKept(node: HistoryNode): boolean {
		const { isDense, keepsTies, showsPulls } = this.rules;
		if (!this.isPruned || !isDense || !node.isSame) return true;
		if (!keepsTies) return false;
		if (showsPulls && node.isPull) return true;
		return node.parents.filter((parent) => this.isRelevant(parent)).length > 1;
	}

	/** Shown parents of a commit; if `keepsTies` is set, omitted parents are replaced by the next shown commits. */
	shownParents(node: HistoryNode): string[] {
		const { isDense, keepsTies } = this.rules;
		if (!this.isPruned || !isDense || !keepsTies) return [...node.parents];
		return [...new Set(node.parents.flatMap((parent) => this.#standIn(parent) ?? []))];
	}

	/** Reevaluates merges whose parents may have been omitted since. */
	review(nodes: readonly HistoryNode[]): void {
		if (!this.isPruned || !this.rules.isDense || !this.rules.isWhole || this.rules.firstParent) return;
		for (const node of nodes) if (!node.isSame && node.parents.length > 1) node.isSame = this.sameness(node);
	}

	/** Returns whether a commit has the same content as each relevant parent. */
	sameness({ parents, sameTo }: HistoryNode): boolean {
		const all = sameTo.map((isSame, at) => ({ isSame, isRelevant: this.isRelevant(parents[at]!) }));
		const relevant = all.filter((one) => one.isRelevant);
		return (relevant.length > 0 ? relevant : all).every((one) => one.isSame);
	}

	/** Returns whether a commit has none of the files. */
	isEmpty({ commit }: Revision): boolean {
		return !this.#hasChanges(null, commit.tree);
	}

	/** First shown commit from here; null if history ends before one. */
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
