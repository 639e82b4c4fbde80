import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';
import { OutputBuffer } from './output-buffer.ts';
import type { KnownTree } from './known-tree.ts';
import type { Memory } from './memory.ts';
import { TreeReader } from './tree-reader.ts';
import { OpenTable } from './wasi-descriptors.ts';
import { restoreRoot, ROOT } from './absolute-paths.ts';
import { Errno, errnoOf, FileType, WasiExit } from '#computer/wasi/types.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const OPEN_DIRECTORY = 2;
const OPEN_WRITE = 1 | 4 | 8;
const FILE_TYPES = { file: FileType.regular, directory: FileType.directory, symlink: FileType.symlink };

export interface WasiOptions {
	args: string[];
	env: Record<string, string>;
	cwd: string;
	calls: SyncSyscalls;
	/** Cached data of the volume, extended by the search. */
	memory: Memory;
	/** Contents of stdin, read when the program first requests it. */
	stdin: () => Uint8Array;
}

/** Runs a WASI command that reads files, over the kernel's synchronous calls. Returns its exit code. */
export async function runWasi(module: WebAssembly.Module, options: WasiOptions): Promise<number> {
	const host = new WasiHost(options);
	const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: host.imports() });
	const { memory, _start: start } = instance.exports;
	if (!(memory instanceof WebAssembly.Memory) || typeof start !== 'function')
		throw new Error('The module is no WASI command.');
	host.memory = memory;
	let code = 0;
	try {
		start();
	} catch (error) {
		if (!(error instanceof WasiExit)) throw error;
		code = error.code;
	}
	return host.output.flush() ? code : 0;
}

class WasiHost {
	memory = new WebAssembly.Memory({ initial: 0 });
	readonly output: OutputBuffer;
	#open: OpenTable;
	#known: KnownTree;
	#tree: TreeReader;
	#args: Uint8Array[];
	#env: Uint8Array[];
	#stdin: Uint8Array | null = null;
	#stdinAt = 0;
	#viewed = new DataView(new ArrayBuffer(0));

	constructor(private readonly options: WasiOptions) {
		this.output = new OutputBuffer(options.calls, options.args.some((arg) => arg.includes(ROOT)) ? restoreRoot : null);
		this.#open = new OpenTable(options.cwd);
		this.#known = options.memory.tree;
		this.#tree = new TreeReader(options.calls, options.memory);
		this.#args = options.args.map((arg) => encoder.encode(`${arg}\0`));
		this.#env = Object.entries(options.env).map(([name, value]) => encoder.encode(`${name}=${value}\0`));
	}

	get #view(): DataView {
		// The memory grows now and then.
		if (this.#viewed.buffer !== this.memory.buffer) this.#viewed = new DataView(this.memory.buffer);
		return this.#viewed;
	}

