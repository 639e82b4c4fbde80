import { Buffer } from 'buffer';
import type { Runtime } from '../../runtime/runtime.ts';
import { asSystem, invalidArgument, systemError } from '../../runtime/errors.ts';
import { modeOf, openFlags, pathText, type OpenFlags, type PathLike } from './arguments.ts';
import { Stats } from './stats.ts';

interface OpenFile {
	path: string;
	flags: OpenFlags;
	position: number;
	/** The kernel's descriptor of a named pipe, which has no positions. */
	pipe: number | null;
}

/**
 * Open files of a program. The kernel only knows paths; positions are stored here. 0, 1 and 2 belong to the kernel.
 */
export class Descriptors {
	readonly #runtime: Runtime;
	readonly #open = new Map<number, OpenFile>();

	constructor(runtime: Runtime) {
		this.#runtime = runtime;
	}

	/** Opens a file. Waits for the other end of a named pipe, unless the caller does that with {@link pipeOf}. */
	open(path: PathLike, flags?: string | number | null, mode?: number | string, waits = true): number {
		const given = pathText(path);
		const target = this.#runtime.resolvePath(given);
		const wanted = openFlags(flags);
		const { sys } = this.#runtime;
		const pipe = asSystem('open', given, undefined, () => {
			const stat = sys.statOrNull(target);
			if (!stat && !wanted.create) throw systemError('ENOENT', 'open', given);
			if (stat && wanted.exclusive) throw systemError('EEXIST', 'open', given);
			if (stat?.kind === 'directory' && wanted.write) throw systemError('EISDIR', 'open', given);
			if (stat?.kind === 'fifo') return this.#openPipe(target, wanted, waits);
			if (!stat)
				sys.writeFile(target, new Uint8Array(), { mode: modeOf(mode) ?? 0o666 & ~this.#runtime.process.umask() });
			else if (wanted.truncate && stat.size > 0) sys.truncate(target, 0);
			return null;
		});
		let descriptor = 17;
		while (this.#open.has(descriptor)) descriptor++;
		this.#open.set(descriptor, { path: target, flags: wanted, position: 0, pipe });
		return descriptor;
	}

	#openPipe(path: string, { read, write }: OpenFlags, waits: boolean): number {
		const { sys } = this.#runtime;
		const pipe = sys.openFile(path, read && write ? 'both' : write ? 'write' : 'read');
		if (waits) sys.opened(pipe);
		return pipe;
	}

	/** The kernel's descriptor of a stream: the standard input, or a named pipe. */
	pipeOf(descriptor: number): number | null {
		return descriptor === 0 ? 0 : (this.#open.get(descriptor)?.pipe ?? null);
	}

	close(descriptor: number): void {
		if (descriptor >= 0 && descriptor <= 2) return;
		const pipe = this.#open.get(descriptor)?.pipe ?? null;
		if (!this.#open.delete(descriptor)) throw systemError('EBADF', 'close');
		if (pipe !== null) this.#runtime.sys.close(pipe);
	}

	/** Reads into `target` and returns the number of bytes. */
	read(descriptor: number, target: Uint8Array, offset = 0, length = target.byteLength - offset, at?: unknown): number {
		let bytes: Uint8Array;
		if (descriptor === 0) {
			bytes = asSystem('read', undefined, undefined, () => this.#runtime.sys.read(0, length));
		} else {
			const file = this.#file(descriptor, 'read');
			if (!file.flags.read) throw systemError('EBADF', 'read');
			const { pipe } = file;
			if (pipe !== null) {
				bytes = asSystem('read', undefined, undefined, () => this.#runtime.sys.read(pipe, length));
				target.set(bytes, offset);
				return bytes.length;
			}
			const position = typeof at === 'number' || typeof at === 'bigint' ? Number(at) : -1;
			const from = position >= 0 ? position : file.position;
			// No file is as long as that.
			if (!Number.isSafeInteger(from)) return 0;
			bytes = asSystem('read', undefined, undefined, () => this.#runtime.sys.readFile(file.path, from, length));
			if (position < 0) file.position += bytes.length;
		}
		new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(bytes, offset);
		return bytes.length;
	}

	/** Reads the rest of a file, of stdin or of a named pipe. */
	readAll(descriptor: number): Uint8Array {
		const pipe = this.pipeOf(descriptor);
		if (pipe !== null) {
			const chunks: Uint8Array[] = [];
			for (;;) {
				const chunk = asSystem('read', undefined, undefined, () => this.#runtime.sys.read(pipe, 65_536));
				if (chunk.length === 0) return Buffer.concat(chunks);
				chunks.push(Buffer.from(chunk));
			}
		}
		const file = this.#file(descriptor, 'read');
		const bytes = asSystem('read', undefined, undefined, () => this.#runtime.sys.readFile(file.path));
		const rest = bytes.subarray(file.position);
		file.position = Math.max(file.position, bytes.length);
		return rest;
	}

	write(descriptor: number, bytes: Uint8Array, at?: unknown): number {
		if (descriptor === 1 || descriptor === 2) {
			asSystem('write', undefined, undefined, () => this.#runtime.sys.write(descriptor, bytes));
			return bytes.length;
		}
		const file = this.#file(descriptor, 'write');
		if (!file.flags.write) throw systemError('EBADF', 'write');
		asSystem('write', undefined, undefined, () => {
			if (file.pipe !== null) return this.#runtime.sys.write(file.pipe, bytes);
			if (file.flags.append) return this.#runtime.sys.appendFile(file.path, bytes);
			const isPlaced = typeof at === 'number' && at >= 0;
			this.#runtime.sys.writeAt(file.path, bytes, isPlaced ? at : file.position);
			if (!isPlaced) file.position += bytes.length;
		});
		return bytes.length;
	}

	stat(descriptor: number): Stats {
		if (descriptor >= 0 && descriptor <= 2) {
			const mode = this.#runtime.sys.isTerminal(descriptor) ? 0o020620 : 0o010600;
			const now = Date.now();
			const times = { modifiedMs: now, accessedMs: now, changedMs: now };
			return new Stats({ ...times, kind: 'file', size: 0, mode, device: 0, inode: descriptor + 1, links: 1 });
		}
		const { path } = this.#file(descriptor, 'fstat');
		return asSystem('fstat', undefined, undefined, () => new Stats(this.#runtime.sys.stat(path)));
	}

	/** Absolute path of the file of a descriptor, for kernel calls that take a path. */
	path(descriptor: number, syscall: string): string {
		return this.#file(descriptor, syscall).path;
	}

	#file(descriptor: number, syscall: string): OpenFile {
		if (typeof descriptor !== 'number') throw invalidArgument('fd', 'of type number', descriptor);
		const file = this.#open.get(descriptor);
		if (!file) throw systemError('EBADF', syscall);
		return file;
	}
}
