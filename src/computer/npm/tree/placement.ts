import gte from 'semver/functions/gte.js';
import { CandidatePlace } from './candidate-place.ts';
import { canReplace, deepestPlace, onlyNeededBy, peerSetsOf } from './dependency-sets.ts';
import { byName, type Edge, TreeNode } from './node.ts';

/** Effects of a placement beyond the tree. */
export interface PlacementOptions {
	/** Conflicting peers cause a warning instead of an error. */
	force: boolean;
	/** @throws NpmError if the project itself requires conflicting packages */
	refuse(edge: Edge, found: TreeNode | undefined): never;
	/** Reports a peer that keeps an invalid version. */
	warn(edge: Edge, found: TreeNode | undefined): void;
}

/** Places a package and its peers in the tree as high as there is no conflict. */
export class Placement {
	/** The placed package; null if an existing one is used. */
	placed: TreeNode | null = null;
	readonly peers: Placement[] = [];
	/** Packages that lost a peer by the placement. */
	readonly disturbed = new Set<TreeNode>();
	readonly #node: TreeNode;
	readonly #dependent: Placement | null;
	#chosen: CandidatePlace | null = null;

	/** @param node the package in a set with its peers */
	constructor(
		node: TreeNode,
		readonly edge: Edge,
		private readonly options: PlacementOptions,
		dependent: Placement | null = null
	) {
		this.#node = node;
		this.#dependent = dependent;
		this.#place();
	}

	/** This placement and those of its peers, dependents first. */
	*all(): Generator<Placement> {
		yield this;
		for (const peer of this.peers) yield* peer.all();
	}

	/** Peers are placed next to their dependent, or higher. */
	#start(): TreeNode {
		return deepestPlace(this.#dependent ? this.#dependent.#start() : this.edge.from, this.#node.name);
	}

	#place(): void {
		const { edge } = this;
		if (edge.to && edge.isValid) return;
		let best: CandidatePlace | null = null;
		let withoutPeers: CandidatePlace | null = null;
		for (const place of this.#start().ancestry()) {
			if (!place.isTop && place.edge(edge.name)?.isPeer) continue;
			const candidate = new CandidatePlace({
				node: this.#node,
				place,
				edge,
				dependent: this.#dependent && this.#dependent.#chosen
			});
			if (candidate.ownVerdict !== 'conflict') withoutPeers = candidate;
			if (candidate.verdict === 'conflict') break;
			best = candidate;
			if (this.#node.failure) break;
		}
		if (!best) {
			if (!this.options.force && this.#isAskedByProject()) this.options.refuse(edge, this.#start().find(edge.name));
			best = withoutPeers;
		}
		if (best) this.#put(best);
		else this.#giveUp(edge, edge.to);
	}

	/** Returns whether the project, or a package of it, causes the conflict. */
	#isAskedByProject(): boolean {
		if (this.#dependent) return this.#dependent.#isAskedByProject();
		const { from, isPeer } = this.edge;
		if (from.isTop) return true;
		if (!isPeer) return false;
		const askers = from.edgesIn();
		return askers.some((edge) => edge.from.isTop) || [...peerSetsOf(from).keys()].some((edge) => edge.from.isTop);
	}

	#put(candidate: CandidatePlace): void {
		const { edge } = this;
		const { place, ownVerdict } = candidate;
		this.#chosen = candidate;
		if (ownVerdict === 'keep') {
			if (edge.isPeer && !edge.isValid) this.#giveUp(edge, edge.to);
			this.#dedupe(place);
			return;
		}
		const node = this.#copyFor(place);
		this.placed = node;
		const old = place.children.get(node.name);
		if (old) this.#replace(old, node, place);
		else place.adopt(node);
		if (edge.isPeer && !edge.isSatisfiedBy(node)) this.#giveUp(edge, node);
		if (edge.to && edge.to !== node && edge.isValid) this.#dedupe(edge.to, false);
		this.#dedupeBelow(place, node);
		const set = this.#node.parent;
		for (const peerEdge of node.edges()) {
			if (peerEdge.isValid || !peerEdge.isPeer || peerEdge.isGivenUp) continue;
			const peer = set?.children.get(peerEdge.name);
			if (peer && peerEdge.isSatisfiedBy(peer)) this.peers.push(new Placement(peer, peerEdge, this.options, this));
		}
	}

