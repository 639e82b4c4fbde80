import { Buffer } from 'buffer';
import type { Runtime } from '../../runtime/runtime.ts';
import { asSystem, invalidArgument, systemError } from '../../runtime/errors.ts';
import { modeOf, openFlags, pathText, type OpenFlags, type PathLike } from './arguments.ts';
import { Stats } from './stats.ts';

interface OpenFile {
	path: string;
	flags: OpenFlags;
	position: number;
	/** The kernel's descriptor of a named pipe, or of a file since a child got it: then they share its position. */
	stream: number | null;
	isPipe: boolean;
}

/** Number of the first file that a program opens; those below are the kernel's, inherited ones among them. */
const FIRST = 17;

const all = new WeakMap<Runtime, Descriptors>();

/** Open files of a program. */
export function descriptorsOf(runtime: Runtime): Descriptors {
	const known = all.get(runtime) ?? new Descriptors(runtime);
	all.set(runtime, known);
	return known;
}

/** Open files of a program. The kernel only knows paths; positions are stored here. */
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
		let descriptor = FIRST;
		while (this.#open.has(descriptor)) descriptor++;
		this.#open.set(descriptor, { path: target, flags: wanted, position: 0, stream: pipe, isPipe: pipe !== null });
		return descriptor;
	}

	#openPipe(path: string, { read, write }: OpenFlags, waits: boolean): number {
		const { sys } = this.#runtime;
		const pipe = sys.openFile(path, read && write ? 'both' : write ? 'write' : 'read');
		if (waits) sys.opened(pipe);
		return pipe;
	}

	/** The kernel's descriptor of a named pipe that a program has opened. */
	pipeOf(descriptor: number): number | null {
		const file = this.#open.get(descriptor);
		return file?.isPipe ? file.stream : null;
	}

	/** The kernel's descriptor of what has no position of its own here: an inherited descriptor, a pipe, a shared file. */
	streamOf(descriptor: number): number | null {
		const file = this.#open.get(descriptor);
		if (file) return file.stream;
		return descriptor >= 0 && descriptor < FIRST ? descriptor : null;
	}

	/** Returns the kernel's descriptor for a child, which shares the position from now on. */
	forChild(descriptor: number): number {
		const file = this.#open.get(descriptor);
		// The kernel refuses one that is not open.
		if (!file) return descriptor;
		if (file.stream !== null) return file.stream;
		const { read, write, append } = file.flags;
		const mode = append && !read ? 'append' : write ? 'both' : 'read';
		return (file.stream = this.#runtime.sys.openFile(file.path, mode, append ? 0 : file.position));
	}

	isFile(descriptor: number): boolean {
		return this.#open.get(descriptor)?.isPipe === false;
	}

	close(descriptor: number): void {
		if (descriptor >= 0 && descriptor <= 2) return;
		const stream = this.streamOf(descriptor);
		if (!this.#open.delete(descriptor) && stream === null) throw systemError('EBADF', 'close');
		if (stream !== null) asSystem('close', undefined, undefined, () => this.#runtime.sys.close(stream));
	}

	/** Reads into `target` and returns the number of bytes. */
	read(descriptor: number, target: Uint8Array, offset = 0, length = target.byteLength - offset, at?: unknown): number {
		let bytes: Uint8Array;
		const stream = this.streamOf(descriptor);
		const position = typeof at === 'number' || typeof at === 'bigint' ? Number(at) : -1;
		if (stream !== null && (position < 0 || !this.isFile(descriptor))) {
			bytes = asSystem('read', undefined, undefined, () => this.#runtime.sys.read(stream, length));
		} else {
			const file = this.#file(descriptor, 'read');
			if (!file.flags.read) throw systemError('EBADF', 'read');
			const from = position >= 0 ? position : file.position;
			// No file is as long as that.
			if (!Number.isSafeInteger(from)) return 0;
			bytes = asSystem('read', undefined, undefined, () => this.#runtime.sys.readFile(file.path, from, length));
			if (position < 0) file.position += bytes.length;
		}
		new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(bytes, offset);
		return bytes.length;
	}

	/** Reads the rest of a file or of a stream. */
	readAll(descriptor: number): Uint8Array {
		const stream = this.streamOf(descriptor);
		if (stream !== null) {
			const chunks: Uint8Array[] = [];
			for (;;) {
				const chunk = asSystem('read', undefined, undefined, () => this.#runtime.sys.read(stream, 65_536));
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
		const stream = this.streamOf(descriptor);
		const isPlaced = typeof at === 'number' && at >= 0;
		if (stream !== null && !(isPlaced && this.isFile(descriptor))) {
			asSystem('write', undefined, undefined, () => this.#runtime.sys.write(stream, bytes));
			return bytes.length;
		}
		const file = this.#file(descriptor, 'write');
		if (!file.flags.write) throw systemError('EBADF', 'write');
		asSystem('write', undefined, undefined, () => {
			if (file.flags.append) return this.#runtime.sys.appendFile(file.path, bytes);
			this.#runtime.sys.writeAt(file.path, bytes, isPlaced ? at : file.position);
			if (!isPlaced) file.position += bytes.length;
		});
		return bytes.length;
	}

	stat(descriptor: number): Stats {
		if (descriptor >= 0 && descriptor < FIRST) {
			const isTerminal = asSystem('fstat', undefined, undefined, () => this.#runtime.sys.isTerminal(descriptor));
			const mode = isTerminal ? 0o020620 : 0o010600;
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