	#bytes(at: number, length: number): Uint8Array {
		return new Uint8Array(this.memory.buffer, at, length);
	}

	/** A path argument, absolute. */
	#path(directory: number, at: number, length: number): string | null {
		const open = this.#open.get(directory);
		if (open?.kind !== 'directory') return null;
		const text = decoder.decode(this.#bytes(at, length));
		const root = text.indexOf(ROOT);
		return normalize(root >= 0 ? text.slice(root + ROOT.length) : `${open.path}/${text}`);
	}

	#try(work: () => number): number {
		try {
			return work();
		} catch (error) {
			if (error instanceof SyscallError) return errnoOf(error.code);
			throw error;
		}
	}

	imports(): WebAssembly.ModuleImports {
		return {
			proc_exit: (code: number) => {
				throw new WasiExit(code);
			},
			sched_yield: () => Errno.success,
			poll_oneoff: () => Errno.notSupported,
			args_sizes_get: (count: number, size: number) => this.#sizes(this.#args, count, size),
			args_get: (pointers: number, buffer: number) => this.#strings(this.#args, pointers, buffer),
			environ_sizes_get: (count: number, size: number) => this.#sizes(this.#env, count, size),
			environ_get: (pointers: number, buffer: number) => this.#strings(this.#env, pointers, buffer),
			clock_time_get: (id: number, _precision: bigint, at: number) => {
				this.#putLong(at, (id === 0 ? Date.now() : performance.now()) * 1e6);
				return Errno.success;
			},
			random_get: (at: number, length: number) => {
				this.#bytes(at, length).set(crypto.getRandomValues(new Uint8Array(length)));
				return Errno.success;
			},
			fd_read: (descriptor: number, vectors: number, count: number, result: number) =>
				this.#read(descriptor, vectors, count, result),
			fd_write: (descriptor: number, vectors: number, count: number, result: number) =>
				this.#write(descriptor, vectors, count, result),
			fd_close: (descriptor: number) => (this.#open.close(descriptor) ? Errno.success : Errno.badDescriptor),
			fd_tell: (descriptor: number, at: number) => this.#seek(descriptor, 0n, 1, at),
			fd_seek: (descriptor: number, offset: bigint, whence: number, at: number) =>
				this.#seek(descriptor, offset, whence, at),
			fd_readdir: (descriptor: number, buffer: number, length: number, cookie: bigint, used: number) =>
				this.#try(() => this.#readdir(descriptor, buffer, length, Number(cookie), used)),
			fd_filestat_get: (descriptor: number, at: number) => this.#try(() => this.#descriptorStat(descriptor, at)),
			fd_fdstat_set_flags: () => Errno.success,
			fd_fdstat_get: (descriptor: number, at: number) => this.#descriptorState(descriptor, at),
			fd_prestat_get: (descriptor: number, at: number) => {
				const open = this.#open.get(descriptor);
				if (open?.kind !== 'directory' || !open.preopen) return Errno.badDescriptor;
				this.#view.setUint8(at, 0);
				this.#view.setUint32(at + 4, open.preopen.length, true);
				return Errno.success;
			},
			fd_prestat_dir_name: (descriptor: number, at: number, length: number) => {
				const open = this.#open.get(descriptor);
				if (open?.kind !== 'directory' || !open.preopen) return Errno.badDescriptor;
				this.#bytes(at, length).set(encoder.encode(open.preopen).subarray(0, length));
				return Errno.success;
			},
			path_open: (
				directory: number,
				_follow: number,
				at: number,
				length: number,
				flags: number,
				_rights: bigint,
				_inherited: bigint,
				_fdFlags: number,
				result: number
			) => this.#try(() => this.#pathOpen(this.#path(directory, at, length), flags, result)),
			path_filestat_get: (directory: number, flags: number, at: number, length: number, result: number) =>
				this.#try(() => {
					const path = this.#path(directory, at, length);
					if (path === null) return Errno.badDescriptor;
					const stat = this.#stat(path, (flags & 1) !== 0);
					return stat ? this.#putStat(result, stat) : Errno.noEntry;
				}),
			path_readlink: (directory: number, at: number, length: number, buffer: number, size: number, used: number) =>
				this.#try(() => {
					const path = this.#path(directory, at, length);
					if (path === null) return Errno.badDescriptor;
					const target = encoder.encode(this.options.calls.readlink(path)).subarray(0, size);
					this.#bytes(buffer, target.length).set(target);
					this.#view.setUint32(used, target.length, true);
					return Errno.success;
				})
		};
	}

	/** 64 bits, as exact as a number is. */
	#putLong(at: number, value: number): void {
		const view = this.#view;
		view.setUint32(at, value % 2 ** 32, true);
		view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
	}

	#sizes(list: Uint8Array[], count: number, size: number): number {
		this.#view.setUint32(count, list.length, true);
		this.#view.setUint32(
			size,
			list.reduce((sum, item) => sum + item.length, 0),
			true
		);
		return Errno.success;
	}

	#strings(list: Uint8Array[], pointers: number, buffer: number): number {
		for (const item of list) {
			this.#view.setUint32(pointers, buffer, true);
			this.#bytes(buffer, item.length).set(item);
			pointers += 4;
			buffer += item.length;
		}
		return Errno.success;
	}

	#read(descriptor: number, vectors: number, count: number, result: number): number {
		const open = this.#open.get(descriptor);
		if (!open || open.kind === 'output') return Errno.badDescriptor;
		if (open.kind === 'directory') return Errno.isDirectory;
		let total = 0;
		for (let index = 0; index < count; index++) {
			const [at, length] = this.#vector(vectors, index);
			let piece: Uint8Array;
			if (open.kind === 'stdin') {
				this.#stdin ??= this.options.stdin();
				piece = this.#stdin.subarray(this.#stdinAt, this.#stdinAt + length);
				this.#stdinAt += piece.length;
			} else {
				piece = open.bytes.subarray(open.position, open.position + length);
				open.position += piece.length;
			}
			this.#bytes(at, piece.length).set(piece);
			total += piece.length;
			if (piece.length < length) break;
		}
		this.#view.setUint32(result, total, true);
		return Errno.success;
	}

	#write(descriptor: number, vectors: number, count: number, result: number): number {
		const open = this.#open.get(descriptor);
		if (open?.kind !== 'output') return Errno.badDescriptor;
		let total = 0;
		for (let index = 0; index < count; index++) {
			const [at, length] = this.#vector(vectors, index);
			if (!this.output.write(open.descriptor, this.#bytes(at, length))) return Errno.brokenPipe;
			total += length;
		}
		this.#view.setUint32(result, total, true);
		return Errno.success;
	}

	#vector(vectors: number, index: number): [number, number] {
		return [this.#view.getUint32(vectors + index * 8, true), this.#view.getUint32(vectors + index * 8 + 4, true)];
	}

	#seek(descriptor: number, offset: bigint, whence: number, at: number): number {
		const open = this.#open.get(descriptor);
		if (open?.kind !== 'file') return Errno.badDescriptor;
		const base = whence === 0 ? 0 : whence === 1 ? open.position : open.bytes.length;
		const position = base + Number(offset);
		if (position < 0) return Errno.invalid;
		open.position = position;
		this.#view.setBigUint64(at, BigInt(position), true);
		return Errno.success;
	}

	/** Entries from `cookie` on; a buffer filled to its end asks the program to come again. */
	#readdir(descriptor: number, buffer: number, length: number, cookie: number, used: number): number {
		const open = this.#open.get(descriptor);
		if (open?.kind !== 'directory') return Errno.badDescriptor;
		open.entries ??= this.#known.list(open.path);
		const entries = encoded(open.entries);
		let written = 0;
		for (let index = cookie; index < entries.length && written < length; index++) {
			const piece = entries[index]!.subarray(0, length - written);
			this.#bytes(buffer + written, piece.length).set(piece);
			written += piece.length;
		}
		this.#view.setUint32(used, written, true);
		return Errno.success;
	}

	#descriptorStat(descriptor: number, at: number): number {
		const open = this.#open.get(descriptor);
		if (!open) return Errno.badDescriptor;
		if (open.kind === 'directory')
			return this.#putStat(at, this.#stat(open.path, true) ?? this.options.calls.stat(open.path));
		const stat = {
			kind: 'file' as const,
			size: open.kind === 'file' ? open.bytes.length : 0,
			mode: 0,
			modifiedMs: 0,
			inode: 0,
			links: 1
		};
		this.#putStat(at, stat);
		if (open.kind !== 'file') this.#view.setUint8(at + 16, this.#streamType(open.kind));
		return Errno.success;
	}

	/** A terminal is a character device; anything else lets ripgrep know that it is piped. */
	#streamType(kind: 'stdin' | 'output'): number {
		return this.options.calls.isTerminal(kind === 'stdin' ? 0 : 1) ? FileType.character : FileType.unknown;
	}

	#descriptorState(descriptor: number, at: number): number {
		const open = this.#open.get(descriptor);
		if (!open) return Errno.badDescriptor;
		this.#bytes(at, 24).fill(0);
		const type =
			open.kind === 'directory'
				? FileType.directory
				: open.kind === 'file'
					? FileType.regular
					: this.#streamType(open.kind);
		this.#view.setUint8(at, type);
		this.#view.setBigUint64(at + 8, ~0n, true);
		this.#view.setBigUint64(at + 16, ~0n, true);
		return Errno.success;
	}

	#pathOpen(path: string | null, flags: number, result: number): number {
		if (path === null) return Errno.badDescriptor;
		if ((flags & OPEN_WRITE) !== 0) return Errno.readOnly;
		const known = this.#known.lookup(path);
		if (known === null) return Errno.noEntry;
		if ((flags & OPEN_DIRECTORY) !== 0) {
			if (known?.kind === 'file') return Errno.notDirectory;
			const entries = this.#known.list(path);
			this.#view.setUint32(result, this.#open.add({ kind: 'directory', path, entries }), true);
			return Errno.success;
		}
		try {
			const bytes = this.#tree.read(path);
			this.#view.setUint32(result, this.#open.add({ kind: 'file', path, bytes, position: 0 }), true);
		} catch (error) {
			if (!(error instanceof SyscallError) || error.code !== 'EISDIR') throw error;
			this.#view.setUint32(result, this.#open.add({ kind: 'directory', path }), true);
		}
		return Errno.success;
	}

	/** `null` where there is nothing. @throws SyscallError */
	#stat(path: string, follow: boolean): WireStat | null {
		const known = this.#known.lookup(path);
		if (known === null || (known && !(follow && known.kind === 'symlink'))) return known;
		const { calls } = this.options;
		return follow ? calls.stat(path) : calls.lstat(path);
	}

	#putStat(at: number, stat: WireStat): number {
		const time = Math.round(stat.modifiedMs) * 1e6;
		[1, stat.inode, FILE_TYPES[stat.kind], stat.links, stat.size, time, time, time].forEach((value, index) =>
			this.#putLong(at + 8 * index, value)
		);
		return Errno.success;
	}
}

/** Lists of a volume that is searched again and again are put into bytes once. */
const encodings = new WeakMap<readonly WireDirent[], Uint8Array[]>();

/** WASI's `dirent`s with the names after them. */
function encoded(entries: readonly WireDirent[]): Uint8Array[] {
	let known = encodings.get(entries);
	known ??= entries.map(({ name, kind }, index) => {
		const text = encoder.encode(name);
		const entry = new Uint8Array(24 + text.length);
		const view = new DataView(entry.buffer);
		view.setUint32(0, index + 1, true);
		view.setUint32(16, text.length, true);
		view.setUint8(20, FILE_TYPES[kind]);
		entry.set(text, 24);
		return entry;
	});
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
