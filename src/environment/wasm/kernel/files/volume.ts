import { SyscallError } from '../../process/client.ts';
import type { WireDirent, WireStat } from '../../process/syscalls.ts';
import { FILE_BYTES, REPLY_BYTES, VOLUME_BYTES } from '../../limits.ts';
import { dirname, isWithin, join, WRITABLE_ROOTS } from '../../paths.ts';
import { errno } from '../errno.ts';
import {
	createDirectory,
	createFile,
	createSymlink,
	gitMode,
	toStat,
	type DirectoryInode,
	type FileInode,
	type Inode
} from './inode.ts';
import { lookup, type Place } from './lookup.ts';

/** One thing that happened to the volume. Paths are real: no symbolic link in them. */
export interface VolumeChange {
	path: string;
	kind: 'write' | 'remove' | 'rename' | 'mode' | 'symlink' | 'mkdir';
	/** As git has it. */
	mode: number;
	bytes?: Uint8Array;
	to?: string;
}

const NULL_DEVICE = '/dev/null';

/**
 * The files of one sandbox. Each method is one step: a process killed at any moment leaves the
 * volume before or after it, never between. All throw `SyscallError`.
 */
export class Volume {
	/** Bytes in all files. */
	used = 0;
	/** Told of each change below the writable roots, after it happened. */
	onChange: (change: VolumeChange) => void = () => {};
	/** Told after anything that a cached stat or content would miss. */
	onMutation: () => void = () => {};

	constructor(readonly root: DirectoryInode) {}

	stat(path: string): WireStat {
		return toStat(this.existing(path).inode);
	}

	lstat(path: string): WireStat {
		return toStat(this.existing(path, false).inode);
	}

	readdir(path: string): WireDirent[] {
		const { inode } = this.existing(path);
		if (inode.kind !== 'directory') throw errno('ENOTDIR', path);
		return [...inode.children].map(([name, child]) => ({ name, kind: child.kind }));
	}

	/** A view of the file's bytes that later writes do not change. */
	readFile(path: string, position = 0, length?: number): Uint8Array {
		const content = this.file(path).content;
		if (position === 0 && length === undefined) return content.view();
		return content.peek(position, length === undefined ? undefined : position + length).slice();
	}

	/** The same for a reply that is copied before anything else happens; longer ones go out in pieces and need a view. */
	readForReply(path: string, position?: number, length?: number): Uint8Array {
		const { content } = this.file(path);
		const whole = (position ?? 0) === 0 && length === undefined;
		return whole && content.size <= REPLY_BYTES ? content.peek() : this.readFile(path, position, length);
	}

	readlink(path: string): string {
		const { inode } = this.existing(path, false);
		if (inode.kind !== 'symlink') throw errno('EINVAL', path);
		return inode.target;
	}

	realpath(path: string): string {
		return this.existing(path).path;
	}

	/** Takes `bytes` over. */
	writeFile(path: string, bytes: Uint8Array, options: { mode?: number; exclusive?: boolean } = {}): void {
		if (path === NULL_DEVICE) return;
		const place = this.writable(path, !options.exclusive);
		if (place.inode && options.exclusive) throw errno('EEXIST', path);
		const inode = this.#fileAt(place, path);
		this.#account(path, bytes.length, inode?.content.size ?? 0);
		if (inode) {
			inode.content.replace(bytes);
			this.#written(place.path, inode);
		} else {
			const created = createFile(bytes, options.mode);
			place.parent.children.set(place.name, created);
			this.#written(place.path, created, place.parent);
		}
	}

	appendFile(path: string, bytes: Uint8Array, mode?: number): void {
		if (path === NULL_DEVICE) return;
		const place = this.writable(path);
		const inode = this.#fileAt(place, path);
		if (!inode) return this.writeFile(path, bytes.slice(), { mode });
		this.#account(path, inode.content.size + bytes.length, inode.content.size);
		inode.content.writeAt(bytes, inode.content.size);
		this.#written(place.path, inode);
	}

	writeAt(path: string, bytes: Uint8Array, position: number): void {
		const place = this.writable(path);
		const inode = this.file(path);
		this.#account(path, Math.max(inode.content.size, position + bytes.length), inode.content.size);
		inode.content.writeAt(bytes, position);
		this.#written(place.path, inode);
	}

	truncate(path: string, size: number): void {
		const place = this.writable(path);
		const inode = this.file(path);
		this.#account(path, size, inode.content.size);
		inode.content.truncate(size);
		this.#written(place.path, inode);
	}

	mkdir(path: string, options: { recursive?: boolean; mode?: number } = {}): void {
		if (options.recursive) {
			const found = this.#find(path);
			if (found?.inode?.kind === 'directory') return;
			if (found?.inode) throw errno('EEXIST', path);
			this.makeParents(path, options.mode);
		}
		const place = this.writable(path, false);
		if (place.inode) throw errno('EEXIST', path);
		place.parent.children.set(place.name, createDirectory(options.mode));
		this.#touch(place.parent);
		this.report({ path: place.path, kind: 'mkdir', mode: 0o40000 });
	}

	/** Makes the directories above `path`. ENOTDIR where a file stands in the way. */
	makeParents(path: string, mode?: number): void {
		const parent = dirname(path.replace(/\/+$/, ''));
		try {
			this.mkdir(parent, { recursive: true, mode });
		} catch (error) {
			throw error instanceof SyscallError && error.code === 'EEXIST' ? errno('ENOTDIR', path) : error;
		}
	}

