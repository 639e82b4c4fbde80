import type { Link, Node } from '@jsonjoy.com/fs-core';
import { FileNode } from './file-node.ts';
import { childrenOf, isDirectory } from './inode.ts';
import { Store } from './store.ts';
import { Volume } from './volume.ts';

/** A volume with the same files, sharing their bytes until one side writes. */
export function cloneVolume(volume: Volume): Volume {
	const store = new Store();
	/** Files with several names stay one file. */
	const copies = new Map<Node, Link>();
	const copyInto = (from: Link, to: Link): void => {
		for (const [name, child] of childrenOf(from)) {
			const node = child.getNode();
			const known = copies.get(node);
			const made = known ? store.addName(known, to, name) : to.createChild(name, copyNode(child));
			if (node.nlink > 1 && !isDirectory(child)) copies.set(node, made);
			if (isDirectory(child)) copyInto(child, made);
		}
		to.getNode().mtime = from.getNode().mtime;
	};
	const copyNode = (link: Link): Node => {
		const node = link.getNode();
		const copy = store.createNode(node.mode);
		if (node instanceof FileNode && copy instanceof FileNode) copy.hold(node.content.clone());
		copy.symlink = node.symlink;
		copy.mtime = node.mtime;
		return copy;
	};
	copyInto(volume.root, store.root);
	const made = new Volume(store);
	made.used = volume.used;
	return made;
}
