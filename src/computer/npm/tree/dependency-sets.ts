import type { Edge, TreeNode } from './node.ts';

/**
 * Follows dependencies from some nodes, excluding nodes that others need as well.
 * @param counts selects the dependencies that are followed and that count as a need
 */
export function onlyNeededBy(nodes: Iterable<TreeNode>, counts: (edge: Edge) => boolean): Set<TreeNode> {
	const set = new Set(nodes);
	for (const node of set) {
		for (const edge of node.edges()) {
			const { to } = edge;
			if (to && counts(edge)) set.add(to);
		}
	}
	for (let isChanged = true; isChanged;) {
		isChanged = false;
		for (const node of set) {
			if (!node.edgesIn().some((edge) => !set.has(edge.from) && counts(edge))) continue;
			set.delete(node);
			isChanged = true;
		}
	}
	return set;
}

/**
 * Finds the sets of peers that contain a node: the dependency by which each enters the tree, and its packages.
 */
export function peerSetsOf(node: TreeNode): Map<Edge, Set<TreeNode>> {
	const connected = new Set([node]);
	for (const one of connected) {
		for (const edge of one.edges()) if (edge.isPeer && edge.to && edge.isValid) connected.add(edge.to);
		for (const edge of one.edgesIn()) if (edge.isPeer && edge.isValid) connected.add(edge.from);
	}
	const sets = new Map<Edge, Set<TreeNode>>();
	for (const one of connected) {
		for (const edge of one.edgesIn()) {
			if (!edge.isValid || (edge.isPeer && !isHead(edge.from))) continue;
			const peers = new Set([one]);
			for (const peer of peers) {
				for (const next of peer.edges()) if (next.isPeer && next.to && next.isValid) peers.add(next.to);
			}
			if (peers.has(node)) sets.set(edge, peers);
		}
	}
	return sets;
}

/** Finds the deepest place, starting from `start`, where `name` is not a peer of the package around it. */
export function deepestPlace(start: TreeNode, name: string): TreeNode {
	let last = start;
	for (const place of start.ancestry()) {
		if (place.location === '' || !place.parent || !place.edge(name)?.isPeer) return place;
		last = place;
	}
	return last;
}

/** Returns whether a node is the root of a tree, or a directory of the project. */
const isHead = (node: TreeNode): boolean => node.parent === null || node.isTop;

/**
 * Returns whether `node` can replace `old`: for every dependent of the old one, except those only it needs.
 * @param ignored names of peers that are replaced as well
 */
export function canReplace(node: TreeNode, old: TreeNode, ignored: ReadonlySet<string> = new Set()): boolean {
	if (node.name !== old.name || node.packageName !== old.packageName) return false;
	if (old.edges().length > 0 && !haveSameRules(node, old)) return false;
	const own = onlyNeededBy([old], (edge) => edge.to !== old && edge.isValid);
	return old.edgesIn().every((edge) => {
		if (!old.isTop && edge.from.parent === old.parent && edge.isPeer && ignored.has(edge.from.name)) return true;
		return own.has(edge.from) || edge.isSatisfiedBy(node);
	});
}

/** Returns whether the same `overrides` apply below two packages. */
function haveSameRules(a: TreeNode, b: TreeNode): boolean {
	return (
		a.rules === b.rules || (a.rules.length === b.rules.length && JSON.stringify(a.rules) === JSON.stringify(b.rules))
	);
}
