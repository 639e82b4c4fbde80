import type { Link, Node } from '@jsonjoy.com/fs-core';
import type { PackedEntry, PackedVolume } from '#computer/abi/detached-start.ts';
import { Content } from './content.ts';
import { FileNode } from './file-node.ts';
import { childrenOf, fileOf, isDirectory, targetOf } from './inode.ts';
import { Store } from './store.ts';
import { Volume } from './volume.ts';

/** Packs all of `volume` into one buffer, so that a process gets it in one copy. */
export function packVolume(volume: Volume): PackedVolume {
	const entries: PackedEntry[] = [];
	const places = new Map<Node, number>();
	const contents: Uint8Array[] = [];
	let total = 0;
	const visit = (directory: Link, parent: number): void => {
		for (const [name, child] of childrenOf(directory)) {
			const node = child.getNode();
			const place = entries.length;
			const entry: PackedEntry = { parent, name, mode: node.mode, modifiedMs: node.mtime.getTime() };
			entries.push(entry);
			if (isDirectory(child)) {
				visit(child, place);
				continue;
			}
			const known = places.get(node);
			const target = targetOf(child);
			if (known !== undefined) entry.sameAs = known;
			else if (target !== null) entry.target = target;
			else {
				const bytes = fileOf(child)?.content.peek() ?? new Uint8Array(0);
				entry.size = bytes.length;
				contents.push(bytes);
				total += bytes.length;
			}
			places.set(node, place);
		}
	};
	visit(volume.root, -1);
	const bytes = new Uint8Array(total);
	let at = 0;
	for (const content of contents) {
		bytes.set(content, at);
		at += content.length;
	}
	return { entries, bytes: bytes.buffer, used: volume.used, limit: volume.limit };
}

/** Inverse of {@link packVolume}: creates a volume whose contents stay in the one buffer until they are written. */
export function unpackVolume({ entries, bytes, used, limit }: PackedVolume): Volume {
	const store = new Store();
	const links: Link[] = [];
	let at = 0;
	for (const { parent, name, mode, modifiedMs, size, target, sameAs } of entries) {
		const directory = links[parent] ?? store.root;
		const known = sameAs === undefined ? undefined : links[sameAs];
		if (known) {
			links.push(store.addName(known, directory, name));
			continue;
		}
		const node = store.createNode(mode);
		if (node instanceof FileNode) {
			const own = new Content(new Uint8Array(bytes, at, size));
			// A clone copies before it writes: the bytes of other files are in the same buffer.
			node.hold(own.clone());
			at += size ?? 0;
		} else if (target !== undefined) node.symlink = target;
		node.mtime = new Date(modifiedMs);
		links.push(directory.createChild(name, node));
	}
	const volume = new Volume(store);
	volume.used = used;
	volume.limit = limit;
	return volume;
}
