import type { Runtime } from '../../runtime/runtime.ts';
import { OPEN, SQLITE } from './codes.ts';
import type { SqliteLibrary } from './library.ts';
import { utf8 } from './memory.ts';
import { guarded, OpenFile } from './open-file.ts';
import type { Callback } from './wasm-function.ts';

const NAME = 'volume';
/** File systems of the library that have no files here. */
const UNUSABLE = ['unix', 'unix-none', 'unix-dotfile', 'unix-excl', 'unix-posix', 'kvvfs'];

/** `struct sqlite3_file`: only the address of its methods. */
const FILE_BYTES = 4;
const MAX_PATH = 4096;
const SECTOR_BYTES = 4096;
/** A write that is interrupted leaves the bytes beside it as they were. */
const POWERSAFE_OVERWRITE = 0x1000;
const ACCESS_READWRITE = 1;
const MS_PER_DAY = 86_400_000;
/** 1970-01-01 as a Julian day. */
const UNIX_EPOCH_DAY = 2_440_587.5;
const ANY_WRITES = 0o222;

type Methods = [signature: string, method: Callback][];

/** Makes the files of the computer the files of SQLite: opened by path, read and written by the kernel's calls. */
export function registerFileSystem(library: SqliteLibrary, runtime: Runtime): void {
	const { calls, memory } = library;
	for (const name of UNUSABLE) {
		const found = library.withText(name, (at) => calls.sqlite3_vfs_find(at));
		if (found !== 0) calls.sqlite3_vfs_unregister(found);
	}
	const opened = new Map<number, OpenFile>();
	const methods = structure(library, [1], fileMethods(library, opened));
	const open = openMethod(library, runtime, opened, methods);
	const head = [2, FILE_BYTES, MAX_PATH, 0, library.placeText(NAME), 0];
	const place = structure(library, head, [['iiiiii', open], ...placeMethods(library, runtime)]);
	if (memory.int32(place) !== 2 || calls.sqlite3_vfs_register(place, 1) !== SQLITE.OK) {
		throw new Error('SQLite refuses the file system.');
	}
}

/** Writes a structure of numbers and methods, and returns its address. An empty signature is a null pointer. */
function structure(library: SqliteLibrary, numbers: number[], methods: Methods): number {
	const words = [
		...numbers,
		...methods.map(([signature, method]) => (signature === '' ? 0 : library.address(signature, method)))
	];
	const at = library.allocate(words.length * 4);
	for (const [index, word] of words.entries()) library.memory.setInt32(at + index * 4, word);
	return at;
}

/** `sqlite3_io_methods`, version 1: without shared memory, which write-ahead logs need. */
function fileMethods({ memory }: SqliteLibrary, opened: Map<number, OpenFile>): Methods {
	const on = (failure: number, act: (file: OpenFile, ...args: number[]) => number | void): Callback =>
		((at: number, ...args: number[]) =>
			guarded(failure, () => {
				const file = opened.get(at);
				return file ? (act(file, ...args) ?? SQLITE.OK) : failure;
			})) as Callback;
	return [
		['ii', ((at: number) => guarded(SQLITE.IOERR, () => (opened.get(at)?.close(), opened.delete(at), 0))) as Callback],
		[
			'iiiij',
			on(SQLITE.IOERR_READ, (file, into = 0, length = 0, position = 0) => {
				const bytes = file.read(Number(position), length);
				memory.bytes.set(bytes, into);
				if (bytes.length === length) return SQLITE.OK;
				memory.bytes.fill(0, into + bytes.length, into + length);
				return SQLITE.IOERR_SHORT_READ;
			})
		],
		[
			'iiiij',
			on(SQLITE.IOERR_WRITE, (file, from = 0, length = 0, position = 0) =>
				file.write(memory.copy(from, length), Number(position))
			)
		],
		['iij', on(SQLITE.IOERR_TRUNCATE, (file, size) => file.truncate(Number(size)))],
		// What is written is in the volume.
		['iii', on(SQLITE.IOERR, () => SQLITE.OK)],
		['iii', on(SQLITE.IOERR_FSTAT, (file, into = 0) => memory.setInt64(into, BigInt(file.size())))],
		['iii', on(SQLITE.IOERR_LOCK, (file, level = 0) => (file.lock(level) ? SQLITE.OK : SQLITE.BUSY))],
		['iii', on(SQLITE.IOERR_UNLOCK, (file, level = 0) => file.unlock(level))],
		['iii', on(SQLITE.IOERR_CHECKRESERVEDLOCK, (file, into = 0) => memory.setInt32(into, Number(file.isReserved())))],
		['iiii', () => SQLITE.NOTFOUND],
		['ii', () => SECTOR_BYTES],
		['ii', () => POWERSAFE_OVERWRITE]
	];
}