	#giveUp(edge: Edge, found: TreeNode | undefined): void {
		edge.isGivenUp = true;
		this.options.warn(edge, found);
	}

	#copyFor(place: TreeNode): TreeNode {
		const source = this.#node;
		const location = `${place.location ? `${place.location}/` : ''}node_modules/${source.name}`;
		const node = new TreeNode(source.name, location, source.manifest);
		node.resolved = source.resolved;
		node.integrity = source.integrity;
		node.rules = source.rules;
		// The same package inside itself would nest forever: it becomes a link there.
		node.target = source.target ?? [...place.ancestry()].find((one) => !one.isTop && one.matches(source)) ?? null;
		if (node.target && !source.target) node.resolved = node.target.location;
		node.failure = source.failure;
		return node;
	}

	/** Replaces a node by another, and removes what only the old one needed. */
	#replace(old: TreeNode, node: TreeNode, place: TreeNode): void {
		const orphans: TreeNode[] = [];
		for (const { name, to } of old.edges()) {
			if (!node.edge(name) && to) orphans.push(...onlyNeededBy([to], (edge) => edge.to !== to));
		}
		const displaced: TreeNode[] = [];
		for (const edge of old.edgesIn()) {
			if (edge.isSatisfiedBy(node) || !edge.isPeer || edge.from.parent !== place || edge.isGivenUp) continue;
			for (const entry of peerSetsOf(edge.from).keys()) {
				const head = entry.to;
				if (!head) continue;
				if (!entry.from.isTop && deepestPlace(head, head.name) !== place) {
					displaced.push(...onlyNeededBy([head], (other) => other.to !== head && !other.isGivenUp));
				} else this.#giveUp(edge, node);
			}
		}
		// Both have the same place: nested packages stay there.
		const inside = [...old.children.values()].filter((child) => !child.inBundle);
		old.children.clear();
		place.adopt(node);
		for (const child of inside) node.adopt(child);
		const invalid = new Set(node.edges().flatMap((edge) => (edge.to && !edge.isValid ? [edge.to] : [])));
		for (const orphan of orphans) {
			for (const one of onlyNeededBy([orphan], (edge) => edge.to !== orphan && edge.isValid)) invalid.add(one);
		}
		const junk = onlyNeededBy(invalid, (edge) => edge.from !== node && edge.to !== node && edge.isValid);
		for (const one of junk) one.detach();
		for (const one of displaced) {
			for (const { from } of one.edgesIn()) this.disturbed.add(from);
			one.detach();
		}
	}

	/** Removes copies further down that the new node makes unnecessary. */
	#dedupeBelow(place: TreeNode, node: TreeNode): void {
		for (const copy of node.namesakes()) {
			if (copy.isTop || !copy.isWithin(place)) continue;
			if (copy !== node) this.#dedupe(copy, false);
			if (copy.root === node.root) for (const child of [...copy.children.values()]) this.#dedupe(child, false);
		}
	}

	/** Removes a node if a package further up can replace it; otherwise checks the nodes below it. */
	#dedupe(node: TreeNode, descends = true): void {
		if (this.#isNeedless(node)) {
			for (const one of onlyNeededBy([node], (edge) => edge.to !== node && edge.isValid)) one.detach();
			return;
		}
		if (!descends) return;
		const children = [...node.children.values()].sort((a, b) => byName(a.location, b.location));
		for (const child of children) this.#dedupe(child);
	}

	#isNeedless(node: TreeNode): boolean {
		const above = node.parent?.parent;
		if (node.inBundle || node.isTop || !above) return false;
		if (node.edgesIn().length === 0) return true;
		const other = above.find(node.name);
		if (!other) return false;
		if (other.matches(node)) return true;
		return canReplace(other, node) && gte(other.version, node.version, true);
	}
}
