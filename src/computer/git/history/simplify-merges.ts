import type { HistoryNode, Simplification } from './simplification.ts';

/**
 * Removes merges that connect nothing, because one parent is reachable from another, as `--simplify-merges` in
 * git-log(1). Commits keep the remaining parents.
 *
 * @param nodes sorted so that none is before its children
 */
export function simplifyMerges(simplification: Simplification, nodes: readonly HistoryNode[]): HistoryNode[] {
	const merges = new MergeSimplifier(simplification, nodes);
	for (const node of [...nodes].reverse()) merges.take(node);
	return nodes.filter(({ id }) => merges.standIn(id) === id);
}

class MergeSimplifier {
	readonly #standIns = new Map<string, string>();
	readonly #known: ReadonlyMap<string, HistoryNode>;

	constructor(
		private readonly simplification: Simplification,
		nodes: readonly HistoryNode[]
	) {
		this.#known = new Map(nodes.map((node) => [node.id, node]));
	}

	/** Commit that is shown instead of another one. */
	standIn(id: string): string {
		return this.#standIns.get(id) ?? id;
	}

	/** Simplifies a commit whose parents are simplified. */
	take(node: HistoryNode): void {
		const { rules } = this.simplification;
		if (node.parents.length > 0) {
			if (rules.firstParent) node.parents = node.parents.map((id, at) => (at === 0 ? this.standIn(id) : id));
			else this.#join(node);
		}
		const isShown = !node.isSame || node.parents.length === 0 || (rules.showsPulls && node.isPull);
		const only = isShown ? null : this.simplification.onlyParent(node);
		this.#standIns.set(node.id, only === null ? node.id : this.standIn(only));
	}

	#join(node: HistoryNode): void {
		const shown = node.parents.map((id) => this.standIn(id));
		this.#keep(node, shown, (at) => shown.indexOf(shown[at]!) === at);
		if (node.parents.length < 2) return;
		const { parents, sameTo } = node;
		const dropped = new Set(parents.filter((id) => this.#isEmptyRoot(id) || this.#isReached(id, parents)));
		// If a merge has the content of a dropped parent, it keeps that parent.
		const same = parents.filter((_, at) => sameTo[at]);
		if (dropped.size > 0 && same.length > 0 && same.every((id) => dropped.has(id))) dropped.delete(same[0]!);
		this.#keep(node, parents, (at) => !dropped.has(parents[at]!));
	}

	/** Reduces the parents of a commit. */
	#keep(node: HistoryNode, parents: readonly string[], isKept: (at: number) => boolean): void {
		const { sameTo } = node;
		node.parents = parents.filter((_, at) => isKept(at));
		node.sameTo = sameTo.filter((_, at) => isKept(at));
		if (node.parents.length === parents.length || node.isSame) return;
		const isRoot = node.parents.length === 0;
		node.isSame = isRoot ? this.simplification.isEmpty(node) : this.simplification.sameness(node);
	}

	#isEmptyRoot(id: string): boolean {
		const node = this.#known.get(id);
		return node !== undefined && node.parents.length === 0 && node.isSame;
	}

	/** Returns whether a commit is reachable from another parent. */
	#isReached(id: string, parents: readonly string[]): boolean {
		const seen = new Set<string>();
		const left = parents.filter((other) => other !== id);
		for (let next = left.pop(); next !== undefined; next = left.pop()) {
			for (const parent of this.#parentsOf(next)) {
				if (parent === id) return true;
				if (!seen.has(parent)) left.push(parent);
				seen.add(parent);
			}
		}
		return false;
	}

	#parentsOf(id: string): readonly string[] {
		return (this.#known.get(id) ?? this.simplification.node(id)).parents;
	}
}
