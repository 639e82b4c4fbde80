import { isWasmRelease } from '../registry/wasm-release.ts';
import { rangeOf } from './overrides.ts';
import { type Edge, everyNode, type TreeNode } from './node.ts';

export interface Flags {
	dev: boolean;
	optional: boolean;
	devOptional: boolean;
	peer: boolean;
}

/**
 * Flags of each package as in the lockfile. Unneeded packages have no entry.
 * @param forOthers leaves out replacements of requested releases: they are not for other machines
 */
export function computeFlags(root: TreeNode, forOthers = false): Map<TreeNode, Flags> {
	const reachBy = (follows: (edge: Edge) => boolean) =>
		reach(root, (edge, node) => follows(edge) && !(forOthers && isOurs(node, edge)));
	const all = reachBy(() => true);
	const notDev = reachBy(({ kind }) => kind !== 'dev');
	const notOptional = reachBy(({ kind }) => kind !== 'optional' && kind !== 'peerOptional');
	const neither = reachBy(({ kind }) => kind !== 'dev' && kind !== 'optional' && kind !== 'peerOptional');
	const notPeer = reachBy(({ kind }) => kind !== 'peer' && kind !== 'peerOptional');
	const flags = new Map<TreeNode, Flags>();
	for (const node of everyNode(root)) {
		if (!all.has(node) && !node.inBundle) continue;
		const dev = !notDev.has(node);
		const optional = !notOptional.has(node);
		const devOptional = !dev && !optional && !neither.has(node);
		flags.set(node, { dev, optional, devOptional, peer: !notPeer.has(node) });
	}
	return flags;
}

/** Returns true if an optional release is installed that the package does not ask for. */
function isOurs(node: TreeNode, edge: Edge): boolean {
	if (edge.name === node.release) return true;
	const found = edge.kind === 'optional' && isWasmRelease(edge.name) ? node.find(edge.name) : undefined;
	return found !== undefined && !found.fits(rangeOf(node, edge));
}

function reach(root: TreeNode, follows: (edge: Edge, node: TreeNode) => boolean): Set<TreeNode> {
	const reached = new Set<TreeNode>([root]);
	const queue = [root];
	const add = (node: TreeNode | null | undefined) => {
		if (!node || reached.has(node)) return;
		reached.add(node);
		queue.push(node);
	};
	// A workspace is part of the project.
	for (const child of root.children.values()) if (child.target) [child, child.target].forEach(add);
	for (let node = queue.shift(); node; node = queue.shift()) {
		add(node.target);
		for (const edge of node.edges()) if (follows(edge, node)) add(node.find(edge.name));
	}
	return reached;
}

/** Removes unneeded packages. */
export function prune(root: TreeNode): void {
	const needed = computeFlags(root);
	for (const node of [...everyNode(root)]) {
		if (!needed.has(node) && node.parent?.children.get(node.name) === node) node.parent.children.delete(node.name);
	}
}
