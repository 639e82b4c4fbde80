/** A file system that is mounted in the one tree of names. */
export interface MountedFileSystem {
	/** Number that `stat` shows of each of its files. */
	device: number;
	/** Directory where it is mounted. */
	target: string;
	source: string;
	type: string;
}

/** Use of a file system. All draw on the room of one sandbox. */
export interface FileSystemUsage extends MountedFileSystem {
	totalBytes: number;
	usedBytes: number;
	freeBytes: number;
	/** Names in it, its root included. */
	files: number;
}

/** Number of files that a file system is said to have room for: only bytes are limited. */
export const INODES = 1_048_576;

/** The file systems, the outermost first. What is in one cannot be renamed or linked into another. */
export const FILE_SYSTEMS: readonly [root: MountedFileSystem, ...others: MountedFileSystem[]] = [
	{ device: 1, target: '/', source: 'sandglass', type: 'tmpfs' },
	{ device: 2, target: '/dev/shm', source: 'shm', type: 'tmpfs' }
];
