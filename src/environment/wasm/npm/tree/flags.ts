import { type Edge, everyNode, type TreeNode } from './node.ts';

export interface Flags {
	dev: boolean;
	optional: boolean;
	devOptional: boolean;
	peer: boolean;
}

/** Why each package is there, as the lockfile says it. What nobody needs has no entry. */
export function computeFlags(root: TreeNode): Map<TreeNode, Flags> {
	const all = reach(root, () => true);
	const notDev = reach(root, ({ kind }) => kind !== 'dev');
	const notOptional = reach(root, ({ kind }) => kind !== 'optional' && kind !== 'peerOptional');
	const neither = reach(root, ({ kind }) => kind !== 'dev' && kind !== 'optional' && kind !== 'peerOptional');
	const notPeer = reach(root, ({ kind }) => kind !== 'peer' && kind !== 'peerOptional');
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

function reach(root: TreeNode, follows: (edge: Edge) => boolean): Set<TreeNode> {
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
		for (const edge of node.edges()) if (follows(edge)) add(node.find(edge.name));
	}
	return reached;
}

/** Takes away what nobody needs. */
export function prune(root: TreeNode): void {
	const needed = computeFlags(root);
	for (const node of [...everyNode(root)]) {
		if (!needed.has(node) && node.parent?.children.get(node.name) === node) node.parent.children.delete(node.name);
	}
}
