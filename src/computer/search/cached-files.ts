import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';
import { attempt } from '#computer/wasi/attempt.ts';
import { directoryEntry, putFileStat, putStreamStat } from '#computer/wasi/layout.ts';
import type { ModuleMemory } from '#computer/wasi/memory.ts';
import { Errno, FileType } from '#computer/wasi/types.ts';
import { ROOT } from './absolute-paths.ts';
import type { KnownTree } from './known-tree.ts';
import type { Memory } from './memory.ts';
import { OpenTable } from './open-files.ts';
import type { OutputBuffer } from './output-buffer.ts';
import { TreeReader } from './tree-reader.ts';

const encoder = new TextEncoder();
const OPEN_DIRECTORY = 2;
const OPEN_WRITE = 1 | 4 | 8;
const FDSTAT_BYTES = 24;
const ALL_RIGHTS = ~0n;

export interface CachedFilesOptions {
	cwd: string;
	calls: SyncSyscalls;
	/** Cached data of the volume, extended by the search. */
	memory: Memory;
	/** Contents of stdin, read when the program first requests it. */
	stdin: () => Uint8Array;
	output: OutputBuffer;
}

/**
 * WASI file calls for a read-only program: answered from what earlier searches have cached, since asking the kernel for
 * each of thousands of files takes longer than searching them.
 */
export class CachedFiles {
	#open: OpenTable;
	#known: KnownTree;
	#tree: TreeReader;
	#stdin: Uint8Array | null = null;
	#stdinAt = 0;

	constructor(
		private readonly memory: ModuleMemory,
		private readonly options: CachedFilesOptions
	) {
		this.#open = new OpenTable(options.cwd);
		this.#known = options.memory.tree;
		this.#tree = new TreeReader(options.calls, options.memory);
	}

	imports(): WebAssembly.ModuleImports {
		return { ...this.#descriptorCalls(), ...this.#directoryCalls(), ...this.#pathCalls() };
	}

	#descriptorCalls(): WebAssembly.ModuleImports {
		return {
			fd_read: (descriptor: number, vectors: number, count: number, result: number) =>
				this.#read(descriptor, vectors, count, result),
			fd_write: (descriptor: number, vectors: number, count: number, result: number) =>
				this.#write(descriptor, vectors, count, result),
			fd_close: (descriptor: number) => (this.#open.close(descriptor) ? Errno.success : Errno.badDescriptor),
			fd_tell: (descriptor: number, at: number) => this.#seek(descriptor, 0n, 1, at),
			fd_seek: (descriptor: number, offset: bigint, whence: number, at: number) =>
				this.#seek(descriptor, offset, whence, at),
			fd_filestat_get: (descriptor: number, at: number) => attempt(() => this.#descriptorStat(descriptor, at)),
			fd_fdstat_set_flags: () => Errno.success,
			fd_fdstat_get: (descriptor: number, at: number) => this.#descriptorState(descriptor, at)
		};
	}

	#directoryCalls(): WebAssembly.ModuleImports {
		const preopened = (descriptor: number): string | undefined => {
			const open = this.#open.get(descriptor);
			return open?.kind === 'directory' ? open.preopen : undefined;
		};
		return {
			fd_readdir: (descriptor: number, buffer: number, length: number, cookie: bigint, used: number) =>
				attempt(() => this.#readdir(descriptor, buffer, length, Number(cookie), used)),
			fd_prestat_get: (descriptor: number, at: number) => {
				const name = preopened(descriptor);
				if (!name) return Errno.badDescriptor;
				this.memory.view.setUint8(at, 0);
				this.memory.view.setUint32(at + 4, name.length, true);
				return Errno.success;
			},
			fd_prestat_dir_name: (descriptor: number, at: number, length: number) => {
				const name = preopened(descriptor);
				if (!name) return Errno.badDescriptor;
				this.memory.put(encoder.encode(name), at, length);
				return Errno.success;
			}
		};
	}

	#pathCalls(): WebAssembly.ModuleImports {
		const at = (directory: number, text: number, length: number, work: (path: string) => number) =>
			attempt(() => {
				const path = this.#path(directory, text, length);
				return path === null ? Errno.badDescriptor : work(path);
			});
		return {
			path_open: (
				directory: number,
				_follow: number,
				text: number,
				length: number,
				flags: number,
				_rights: bigint,
				_inherited: bigint,
				_fdFlags: number,
				result: number
			) => at(directory, text, length, (path) => this.#pathOpen(path, flags, result)),
			path_filestat_get: (directory: number, flags: number, text: number, length: number, result: number) =>
				at(directory, text, length, (path) => {
					const stat = this.#stat(path, (flags & 1) !== 0);
					if (!stat) return Errno.noEntry;
					putFileStat(this.memory, result, stat);
					return Errno.success;
				}),
			path_readlink: (directory: number, text: number, length: number, buffer: number, size: number, used: number) =>
				at(directory, text, length, (path) => {
					const target = encoder.encode(this.options.calls.readlink(path));
					this.memory.view.setUint32(used, this.memory.put(target, buffer, size), true);
					return Errno.success;
				})
		};
	}

	/** Reads a path argument as an absolute path; null if the descriptor is not a directory. */
	#path(directory: number, at: number, length: number): string | null {
		const open = this.#open.get(directory);
		if (open?.kind !== 'directory') return null;
		const text = this.memory.text(at, length);
		const root = text.indexOf(ROOT);
		return normalize(root >= 0 ? text.slice(root + ROOT.length) : `${open.path}/${text}`);
	}

	#read(descriptor: number, vectors: number, count: number, result: number): number {
		const open = this.#open.get(descriptor);
		if (!open || open.kind === 'output') return Errno.badDescriptor;
		if (open.kind === 'directory') return Errno.isDirectory;
		let total = 0;
		for (const target of this.memory.vectors(vectors, count)) {
			let piece: Uint8Array;
			if (open.kind === 'stdin') {
				this.#stdin ??= this.options.stdin();
				piece = this.#stdin.subarray(this.#stdinAt, this.#stdinAt + target.length);
				this.#stdinAt += piece.length;
			} else {
				piece = open.bytes.subarray(open.position, open.position + target.length);
				open.position += piece.length;
			}
			target.set(piece);
			total += piece.length;
			if (piece.length < target.length) break;
		}
		this.memory.view.setUint32(result, total, true);
		return Errno.success;
	}

