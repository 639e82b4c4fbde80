import type { WireStat } from '../../process/syscalls.ts';
import { Content } from './content.ts';

export const TYPE_BITS = 0o170000;
export const FILE_TYPE = 0o100000;
export const DIRECTORY_TYPE = 0o040000;
export const SYMLINK_TYPE = 0o120000;

interface Common {
	inode: number;
	/** Permission bits only. */
	mode: number;
	modifiedMs: number;
	links: number;
}

export interface FileInode extends Common {
	kind: 'file';
	content: Content;
}

export interface DirectoryInode extends Common {
	kind: 'directory';
	children: Map<string, Inode>;
}

export interface SymlinkInode extends Common {
	kind: 'symlink';
	target: string;
}

export type Inode = FileInode | DirectoryInode | SymlinkInode;

let lastInode = 1;

const common = (mode: number): Common => ({
	inode: lastInode++,
	mode: mode & 0o7777,
	modifiedMs: Date.now(),
	links: 1
});

export const createFile = (bytes: Uint8Array, mode = 0o644): FileInode => ({
	kind: 'file',
	content: new Content(bytes),
	...common(mode)
});

export const createDirectory = (mode = 0o755): DirectoryInode => ({
	kind: 'directory',
	children: new Map(),
	...common(mode)
});

export const createSymlink = (target: string): SymlinkInode => ({ kind: 'symlink', target, ...common(0o777) });

/** Mode with type bits, as `stat` reports it. */
export function fullMode(inode: Inode): number {
	const type = inode.kind === 'file' ? FILE_TYPE : inode.kind === 'directory' ? DIRECTORY_TYPE : SYMLINK_TYPE;
	return type | inode.mode;
}

/** Mode as git has it: of the permissions only "executable" is kept. */
export function gitMode(inode: Inode): number {
	if (inode.kind === 'symlink') return 0o120000;
	if (inode.kind === 'directory') return 0o40000;
	return inode.mode & 0o111 ? 0o100755 : 0o100644;
}

export function toStat(inode: Inode): WireStat {
	return {
		kind: inode.kind,
		size: sizeOf(inode),
		mode: fullMode(inode),
		modifiedMs: inode.modifiedMs,
		inode: inode.inode,
		links: inode.links
	};
}

function sizeOf(inode: Inode): number {
	if (inode.kind === 'file') return inode.content.size;
	if (inode.kind === 'symlink') return new TextEncoder().encode(inode.target).length;
	return 4096;
}