/** `xOpen`. A file that may not be written is opened for reading, as SQLite does on Unix. */
function openMethod(
	{ memory }: SqliteLibrary,
	{ sys, process }: Runtime,
	opened: Map<number, OpenFile>,
	methods: number
): Callback {
	let temporaries = 0;
	const open = (_: number, name: number, at: number, flags: number, result: number): number => {
		memory.setInt32(at, 0);
		return guarded(SQLITE.CANTOPEN, () => {
			const path = memory.text(name) ?? `/tmp/etilqs_${process.pid}_${temporaries++}`;
			const stat = sys.statOrNull(path);
			if (stat && (stat.kind !== 'file' || flags & OPEN.EXCLUSIVE)) return SQLITE.CANTOPEN;
			if (!stat && !(flags & OPEN.CREATE)) return SQLITE.CANTOPEN;
			if (!stat) create(sys, path, 0o644 & ~process.umask());
			const isReadOnly = stat !== null && !(stat.mode & ANY_WRITES);
			const granted = isReadOnly ? (flags & ~(OPEN.READWRITE | OPEN.CREATE)) | OPEN.READONLY : flags;
			opened.set(at, new OpenFile(sys, path, (flags & OPEN.DELETEONCLOSE) !== 0));
			if (result !== 0) memory.setInt32(result, granted);
			memory.setInt32(at, methods);
			return SQLITE.OK;
		});
	};
	return open as Callback;
}

/** Creates an empty file, unless another process has done so meanwhile. */
function create(sys: Runtime['sys'], path: string, mode: number): void {
	if (!sys.statOrNull(path)) sys.writeFile(path, new Uint8Array(0), { mode });
}

/** `sqlite3_vfs` after `xOpen`. There are no libraries to load. */
function placeMethods({ memory }: SqliteLibrary, { sys, resolvePath }: Runtime): Methods {
	const methods: [string, (...args: number[]) => number][] = [
		[
			'iiii',
			(_, name = 0) =>
				guarded(SQLITE.IOERR_DELETE, () => {
					const path = memory.text(name) ?? '';
					if (!sys.statOrNull(path)) return SQLITE.IOERR_DELETE_NOENT;
					sys.unlink(path);
					return SQLITE.OK;
				})
		],
		[
			'iiiii',
			(_, name = 0, wanted = 0, into = 0) =>
				guarded(SQLITE.IOERR_ACCESS, () => {
					const stat = sys.statOrNull(memory.text(name) ?? '');
					// An empty journal is as good as none.
					const exists = stat !== null && (stat.kind !== 'file' || stat.size > 0);
					const mayWrite = stat !== null && (stat.mode & ANY_WRITES) !== 0;
					memory.setInt32(into, Number(wanted === ACCESS_READWRITE ? mayWrite : exists));
					return SQLITE.OK;
				})
		],
		[
			'iiiii',
			(_, name = 0, size = 0, into = 0) =>
				guarded(SQLITE.CANTOPEN, () => {
					const path = resolvePath(memory.text(name) ?? '');
					const bytes = utf8(`${sys.statOrNull(path) ? sys.realpath(path) : path}\0`);
					if (bytes.length > size) return SQLITE.CANTOPEN;
					memory.bytes.set(bytes, into);
					return SQLITE.OK;
				})
		],
		...Array.from({ length: 4 }, (): [string, () => number] => ['', () => 0]),
		[
			'iiii',
			(_, length = 0, into = 0) => (memory.bytes.set(crypto.getRandomValues(new Uint8Array(length)), into), length)
		],
		[
			'iii',
			(_, micros = 0) => {
				const ms = Math.ceil(micros / 1000);
				return guarded(0, () => (sys.poll([], ms), micros));
			}
		],
		['iii', (_, into = 0) => (memory.setDouble(into, Date.now() / MS_PER_DAY + UNIX_EPOCH_DAY), SQLITE.OK)],
		['iiii', () => 0],
		['iii', (_, into = 0) => (memory.setInt64(into, BigInt(Date.now() + UNIX_EPOCH_DAY * MS_PER_DAY)), SQLITE.OK)]
	];
	return methods.map(([signature, method]) => [signature, method as Callback]);
}