	#write(descriptor: number, vectors: number, count: number, result: number): number {
		const open = this.#open.get(descriptor);
		if (open?.kind !== 'output') return Errno.badDescriptor;
		let total = 0;
		for (const bytes of this.memory.vectors(vectors, count)) {
			if (!this.options.output.write(open.descriptor, bytes)) return Errno.brokenPipe;
			total += bytes.length;
		}
		this.memory.view.setUint32(result, total, true);
		return Errno.success;
	}

	#seek(descriptor: number, offset: bigint, whence: number, at: number): number {
		const open = this.#open.get(descriptor);
		if (open?.kind !== 'file') return Errno.badDescriptor;
		const base = whence === 0 ? 0 : whence === 1 ? open.position : open.bytes.length;
		const position = base + Number(offset);
		if (position < 0) return Errno.invalid;
		open.position = position;
		this.memory.view.setBigUint64(at, BigInt(position), true);
		return Errno.success;
	}

	/** Writes entries starting at `cookie`; a full buffer makes the program call again. */
	#readdir(descriptor: number, buffer: number, length: number, cookie: number, used: number): number {
		const open = this.#open.get(descriptor);
		if (open?.kind !== 'directory') return Errno.badDescriptor;
		open.entries ??= this.#known.list(open.path);
		const entries = encoded(open.entries);
		let written = 0;
		for (let index = cookie; index < entries.length && written < length; index++)
			written += this.memory.put(entries[index]!, buffer + written, length - written);
		this.memory.view.setUint32(used, written, true);
		return Errno.success;
	}

	#descriptorStat(descriptor: number, at: number): number {
		const open = this.#open.get(descriptor);
		if (!open) return Errno.badDescriptor;
		if (open.kind === 'directory')
			putFileStat(this.memory, at, this.#stat(open.path, true) ?? this.options.calls.stat(open.path));
		else if (open.kind === 'file') putFileStat(this.memory, at, contentStat(open.bytes.length));
		else putStreamStat(this.memory, at, this.#isTerminal(open.kind));
		return Errno.success;
	}

	#isTerminal(kind: 'stdin' | 'output'): boolean {
		return this.options.calls.isTerminal(kind === 'stdin' ? 0 : 1);
	}

	#descriptorState(descriptor: number, at: number): number {
		const open = this.#open.get(descriptor);
		if (!open) return Errno.badDescriptor;
		this.memory.bytes(at, FDSTAT_BYTES).fill(0);
		const { view } = this.memory;
		if (open.kind === 'directory') view.setUint8(at, FileType.directory);
		else if (open.kind === 'file') view.setUint8(at, FileType.regular);
		else view.setUint8(at, this.#isTerminal(open.kind) ? FileType.character : FileType.unknown);
		view.setBigUint64(at + 8, ALL_RIGHTS, true);
		view.setBigUint64(at + 16, ALL_RIGHTS, true);
		return Errno.success;
	}

	#pathOpen(path: string, flags: number, result: number): number {
		if ((flags & OPEN_WRITE) !== 0) return Errno.readOnly;
		const known = this.#known.lookup(path);
		if (known === null) return Errno.noEntry;
		const opened = (number: number): number => {
			this.memory.view.setUint32(result, number, true);
			return Errno.success;
		};
		if ((flags & OPEN_DIRECTORY) !== 0) {
			if (known?.kind === 'file') return Errno.notDirectory;
			return opened(this.#open.add({ kind: 'directory', path, entries: this.#known.list(path) }));
		}
		try {
			return opened(this.#open.add({ kind: 'file', path, bytes: this.#tree.read(path), position: 0 }));
		} catch (error) {
			if (!(error instanceof SyscallError) || error.code !== 'EISDIR') throw error;
			return opened(this.#open.add({ kind: 'directory', path }));
		}
	}

	/** Stat of a path; `null` if nothing exists there. @throws SyscallError */
	#stat(path: string, follow: boolean): WireStat | null {
		const known = this.#known.lookup(path);
		if (known === null || (known && !(follow && known.kind === 'symlink'))) return known;
		const { calls } = this.options;
		return follow ? calls.stat(path) : calls.lstat(path);
	}
}

/** Stat of an open file, whose times are not cached. */
const NO_TIMES = { modifiedMs: 0, accessedMs: 0, changedMs: 0 };
const contentStat = (size: number): WireStat => ({
	...NO_TIMES,
	kind: 'file',
	size,
	mode: 0,
	device: 0,
	inode: 0,
	links: 1
});

/** Encoded directory listings: those of a volume that is searched repeatedly are encoded once. */
const encodings = new WeakMap<readonly WireDirent[], Uint8Array[]>();

function encoded(entries: readonly WireDirent[]): Uint8Array[] {
	let known = encodings.get(entries);
	known ??= entries.map((entry, index) => directoryEntry(entry, index + 1));
	encodings.set(entries, known);
	return known;
}

function normalize(path: string): string {
	if (path.startsWith('/') && !/\/(\.{0,2}(\/|$))/.test(path)) return path;
	const parts: string[] = [];
	for (const part of path.split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return `/${parts.join('/')}`;
}
