import type { Link, Node } from '@jsonjoy.com/fs-core';
import { FileNode } from './file-node.ts';
import { childrenOf, isDirectory } from './inode.ts';
import { Store } from './store.ts';
import { Volume, type VolumeDependent } from './volume.ts';

/**
 * Copy of a volume that is created in constant time. Its directories are filled when they are first read, or just
 * before the original changes them, so it always shows the state at its creation. Contents are shared until one side
 * writes. Call {@link VolumeClone.release} when it is no longer used: until then the original does extra work for it.
 */
export class VolumeClone extends Volume implements VolumeDependent {
	readonly #original: Volume;
	/** Functions that fill the unfilled directories, by the original's directory. */
	readonly #unfilled = new Map<Link, () => void>();
	/** Copies of files with several names, so that they remain one file. */
	readonly #copies = new Map<Node, Link>();

	constructor(original: Volume) {
		super(new Store());
		this.#original = original;
		this.used = original.used;
		this.limit = original.limit;
		this.#fillLater(original.root, this.store.root);
		original.dependents.add(this);
	}

	/** Copies unchanged entries before the original changes an entry of `parent`, or the file at `link`. */
	beforeChange(parent: Link, link: Link | undefined): void {
		this.#fillDownTo(parent);
		if (!link) return;
		for (const name of this.#original.store.namesOf(link.getNode())) if (name.parent) this.#fillDownTo(name.parent);
	}

	/** Detaches from the original: nothing more is copied from it. */
	release(): void {
		this.#original.dependents.delete(this);
		this.#unfilled.clear();
		this.#copies.clear();
	}

	#fillDownTo(directory: Link): void {
		const { parent } = directory;
		if (parent && parent !== directory) this.#fillDownTo(parent);
		this.#unfilled.get(directory)?.();
	}

	#fillLater(from: Link, to: Link): void {
		copyTimes(from.getNode(), to.getNode());
		const fill = onFirstUse(to, () => {
			this.#unfilled.delete(from);
			const { atime, mtime, ctime } = to.getNode();
			for (const [name, child] of childrenOf(from)) this.#copy(name, child, to);
			copyTimes({ atime, mtime, ctime }, to.getNode());
		});
		this.#unfilled.set(from, fill);
	}

	#copy(name: string, child: Link, to: Link): void {
		const node = child.getNode();
		const known = this.#copies.get(node);
		if (known) return void this.store.addName(known, to, name);
		const copy = this.store.createNode(node.mode);
		if (node instanceof FileNode && copy instanceof FileNode) copy.hold(node.content.clone());
		copy.symlink = node.symlink;
		copyTimes(node, copy);
		const made = to.createChild(name, copy);
		if (isDirectory(child)) this.#fillLater(child, made);
		else if (node.nlink > 1) this.#copies.set(node, made);
	}
}

type Times = Pick<Node, 'atime' | 'mtime' | 'ctime'>;

function copyTimes({ atime, mtime, ctime }: Times, to: Times): void {
	to.atime = atime;
	to.mtime = mtime;
	// Setting the other times has set it to the current time.
	to.ctime = ctime;
}

/**
 * Calls `fill` when the entries of `directory` are first accessed.
 *
 * @returns function that does it now, unless it was done already
 */
function onFirstUse(directory: Link, fill: () => void): () => void {
	const { children, length } = directory;
	let isFilled = false;
	const settle = (): void => {
		if (isFilled) return;
		isFilled = true;
		Object.defineProperty(directory, 'children', { value: children, writable: true });
		Object.defineProperty(directory, 'length', { value: length, writable: true });
		fill();
	};
	Object.defineProperty(directory, 'children', {
		configurable: true,
		get: () => (settle(), children)
	});
	Object.defineProperty(directory, 'length', {
		configurable: true,
		get: () => (settle(), directory.length)
	});
	return settle;
}
