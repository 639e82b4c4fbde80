import { type Link, type Node, Superblock } from '@jsonjoy.com/fs-core';
import { DIRECTORY_TYPE, FILE_TYPE, SYMLINK_TYPE, TYPE_BITS } from './types.ts';
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
 * Where the files are: memfs's tree of links and nodes, without its path functions, whose `rename`
 * and `rm` follow a final symbolic link and whose `rename` replaces a full directory. `Volume`
 * finds and checks; this makes, moves and forgets single entries.
 */
export class Store extends Superblock {
	constructor() {
		super({ process });
	}

	override createNode(mode: number): Node {
		if ((mode & TYPE_BITS) !== FILE_TYPE) return super.createNode(mode);
		return new FileNode(++this.ino, mode, USER, USER);
	}

	/** Forgets `node`. Its number is not given away again: a program may still hold it. Files are not in `inodes`, which nothing reads. */
	override deleteNode(node: Node): void {
		node.del();
		delete this.inodes[node.ino];
	}

	/** Takes `bytes` over. */
	createFile(parent: Link, name: string, bytes: Uint8Array, mode = 0o644): Link {
		const node = new FileNode(++this.ino, FILE_TYPE | (mode & 0o7777), USER, USER);
		node.hold(new Content(bytes));
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

	/** Gives `link` another place. What was there must be gone. */
	move(link: Link, parent: Link, name: string): void {
		link.parent?.deleteChild(link);
		link.name = name;
		link.steps = [...parent.steps, name];
		parent.setChild(name, link);
	}
}