	symlink(target: string, path: string): void {
		if (target === '') throw errno('ENOENT', path);
		const place = this.writable(path, false);
		if (place.inode) throw errno('EEXIST', path);
		place.parent.children.set(place.name, createSymlink(target));
		this.#touch(place.parent);
		const bytes = new TextEncoder().encode(target);
		this.report({ path: place.path, kind: 'symlink', mode: 0o120000, bytes });
	}

	link(existing: string, path: string): void {
		const { inode } = this.existing(existing, false);
		if (inode.kind === 'directory') throw errno('EPERM', existing);
		this.writable(existing, false);
		const place = this.writable(path, false);
		if (place.inode) throw errno('EEXIST', path);
		inode.links++;
		place.parent.children.set(place.name, inode);
		this.#appeared(place.path, inode);
	}

	unlink(path: string): void {
		const place = this.writable(path, false);
		if (!place.inode) throw errno('ENOENT', path);
		if (place.inode.kind === 'directory') throw errno('EISDIR', path);
		this.detach(place);
	}

	rmdir(path: string): void {
		const place = this.writable(path, false);
		if (!place.inode) throw errno('ENOENT', path);
		if (place.inode.kind !== 'directory') throw errno('ENOTDIR', path);
		if (place.inode.children.size > 0) throw errno('ENOTEMPTY', path);
		this.detach(place);
	}

	chmod(path: string, mode: number): void {
		const place = this.writable(path);
		if (!place.inode) throw errno('ENOENT', path);
		const before = gitMode(place.inode);
		place.inode.mode = mode & 0o7777;
		const now = gitMode(place.inode);
		this.report(now === before ? null : { path: place.path, kind: 'mode', mode: now });
	}

	utimes(path: string, modifiedMs: number): void {
		const { inode } = this.writable(path);
		if (!inode) throw errno('ENOENT', path);
		inode.modifiedMs = modifiedMs;
		this.report(null);
	}

	/** What is at `path`. ENOENT when nothing is. */
	existing(path: string, follow = true): Place & { inode: Inode } {
		const place = lookup(this.root, path, follow);
		if (!place.inode) throw errno('ENOENT', path);
		return { ...place, inode: place.inode };
	}

	/** The file at `path`, links followed. */
	file(path: string): FileInode {
		const { inode } = this.existing(path);
		if (inode.kind === 'directory') throw errno('EISDIR', path);
		if (inode.kind === 'symlink') throw errno('ELOOP', path);
		return inode;
	}

	/** The place of something to be made, changed or removed. EACCES outside the writable roots, wherever links lead. */
	writable(path: string, follow = true): Place {
		const place = lookup(this.root, path, follow);
		const root = WRITABLE_ROOTS.find((candidate) => isWithin(place.path, candidate));
		if (root === undefined) throw errno('EACCES', path, `${path} is outside ${WRITABLE_ROOTS.join(', ')}`);
		return place;
	}

	/** Takes what is at `place` out of its directory and reports it. The roots themselves stay. */
	detach(place: Place): void {
		if (WRITABLE_ROOTS.includes(place.path)) throw errno('EACCES', place.path);
		if (!place.inode) return;
		place.parent.children.delete(place.name);
		this.#touch(place.parent);
		const mode = gitMode(place.inode);
		this.release(place.inode);
		this.report({ path: place.path, kind: 'remove', mode });
	}

	/** Says that the volume changed; `null` where the journal need not know (times, permissions git does not keep). */
	report(change: VolumeChange | null): void {
		this.onMutation();
		if (change) this.onChange(change);
	}

	/** Counts down the links of `inode` and all below it. */
	release(inode: Inode): void {
		if (inode.kind === 'directory') {
			for (const child of inode.children.values()) this.release(child);
		} else if (--inode.links === 0 && inode.kind === 'file') this.used -= inode.content.size;
	}

	/** Reports `inode` and all below it as new at `path`. */
	#appeared(path: string, inode: Inode): void {
		if (inode.kind === 'file') return this.#written(path, inode);
		if (inode.kind === 'symlink') {
			const bytes = new TextEncoder().encode(inode.target);
			return this.report({ path, kind: 'symlink', mode: 0o120000, bytes });
		}
		this.report({ path, kind: 'mkdir', mode: 0o40000 });
		for (const [name, child] of inode.children) this.#appeared(join(path, name), child);
	}

	#find(path: string): Place | null {
		try {
			return lookup(this.root, path, true);
		} catch {
			return null;
		}
	}

	#fileAt(place: Place, path: string): FileInode | undefined {
		if (place.inode?.kind === 'directory' || place.name === '.') throw errno('EISDIR', path);
		if (path.endsWith('/')) throw errno('EISDIR', path);
		return place.inode?.kind === 'file' ? place.inode : undefined;
	}

	#written(path: string, inode: FileInode, parent?: DirectoryInode): void {
		inode.modifiedMs = Date.now();
		if (parent) this.#touch(parent);
		this.report({ path, kind: 'write', mode: gitMode(inode), bytes: inode.content.view() });
	}

	#touch(directory: DirectoryInode): void {
		directory.modifiedMs = Date.now();
	}

	/** Refuses a file that grows past the limits, before anything is written. */
	#account(path: string, size: number, before: number): void {
		if (size > FILE_BYTES) {
			throw errno('EFBIG', path, `a file here can have ${FILE_BYTES >> 20} MB at most; this would be ${size >> 20} MB`);
		}
		if (this.used - before + size > VOLUME_BYTES) {
			throw errno('ENOSPC', path, `the sandbox is full: ${VOLUME_BYTES >> 20} MB in all files; remove something first`);
		}
		this.used += size - before;
	}
}
