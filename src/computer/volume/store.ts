import { type Link, type Node, Superblock } from '@jsonjoy.com/fs-core';
import {
	CHARACTER_TYPE,
	DIRECTORY_TYPE,
	FIFO_TYPE,
	FILE_TYPE,
	SOCKET_TYPE,
	SYMLINK_TYPE,
	TYPE_BITS
} from '#computer/abi/file-types.ts';
import { Content } from './content.ts';
import { FileNode } from './file-node.ts';

const USER = 1000;
const process = {
	cwd: () => '/',
	platform: 'linux',
	emitWarning: () => {},
	env: {},
	getuid: () => USER,
	getgid: () => USER
};

/**
 * Storage of the files: memfs's tree of links and nodes, without its path functions, whose `rename` and `rm`
 * follow a final symbolic link and whose `rename` replaces a full directory. `Volume` resolves and checks
 * paths; this class creates, moves and removes single entries.
 */
export class Store extends Superblock {
	/** Names of files that have more than one. */
	#names = new Map<Node, Set<Link>>();

	constructor() {
		super({ process });
	}

	override createNode(mode: number): Node {
		const type = mode & TYPE_BITS;
		if (type !== FILE_TYPE && type !== CHARACTER_TYPE) return super.createNode(mode);
		return new FileNode(++this.ino, mode, USER, USER);
	}

	/**
	 * Drops `node`. Its number is not reused: a program may still hold it. Files are not in `inodes`, which is never
	 * read.
	 */
	override deleteNode(node: Node): void {
		node.del();
		delete this.inodes[node.ino];
	}

	/** Creates a file; takes ownership of `bytes`. */
	createFile(parent: Link, name: string, bytes: Uint8Array, mode = 0o644): Link {
		const node = new FileNode(++this.ino, FILE_TYPE | (mode & 0o7777), USER, USER);
		node.hold(new Content(bytes));
		return parent.createChild(name, node);
	}

	/** Creates a device such as `/dev/null`: like a file except for the type in its mode. */
	createDevice(parent: Link, name: string, mode: number): Link {
		const node = new FileNode(++this.ino, CHARACTER_TYPE | (mode & 0o7777), USER, USER);
		node.hold(new Content(new Uint8Array(0)));
		return parent.createChild(name, node);
	}

	createDirectory(parent: Link, name: string, mode = 0o755): Link {
		return parent.createChild(name, this.createNode(DIRECTORY_TYPE | (mode & 0o7777)));
	}

	createSymlink(parent: Link, name: string, target: string): void {
		const node = this.createNode(SYMLINK_TYPE | 0o777);
		node.symlink = target;
		parent.createChild(name, node);
	}

	createFifo(parent: Link, name: string, mode = 0o644): Link {
		return parent.createChild(name, this.createNode(FIFO_TYPE | (mode & 0o7777)));
	}

	createSocket(parent: Link, name: string, mode = 0o755): Link {
		return parent.createChild(name, this.createNode(SOCKET_TYPE | (mode & 0o7777)));
	}

	/** Adds a name (hard link) for the file of `link`. */
	addName(link: Link, parent: Link, name: string): Link {
		const node = link.getNode();
		node.nlink++;
		const made = parent.createChild(name, node);
		const names = this.#names.get(node) ?? new Set([link]);
		this.#names.set(node, names.add(made));
		return made;
	}

	/** All names of a file that has more than one; none otherwise. */
	namesOf(node: Node): Iterable<Link> {
		return this.#names.get(node) ?? [];
	}

	/** Names of `node` except `path`. */
	otherNames(node: Node, path: string): Link[] {
		const names = this.#names.get(node);
		return names ? [...names].filter((link) => link.getPath() !== path) : [];
	}

	/** Decrements the link count. @returns whether this was the last name of the node */
	removeName(link: Link): boolean {
		const node = link.getNode();
		const names = this.#names.get(node);
		names?.delete(link);
		if (names && names.size < 2) this.#names.delete(node);
		if (--node.nlink > 0) return false;
		this.deleteNode(node);
		return true;
	}

	/** Moves `link` to another place, which must be empty. */
	move(link: Link, parent: Link, name: string): void {
		link.parent?.deleteChild(link);
		link.name = name;
		link.steps = [...parent.steps, name];
		parent.setChild(name, link);
	}
}
