import { absolute } from '#computer/abi/paths.ts';
import { SyscallError } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';

type Callback<Value = void> = (error: { code: string } | null, value?: Value) => void;

/** Open file: its bytes once something was read, and the position of the next read or write. */
interface OpenFile {
	path: string;
	at: number;
	appends: boolean;
	bytes: Uint8Array | null;
}

/** Linux's numbers, as expected by Go's `os` package. */
export const constants = {
	O_RDONLY: 0,
	O_WRONLY: 1,
	O_RDWR: 2,
	O_CREAT: 64,
	O_EXCL: 128,
	O_TRUNC: 512,
	O_APPEND: 1024,
	O_DIRECTORY: 65_536
};

const FIRST_DESCRIPTOR = 10;

/**
 * Implements the part of Node's `fs` that Go's runtime calls, over the volume. Each function calls its callback before
 * it returns, except a read of standard input, which waits.
 */
export function goFiles({ sync, async, cwd }: ProcessContext) {
	const open = new Map<number, OpenFile>();
	let next = FIRST_DESCRIPTOR;
	const at = (path: string) => absolute(path, cwd);
	const file = (descriptor: number): OpenFile => {
		const found = open.get(descriptor);
		if (!found) throw new SyscallError('EBADF', 'bad file descriptor');
		return found;
	};

	const writeSync = (descriptor: number, bytes: Uint8Array): number => {
		if (descriptor <= 2) sync.write(descriptor, bytes);
		else {
			const target = file(descriptor);
			if (target.appends) target.at = sync.stat(target.path).size;
			sync.writeAt(target.path, bytes, target.at);
			target.at += bytes.length;
			target.bytes = null;
		}
		return bytes.length;
	};

	const openSync = (path: string, flags: number, mode: number): number => {
		const target = at(path);
		const writes = (flags & 3) !== constants.O_RDONLY;
		const known = sync.statOrNull(target);
		if (!known && !(flags & constants.O_CREAT)) throw new SyscallError('ENOENT', 'no such file or directory', target);
		if (known && flags & constants.O_EXCL && flags & constants.O_CREAT)
			throw new SyscallError('EEXIST', 'file exists', target);
		if (known?.kind === 'directory' && writes) throw new SyscallError('EISDIR', 'is a directory', target);
		if (!known || (writes && flags & constants.O_TRUNC)) sync.writeFile(target, new Uint8Array(), { mode });
		open.set(next, { path: target, at: 0, appends: (flags & constants.O_APPEND) !== 0, bytes: null });
		return next++;
	};

	const readSync = (descriptor: number, buffer: Uint8Array, offset: number, length: number, from: number | null) => {
		const source = file(descriptor);
		source.bytes ??= sync.readFile(source.path);
		const start = from ?? source.at;
		const piece = source.bytes.subarray(start, start + length);
		buffer.set(piece, offset);
		if (from === null) source.at += piece.length;
		return piece.length;
	};

	return {
		constants,
		writeSync,
		write: answered(
			(descriptor: number, bytes: Uint8Array, offset: number, length: number, position: number | null) => {
				if (position !== null && descriptor > 2) file(descriptor).at = position;
				return writeSync(descriptor, bytes.subarray(offset, offset + length));
			}
		),
		open: answered(openSync),
		read(
			descriptor: number,
			buffer: Uint8Array,
			offset: number,
			length: number,
			from: number | null,
			callback: Callback<number>
		): void {
			if (descriptor !== 0) return answered(readSync)(descriptor, buffer, offset, length, from, callback);
			async.read(0, length).then(
				(bytes) => {
					buffer.set(bytes, offset);
					callback(null, bytes.length);
				},
				(error: unknown) => callback(asCode(error))
			);
		},
		close: answered((descriptor: number) => void open.delete(descriptor)),
		fstat: answered((descriptor: number) => stats(descriptor <= 2 ? STREAM : sync.stat(file(descriptor).path))),
		stat: answered((path: string) => stats(sync.stat(at(path)))),
		lstat: answered((path: string) => stats(sync.lstat(at(path)))),
		readdir: answered((path: string) => sync.readdir(at(path)).map(({ name }) => name)),
		readlink: answered((path: string) => sync.readlink(at(path))),
		mkdir: answered((path: string, mode: number) => sync.mkdir(at(path), { mode })),
		rmdir: answered((path: string) => sync.rmdir(at(path))),
		unlink: answered((path: string) => sync.unlink(at(path))),
		rename: answered((from: string, to: string) => sync.rename(at(from), at(to))),
		chmod: answered((path: string, mode: number) => sync.chmod(at(path), mode)),
		truncate: answered((path: string, size: number) => sync.truncate(at(path), size)),
		ftruncate: answered((descriptor: number, size: number) => sync.truncate(file(descriptor).path, size)),
		utimes: answered((path: string, access: number, modified: number) =>
			sync.utimes(at(path), access * 1000, modified * 1000)
		),
		symlink: answered((target: string, path: string) => sync.symlink(target, at(path))),
		link: answered((existing: string, path: string) => sync.link(at(existing), at(path))),
		fsync: answered((_descriptor: number) => undefined),
		fchmod: answered((descriptor: number, mode: number) => sync.chmod(file(descriptor).path, mode)),
		chown: answered((_path: string, _user: number, _group: number) => undefined),
		fchown: answered((_descriptor: number, _user: number, _group: number) => undefined),
		lchown: answered((_path: string, _user: number, _group: number) => undefined)
	};
}

/** Converts a function to Node's style: the last argument is a callback for the result or the error. */
function answered<Args extends unknown[], Value>(run: (...args: Args) => Value) {
	return (...given: [...Args, Callback<Value>]): void => {
		const callback = given.pop() as Callback<Value>;
		let value: Value;
		try {
			value = run(...(given as unknown as Args));
		} catch (error) {
			return callback(asCode(error));
		}
		callback(null, value);
	};
}

/** Go only checks the code. */
function asCode(error: unknown): { code: string } {
	return { code: error instanceof SyscallError ? error.code : 'EIO' };
}

const NO_TIMES = { modifiedMs: 0, accessedMs: 0, changedMs: 0 };
const STREAM: WireStat = { ...NO_TIMES, kind: 'file', size: 0, mode: 0o010_600, device: 0, inode: 0, links: 1 };

function stats({ kind, size, mode, modifiedMs, accessedMs, changedMs, device, inode, links }: WireStat) {
	const owner = { dev: device, rdev: 0, uid: 1000, gid: 1000, blksize: 4096, blocks: Math.ceil(size / 512) };
	const times = { atimeMs: accessedMs, mtimeMs: modifiedMs, ctimeMs: changedMs };
	return { ...owner, ...times, ino: inode, nlink: links, mode, size, isDirectory: () => kind === 'directory' };
}
