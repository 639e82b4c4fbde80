import gte from 'semver/functions/gte.js';
import { canReplace, deepestPlace, peerSetsOf } from './dependency-sets.ts';
import { type Edge, sharesPeers, type TreeNode } from './node.ts';

/**
 * Result for a package at a place: nothing is in the way, it replaces or keeps the existing package, or there is a
 * conflict.
 */
export type Verdict = 'free' | 'replace' | 'keep' | 'conflict';

export interface CandidateOptions {
	/** Package to be placed, in its set of peers. */
	node: TreeNode;
	place: TreeNode;
	/** Dependency that requires it. */
	edge: Edge;
	/** The package whose peer this one is, at the same place. */
	dependent?: CandidatePlace | null;
	/** Lets an older package replace a newer one, as all peers may. */
	prefersShared?: boolean;
	/** Peers that were checked already. */
	path?: readonly TreeNode[];
}

/** Place in the tree considered for a package with all its peers. */
export class CandidatePlace {
	readonly node: TreeNode;
	readonly place: TreeNode;
	readonly edge: Edge;
	/** Verdict for the package without its peers. */
	ownVerdict: Verdict = 'conflict';
	readonly verdict: Verdict;
	readonly #dependent: CandidatePlace | null;
	readonly #prefersShared: boolean;
	readonly #path: readonly TreeNode[];

	constructor({ node, place, edge, dependent = null, prefersShared = false, path = [] }: CandidateOptions) {
		this.node = node;
		this.place = place;
		this.edge = edge;
		this.#dependent = dependent;
		this.#prefersShared = prefersShared || edge.isPeer;
		this.#path = path;
		this.verdict = this.#judge();
	}

	#judge(): Verdict {
		const { node, place, edge } = this;
		const current = place.children.get(node.name);
		if (node.failure) return (this.ownVerdict = current ? 'replace' : 'free');
		const own = place.edge(node.name);
		if (own?.isPeer && !place.isTop) return 'conflict';
		if (!current && own && own !== edge && !own.isSatisfiedBy(node)) return 'conflict';
		if (place !== edge.from && !this.#sharesPeers(node)) return 'conflict';
		return current ? this.#besides(current) : this.#alone();
	}

	/** Within a set of peers under consideration, they are the same. */
	#sharesPeers(node: TreeNode): boolean {
		return this.edge.from.root !== this.place.root || sharesPeers(this.edge.from, node, this.place);
	}

	/** Checks an empty place: no package below may lose what it now finds further up. */
	#alone(): Verdict {
		const { node, place } = this;
		const hidden = place === this.#entry().from ? undefined : place.find(node.name);
		const users = hidden?.edgesIn() ?? [];
		const loses = users.some((user) => user.from.isWithin(place) && user.isValid && !user.isSatisfiedBy(node));
		return loses ? 'conflict' : this.#withPeers('free');
	}

	#besides(current: TreeNode): Verdict {
		const { node, place, edge } = this;
		const serves = edge.isSatisfiedBy(current) && this.#sharesPeers(current);
		// A set of peers may contain an invalid version: then there is no reason to look further.
		if (node.matches(current) && (serves || !edge.isSatisfiedBy(node))) return (this.ownVerdict = 'keep');
		const isNewer = node.version !== '' && current.version !== '' && gte(node.version, current.version, true);
		if (isNewer && canReplace(node, current)) {
			const verdict = this.#withPeers('replace');
			if (verdict !== 'conflict') return verdict;
		}
		if (serves) return (this.ownVerdict = 'keep');
		if (this.#prefersShared && !isNewer && canReplace(node, current)) {
			const verdict = this.#withPeers('replace');
			if (verdict !== 'conflict') return verdict;
		}
		// If it can be placed deeper, the existing package stays.
		if (place !== this.#deepest()) return 'conflict';
		if (!edge.isPeer && place === edge.from) return this.#withPeers('replace');
		if (!this.#dependent && !edge.isPeer) return 'conflict';
		return this.#displaces(current) ? this.#withPeers('replace') : 'conflict';
	}

	/** Returns whether all sets of peers with `current` can be replaced by the new one, or be placed deeper. */
	#displaces(current: TreeNode): boolean {
		const fresh = this.node.parent?.children ?? new Map<string, TreeNode>();
		const entry = this.#entry();
		for (const [edge, peers] of peerSetsOf(current)) {
			if (edge === this.edge || edge === entry) continue;
			const old = edge.to;
			if (!old) continue;
			const replacement = fresh.get(old.name);
			if (replacement ? canReplace(replacement, old, new Set(fresh.keys())) : suits(old, fresh)) continue;
			for (const peer of peers) {
				const deepest = deepestPlace(edge.from, peer.name);
				if (this.place.isWithin(deepest)) return false;
			}
		}
		return true;
	}

	/** Dependency by which the set of peers enters the tree. */
	#entry(): Edge {
		return this.#dependent ? this.#dependent.#entry() : this.edge;
	}

	/** Deepest possible place of the package. */
	#deepest(): TreeNode {
		return deepestPlace(this.#dependent ? this.#dependent.#deepest() : this.edge.from, this.node.name);
	}

	/** Returns the verdict, or a conflict if not all peers can be placed. */
	#withPeers(verdict: Verdict): Verdict {
		this.ownVerdict = verdict;
		const path = [...this.#path, this.node];
		for (const edge of this.node.edges()) {
			const peer = edge.isPeer ? edge.to : undefined;
			if (!peer || path.includes(peer)) continue;
			const candidate = new CandidatePlace({
				node: peer,
				place: deepestPlace(this.place, peer.name),
				edge,
				dependent: this,
				prefersShared: true,
				path
			});
			if (candidate.verdict === 'conflict') return 'conflict';
		}
		return verdict;
	}
}

/** Returns whether all peers reachable from `old` accept the packages of a new set. */
function suits(old: TreeNode, fresh: ReadonlyMap<string, TreeNode>): boolean {
	const reached = new Set([old]);
	for (const node of reached) {
		for (const edge of node.edges()) {
			if (!edge.isPeer || !edge.isValid) continue;
			const replacement = fresh.get(edge.name);
			if (replacement && !edge.isSatisfiedBy(replacement)) return false;
			if (!replacement && edge.to) reached.add(edge.to);
		}
	}
	return true;
}
