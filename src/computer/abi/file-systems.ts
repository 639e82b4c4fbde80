/** File system mounted in the directory tree. */
export interface MountedFileSystem {
	/** Device number that `stat` shows for each of its files. */
	device: number;
	/** Mount point. */
	target: string;
	source: string;
	type: string;
}

/** Usage of a file system. All share the storage limit of one sandbox. */
export interface FileSystemUsage extends MountedFileSystem {
	totalBytes: number;
	usedBytes: number;
	freeBytes: number;
	/** Number of entries in it, including its root. */
	files: number;
}

/** Number of inodes that each file system reports: only bytes are limited. */
export const INODES = 1_048_576;

/** File systems, outermost first. Files cannot be renamed or linked from one into another. */
export const FILE_SYSTEMS: readonly [root: MountedFileSystem, ...others: MountedFileSystem[]] = [
	{ device: 1, target: '/', source: 'sandglass', type: 'tmpfs' },
	{ device: 2, target: '/dev/shm', source: 'shm', type: 'tmpfs' }
];
