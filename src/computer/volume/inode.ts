import type { Link, Node } from '@jsonjoy.com/fs-core';
import { FILE_SYSTEMS } from '#computer/abi/file-systems.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { FileNode } from './file-node.ts';
import { DIRECTORY_TYPE, FIFO_TYPE, SOCKET_TYPE, SYMLINK_TYPE, TYPE_BITS } from '#computer/abi/file-types.ts';
import { Mode } from '#environment/mode.ts';

/** Kind of an entry, derived from memfs's links and nodes. */

export function kindOf(link: Link): WireStat['kind'] {
	const type = link.getNode().mode & TYPE_BITS;
	if (type === FIFO_TYPE) return 'fifo';
	if (type === SOCKET_TYPE) return 'socket';
	return type === DIRECTORY_TYPE ? 'directory' : type === SYMLINK_TYPE ? 'symlink' : 'file';
}

export function isFifo(link: Link | undefined): boolean {
	return link !== undefined && (link.getNode().mode & TYPE_BITS) === FIFO_TYPE;
}

export function isSocketFile(link: Link | undefined): boolean {
	return link !== undefined && (link.getNode().mode & TYPE_BITS) === SOCKET_TYPE;
}

/**
 * Returns whether the entry is a named pipe or a socket file: a name that exists while its computer runs, neither
 * stored nor shared.
 */
export function isSpecial(link: Link | undefined): boolean {
	return link !== undefined && isSpecialType(link.getNode().mode & TYPE_BITS);
}

export function isDirectory(link: Link | undefined): boolean {
	return link !== undefined && (link.getNode().mode & TYPE_BITS) === DIRECTORY_TYPE;
}

/** Returns the file behind `link`, or `null` if it is something else. */
export function fileOf(link: Link | undefined): FileNode | null {
	const node = link?.getNode();
	return node instanceof FileNode ? node : null;
}

/** Target of a symbolic link, or `null` if `link` is something else. */
export function targetOf(link: Link | undefined): string | null {
	const node = link?.getNode();
	return node && (node.mode & TYPE_BITS) === SYMLINK_TYPE ? node.symlink : null;
}

/** Entries of a directory except `.` and `..`, which memfs stores among them. */
export function childrenOf(directory: Link): [name: string, child: Link][] {
	const found: [string, Link][] = [];
	for (const [name, child] of directory.children) {
		if (child && name !== '.' && name !== '..') found.push([name, child]);
	}
	return found;
}

export function isSpecialType(type: number): boolean {
	return type === FIFO_TYPE || type === SOCKET_TYPE;
}

/**
 * Mode as in git: of the permissions, only "executable" is preserved. A named pipe or a socket, which git does not
 * store, has its type.
 */
export function gitMode({ mode }: Node): number {
	const type = mode & TYPE_BITS;
	if (type === SYMLINK_TYPE || type === DIRECTORY_TYPE || isSpecialType(type)) return type;
	return mode & 0o111 ? Mode.executable : Mode.file;
}

const [ROOT, ...MOUNTED] = FILE_SYSTEMS;
const MOUNTS = MOUNTED.map(({ device, target }) => ({ device, steps: target.split('/') }));

/** Device number of the file system of an entry. Entries never leave their file system. */
export function deviceOf({ steps }: Link): number {
	const mount = MOUNTS.find((one) => one.steps.every((step, at) => steps[at] === step));
	return mount?.device ?? ROOT.device;
}

export function toStat(link: Link): WireStat {
	const node = link.getNode();
	return {
		kind: kindOf(link),
		size: sizeOf(link),
		mode: node.mode,
		modifiedMs: node.mtime.getTime(),
		accessedMs: node.atime.getTime(),
		changedMs: node.ctime.getTime(),
		device: deviceOf(link),
		inode: node.ino,
		links: node.nlink
	};
}

function sizeOf(link: Link): number {
	const file = fileOf(link);
	if (file) return file.getSize();
	if (isSpecial(link)) return 0;
	const target = targetOf(link);
	return target === null ? 4096 : new TextEncoder().encode(target).length;
}
