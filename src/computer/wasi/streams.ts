import type { SyncSyscalls } from '#computer/abi/client.ts';
import { attempt } from './attempt.ts';
import type { Descriptor, DescriptorTable } from './descriptors.ts';
import type { ModuleMemory } from './memory.ts';
import { Errno, FileType } from './types.ts';

const APPEND = 1;

/** Descriptor operations of a program: read, write, seek, close. Files are written through to the volume. */
export class Streams {
	constructor(
		private readonly memory: ModuleMemory,
		private readonly descriptors: DescriptorTable,
		private readonly calls: SyncSyscalls
	) {}

	imports(): WebAssembly.ModuleImports {
		const file = (number: number, work: (open: Extract<Descriptor, { kind: 'file' }>) => number) => {
			const open = this.descriptors.get(number);
			return open?.kind === 'file' ? attempt(() => work(open)) : Errno.badDescriptor;
		};
		return {
			fd_read: (number: number, vectors: number, count: number, result: number) =>
				attempt(() => this.#read(number, vectors, count, result, null)),
			fd_pread: (number: number, vectors: number, count: number, offset: bigint, result: number) =>
				attempt(() => this.#read(number, vectors, count, result, Number(offset))),
			fd_write: (number: number, vectors: number, count: number, result: number) =>
				attempt(() => this.#write(number, vectors, count, result, null)),
			fd_pwrite: (number: number, vectors: number, count: number, offset: bigint, result: number) =>
				attempt(() => this.#write(number, vectors, count, result, Number(offset))),
			fd_close: (number: number) => (this.descriptors.close(number) ? Errno.success : Errno.badDescriptor),
			fd_renumber: (from: number, to: number) =>
				this.descriptors.renumber(from, to) ? Errno.success : Errno.badDescriptor,
			fd_seek: (number: number, offset: bigint, whence: number, at: number) =>
				file(number, (open) => this.#seek(open, Number(offset), whence, at)),
			fd_tell: (number: number, at: number) => file(number, (open) => this.#seek(open, 0, 1, at)),
			fd_sync: () => Errno.success,
			fd_datasync: () => Errno.success,
			fd_advise: () => Errno.success,
			fd_allocate: (number: number, offset: bigint, length: bigint) =>
				file(number, (open) => {
					const end = Number(offset + length);
					if (this.calls.stat(open.path).size < end) this.calls.truncate(open.path, end);
					return Errno.success;
				}),
			fd_filestat_set_size: (number: number, size: bigint) =>
				file(number, (open) => {
					this.calls.truncate(open.path, Number(size));
					return Errno.success;
				}),
			fd_fdstat_set_flags: (number: number, flags: number) =>
				file(number, (open) => {
					open.append = (flags & APPEND) !== 0;
					return Errno.success;
				}),
			fd_fdstat_set_rights: () => Errno.success,
			fd_fdstat_get: (number: number, at: number) => this.#state(number, at)
		};
	}

	#read(number: number, vectors: number, count: number, result: number, offset: number | null): number {
		const open = this.descriptors.get(number);
		if (!open || (open.kind === 'stream' && (number === 1 || number === 2))) return Errno.badDescriptor;
		if (open.kind === 'directory') return Errno.isDirectory;
		let total = 0;
		for (const target of this.memory.vectors(vectors, count)) {
			if (target.length === 0) continue;
			const bytes =
				open.kind === 'stream'
					? open.stream.read(target.length)
					: this.calls.readFile(open.path, offset === null ? open.position : offset + total, target.length);
			target.set(bytes);
			total += bytes.length;
			if (open.kind === 'file' && offset === null) open.position += bytes.length;
			// A stream is not read again: that could wait although data is available.
			if (bytes.length < target.length || open.kind === 'stream') break;
		}
		this.memory.view.setUint32(result, total, true);
		return Errno.success;
	}

	#write(number: number, vectors: number, count: number, result: number, offset: number | null): number {
		const open = this.descriptors.get(number);
		if (!open || open.kind === 'directory' || (open.kind === 'stream' && number === 0)) return Errno.badDescriptor;
		let total = 0;
		for (const source of this.memory.vectors(vectors, count)) {
			const bytes = source.slice();
			if (bytes.length === 0) continue;
			if (open.kind === 'stream') open.stream.write(bytes);
			else if (offset !== null) this.calls.writeAt(open.path, bytes, offset + total);
			else if (open.append) this.calls.appendFile(open.path, bytes);
			else {
				this.calls.writeAt(open.path, bytes, open.position);
				open.position += bytes.length;
			}
			total += bytes.length;
		}
		this.memory.view.setUint32(result, total, true);
		return Errno.success;
	}

	#seek(open: Extract<Descriptor, { kind: 'file' }>, offset: number, whence: number, at: number): number {
		const base = whence === 0 ? 0 : whence === 1 ? open.position : this.calls.stat(open.path).size;
		if (base + offset < 0) return Errno.invalid;
		open.position = base + offset;
		this.memory.view.setBigUint64(at, BigInt(open.position), true);
		return Errno.success;
	}

	#state(number: number, at: number): number {
		const open = this.descriptors.get(number);
		if (!open) return Errno.badDescriptor;
		this.memory.bytes(at, 24).fill(0);
		const { view } = this.memory;
		const terminal = open.kind === 'stream' && open.stream.isTerminal();
		const type =
			open.kind === 'directory'
				? FileType.directory
				: open.kind === 'file'
					? FileType.regular
					: terminal
						? FileType.character
						: FileType.unknown;
		view.setUint8(at, type);
		if (open.kind === 'file' && open.append) view.setUint16(at + 2, APPEND, true);
		view.setBigUint64(at + 8, ~0n, true);
		view.setBigUint64(at + 16, ~0n, true);
		return Errno.success;
	}
}
