import type { SyncSyscalls } from '#computer/abi/client.ts';
import { attempt } from './attempt.ts';
import { type DescriptorTable, standardStream } from './descriptors.ts';
import { directoryEntry, putFileStat, putStreamStat } from './layout.ts';
import type { ModuleMemory } from './memory.ts';
import { Errno } from './types.ts';

const encoder = new TextEncoder();
/** `oflags` of `path_open`, and the rights that show why a file is opened. */
const Open = { create: 1, directory: 2, exclusive: 4, truncate: 8 } as const;
const RIGHT_READ = 1n << 1n;
const RIGHT_WRITE = 1n << 6n;
/** `fstflags`: set a time, or set it to now. */
const Times = { access: 1, accessNow: 2, modified: 4, modifiedNow: 8 } as const;
const NS_PER_MS = 1_000_000n;

/** Path operations of a program: below its working directory, or from the root. */
export class Filesystem {
	constructor(
		private readonly memory: ModuleMemory,
		private readonly descriptors: DescriptorTable,
		private readonly calls: SyncSyscalls
	) {}

	imports(): WebAssembly.ModuleImports {
		const { calls, memory } = this;
		const on = (directory: number, at: number, length: number, work: (path: string) => void) =>
			attempt(() => {
				const path = this.#path(directory, at, length);
				if (typeof path === 'number') return path;
				work(path);
				return Errno.success;
			});
		const two = (
			first: [number, number, number],
			second: [number, number, number],
			work: (from: string, to: string) => void
		) => on(...first, (from) => void on(...second, (to) => work(from, to)));
		return {
			fd_prestat_get: (number: number, at: number) => {
				const open = this.descriptors.get(number);
				if (open?.kind !== 'directory' || open.preopened === null) return Errno.badDescriptor;
				memory.view.setUint32(at, 0, true);
				memory.view.setUint32(at + 4, open.preopened.length, true);
				return Errno.success;
			},
			fd_prestat_dir_name: (number: number, at: number, length: number) => {
				const open = this.descriptors.get(number);
				if (open?.kind !== 'directory' || open.preopened === null) return Errno.badDescriptor;
				memory.put(encoder.encode(open.preopened), at, length);
				return Errno.success;
			},
			fd_filestat_get: (number: number, at: number) => attempt(() => this.#descriptorStat(number, at)),
			fd_filestat_set_times: (number: number, access: bigint, modified: bigint, flags: number) =>
				attempt(() => {
					const open = this.descriptors.get(number);
					if (!open || open.kind === 'stream') return Errno.badDescriptor;
					return this.#setTimes(open.path, access, modified, flags);
				}),
			fd_readdir: (number: number, buffer: number, length: number, cookie: bigint, used: number) =>
				attempt(() => this.#readdir(number, buffer, length, Number(cookie), used)),
			path_open: (
				directory: number,
				_lookup: number,
				at: number,
				length: number,
				flags: number,
				rights: bigint,
				_inherited: bigint,
				state: number,
				result: number
			) =>
				attempt(() => {
					const path = this.#path(directory, at, length);
					return typeof path === 'number' ? path : this.#open(path, flags, rights, state, result);
				}),
			path_filestat_get: (directory: number, flags: number, at: number, length: number, result: number) =>
				on(directory, at, length, (path) =>
					putFileStat(memory, result, flags & 1 ? calls.stat(path) : calls.lstat(path))
				),
			path_filestat_set_times: (
				directory: number,
				_flags: number,
				at: number,
				length: number,
				access: bigint,
				modified: bigint,
				flags: number
			) => on(directory, at, length, (path) => void this.#setTimes(path, access, modified, flags)),
			path_create_directory: (directory: number, at: number, length: number) =>
				on(directory, at, length, (path) => calls.mkdir(path)),
			path_remove_directory: (directory: number, at: number, length: number) =>
				on(directory, at, length, (path) => calls.rmdir(path)),
			path_unlink_file: (directory: number, at: number, length: number) =>
				on(directory, at, length, (path) => calls.unlink(path)),
			path_readlink: (directory: number, at: number, length: number, buffer: number, size: number, used: number) =>
				on(directory, at, length, (path) =>
					memory.view.setUint32(used, memory.put(encoder.encode(calls.readlink(path)), buffer, size), true)
				),
			path_symlink: (target: number, targetLength: number, directory: number, at: number, length: number) =>
				on(directory, at, length, (path) => calls.symlink(memory.text(target, targetLength), path)),
			path_rename: (directory: number, at: number, length: number, other: number, to: number, toLength: number) =>
				two([directory, at, length], [other, to, toLength], (from, path) => calls.rename(from, path)),
			path_link: (
				directory: number,
				_flags: number,
				at: number,
				length: number,
				other: number,
				to: number,
				toLength: number
			) => two([directory, at, length], [other, to, toLength], (from, path) => calls.link(from, path))
		};
	}

	/** Path named by a program, or the error number. */
	#path(directory: number, at: number, length: number): string | number {
		const open = this.descriptors.get(directory);
		if (!open) return Errno.badDescriptor;
		if (open.kind !== 'directory') return Errno.notDirectory;
		const text = this.memory.text(at, length);
		const parts: string[] = [];
		for (const part of `${text.startsWith('/') ? '' : open.path}/${text}`.split('/')) {
			if (part === '..') parts.pop();
			else if (part !== '' && part !== '.') parts.push(part);
		}
		const path = `/${parts.join('/')}`;
		const isInside = open.path === '/' || path === open.path || path.startsWith(`${open.path}/`);
		return isInside || !this.descriptors.isConfined ? path : Errno.notCapable;
	}

	#open(path: string, flags: number, rights: bigint, state: number, result: number): number {
		const { calls } = this;
		const stat = calls.statOrNull(path);
		if (stat && flags & Open.exclusive) return Errno.exists;
		if (!stat && !(flags & Open.create)) return Errno.noEntry;
		if (flags & Open.directory && stat?.kind !== 'directory') return Errno.notDirectory;
		const writes = (rights & RIGHT_WRITE) !== 0n;
		if (stat?.kind === 'directory') {
			if (flags & (Open.create | Open.truncate)) return Errno.isDirectory;
			const number = this.descriptors.add({ kind: 'directory', path, preopened: null, entries: null });
			this.memory.view.setUint32(result, number, true);
			return Errno.success;
		}
		if (stat?.kind === 'fifo') {
			const isRead = (rights & RIGHT_READ) !== 0n || !writes;
			const pipe = calls.openFile(path, isRead && writes ? 'both' : writes ? 'write' : 'read');
			calls.opened(pipe);
			const stream = { ...standardStream(calls, pipe), close: () => calls.close(pipe) };
			this.memory.view.setUint32(result, this.descriptors.add({ kind: 'stream', stream }), true);
			return Errno.success;
		}
		if (!stat) calls.writeFile(path, new Uint8Array());
		else if (flags & Open.truncate) calls.truncate(path, 0);
		const reads = (rights & RIGHT_READ) !== 0n || !writes;
		const number = this.descriptors.add({ kind: 'file', path, position: 0, append: (state & 1) !== 0, reads, writes });
		this.memory.view.setUint32(result, number, true);
		return Errno.success;
	}

	/** Writes entries starting at `cookie`; a full buffer makes the program call again. */
	#readdir(number: number, buffer: number, length: number, cookie: number, used: number): number {
		const open = this.descriptors.get(number);
		if (open?.kind !== 'directory') return Errno.badDescriptor;
		if (cookie === 0) open.entries = null;
		open.entries ??= this.calls.readdir(open.path);
		let written = 0;
		for (const [index, entry] of open.entries.entries()) {
			if (index < cookie || written >= length) continue;
			written += this.memory.put(directoryEntry(entry, index + 1), buffer + written, length - written);
		}
		this.memory.view.setUint32(used, written, true);
		return Errno.success;
	}

	#descriptorStat(number: number, at: number): number {
		const open = this.descriptors.get(number);
		if (!open) return Errno.badDescriptor;
		if (open.kind === 'stream') putStreamStat(this.memory, at, open.stream.isTerminal());
		else putFileStat(this.memory, at, this.calls.stat(open.path));
		return Errno.success;
	}

	#setTimes(path: string, access: bigint, modified: bigint, flags: number): number {
		const before = this.calls.stat(path);
		const chosen = (set: number, now: number, time: bigint, before: number) =>
			flags & now ? Date.now() : flags & set ? Number(time / NS_PER_MS) : before;
		this.calls.utimes(
			path,
			chosen(Times.access, Times.accessNow, access, before.accessedMs),
			chosen(Times.modified, Times.modifiedNow, modified, before.modifiedMs)
		);
		return Errno.success;
	}
}
