import { isWasmRelease } from '../registry/wasm-release.ts';
import { type Edge, everyNode, type TreeNode } from './node.ts';

export interface Flags {
	dev: boolean;
	optional: boolean;
	devOptional: boolean;
	peer: boolean;
	/** Set if nothing needs it; packages only reachable through optional peers count as such. */
	extraneous: boolean;
}

/**
 * Flags of each package as in the lockfile.
 * @param forOthers omits releases chosen in place of the requested ones: they are not for other machines
 */
export function computeFlags(root: TreeNode, forOthers = false): Map<TreeNode, Flags> {
	const reachBy = (follows: (edge: Edge) => boolean) =>
		reach(root, (edge, node) => follows(edge) && !(forOthers && isOurs(node, edge)));
	const needed = reachBy(({ kind }) => kind !== 'peerOptional');
	const notDev = reachBy(({ kind }) => kind !== 'dev');
	const notOptional = reachBy(({ isOptional }) => !isOptional);
	const neither = reachBy(({ kind, isOptional }) => kind !== 'dev' && !isOptional);
	const notPeer = reachBy(({ isPeer }) => !isPeer);
	const flags = new Map<TreeNode, Flags>();
	for (const node of everyNode(root)) {
		if (!needed.has(node) && !node.inBundle) {
			flags.set(node, { dev: false, optional: false, devOptional: false, peer: false, extraneous: true });
			continue;
		}
		const dev = !notDev.has(node);
		const optional = !notOptional.has(node);
		const devOptional = !dev && !optional && !neither.has(node);
		flags.set(node, { dev, optional, devOptional, peer: !notPeer.has(node), extraneous: false });
	}
	return flags;
}

/** Returns whether an optional release is installed that the package does not list. */
function isOurs(node: TreeNode, edge: Edge): boolean {
	if (edge.name === node.release) return true;
	const found = edge.kind === 'optional' && isWasmRelease(edge.name) ? node.find(edge.name) : undefined;
	return found !== undefined && !edge.isSatisfiedBy(found);
}

function reach(root: TreeNode, follows: (edge: Edge, node: TreeNode) => boolean): Set<TreeNode> {
	const reached = new Set<TreeNode>([root]);
	const queue = [root];
	const add = (node: TreeNode | null | undefined) => {
		if (!node || reached.has(node)) return;
		reached.add(node);
		queue.push(node);
	};
	// Workspaces are part of the project.
	for (const child of root.children.values()) if (child.target) [child, child.target].forEach(add);
	for (let node = queue.shift(); node; node = queue.shift()) {
		add(node.target);
		for (const edge of node.edges()) if (follows(edge, node)) add(node.find(edge.name));
	}
	return reached;
}

/** Removes unneeded packages. */
export function prune(root: TreeNode): void {
	const flags = computeFlags(root);
	for (const node of [...everyNode(root)]) if (flags.get(node)?.extraneous && !node.isTop) node.detach();
}
