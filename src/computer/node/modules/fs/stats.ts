import {
	CHARACTER_TYPE,
	DIRECTORY_TYPE,
	FIFO_TYPE,
	FILE_TYPE,
	SOCKET_TYPE,
	SYMLINK_TYPE,
	TYPE_BITS
} from '#computer/abi/file-types.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';

const TYPES = {
	file: FILE_TYPE,
	directory: DIRECTORY_TYPE,
	symlink: SYMLINK_TYPE,
	fifo: FIFO_TYPE,
	socket: SOCKET_TYPE
} as const;

const NO_TIMES = { modifiedMs: 0, accessedMs: 0, changedMs: 0 };

/** `fs.Stats`. */
export class Stats {
	dev: number;
	mode: number;
	nlink: number;
	uid = 1000;
	gid = 1000;
	rdev = 0;
	blksize = 4096;
	ino: number;
	size: number;
	blocks: number;
	atimeMs: number;
	mtimeMs: number;
	ctimeMs: number;
	birthtimeMs: number;

	constructor(stat: WireStat) {
		this.mode = (stat.mode & TYPE_BITS) === 0 ? stat.mode | TYPES[stat.kind] : stat.mode;
		this.dev = stat.device;
		this.nlink = stat.links;
		this.ino = stat.inode;
		this.size = stat.size;
		this.blocks = Math.ceil(stat.size / 512);
		this.atimeMs = stat.accessedMs;
		this.mtimeMs = this.birthtimeMs = stat.modifiedMs;
		this.ctimeMs = stat.changedMs;
		for (const name of ['atime', 'mtime', 'ctime', 'birthtime'] as const) {
			Object.defineProperty(this, name, { value: new Date(this[`${name}Ms`]), enumerable: true, writable: true });
		}
	}

	/** Stats of a missing file. */
	static absent(): Stats {
		const none = new Stats({ ...NO_TIMES, kind: 'file', size: 0, mode: 0, device: 0, inode: 0, links: 0 });
		return Object.assign(none, { dev: 0, mode: 0, uid: 0, gid: 0, blksize: 0 });
	}

	declare atime: Date;
	declare mtime: Date;
	declare ctime: Date;
	declare birthtime: Date;

	isFile(): boolean {
		return (this.mode & TYPE_BITS) === TYPES.file;
	}
	isDirectory(): boolean {
		return (this.mode & TYPE_BITS) === TYPES.directory;
	}
	isSymbolicLink(): boolean {
		return (this.mode & TYPE_BITS) === TYPES.symlink;
	}
	isFIFO(): boolean {
		return (this.mode & TYPE_BITS) === TYPES.fifo;
	}
	isSocket(): boolean {
		return (this.mode & TYPE_BITS) === TYPES.socket;
	}
	isBlockDevice(): boolean {
		return false;
	}
	isCharacterDevice(): boolean {
		return (this.mode & TYPE_BITS) === CHARACTER_TYPE;
	}
}

/** The same with `bigint: true`. */
export function bigStats(stats: Stats): object {
	const result: Record<string, unknown> = Object.create(Stats.prototype);
	for (const [name, value] of Object.entries(stats)) {
		result[name] = typeof value === 'number' && name !== 'mode' ? BigInt(Math.trunc(value)) : value;
		if (name.endsWith('timeMs')) result[name.replace('Ms', 'Ns')] = BigInt(Math.trunc(value * 1e6));
	}
	const mode = stats.mode;
	for (const test of ['isFile', 'isDirectory', 'isSymbolicLink', 'isFIFO', 'isSocket', 'isCharacterDevice'] as const) {
		Object.defineProperty(result, test, { value: () => Stats.prototype[test].call({ mode }) });
	}
	return Object.assign(result, { mode: BigInt(mode) });
}

/** `fs.Dirent`. */
export class Dirent {
	readonly #kind: WireDirent['kind'];

	constructor(
		readonly name: string,
		readonly parentPath: string,
		kind: WireDirent['kind']
	) {
		this.#kind = kind;
		Object.defineProperty(this, 'path', { value: parentPath, enumerable: false });
	}

	isFile(): boolean {
		return this.#kind === 'file';
	}
	isDirectory(): boolean {
		return this.#kind === 'directory';
	}
	isSymbolicLink(): boolean {
		return this.#kind === 'symlink';
	}
	isFIFO(): boolean {
		return this.#kind === 'fifo';
	}
	isSocket(): boolean {
		return this.#kind === 'socket';
	}
	isBlockDevice(): boolean {
		return false;
	}
	isCharacterDevice(): boolean {
		return false;
	}
}
