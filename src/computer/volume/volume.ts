import type { VolumeChange } from '#computer/abi/volume-change.ts';
import type { Link } from '@jsonjoy.com/fs-core';
import { SyscallError } from '#computer/abi/client.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';
import { FILE_BYTES, REPLY_BYTES, volumeBytes } from '#computer/abi/limits.ts';
import { dirname, isWithin, WRITABLE_ROOTS } from '#computer/abi/paths.ts';
import { errno } from '#computer/abi/errno.ts';
import type { Content } from './content.ts';
import type { FileNode } from './file-node.ts';
import {
	childrenOf,
	deviceOf,
	fileOf,
	gitMode,
	isDirectory,
	isFifo,
	isSocketFile,
	isSpecial,
	kindOf,
	targetOf,
	toStat
} from './inode.ts';
import { lookup, type Place } from './lookup.ts';
import { checkEntries, checkList, checkRemoval, mayWalk } from './permissions.ts';
import { RecentChanges } from './recent-changes.ts';
import type { Store } from './store.ts';
import { Mode } from '#environment/mode.ts';

/** Copies what it still shares with a volume before the volume changes. */
export interface VolumeDependent {
	/** @param link the existing entry of `parent` that changes, if any */
	beforeChange(parent: Link, link: Link | undefined): void;
}

const NULL_DEVICE = '/dev/null';

/**
 * The files of one sandbox. Each method is one step: a process killed at any moment leaves the
 * volume before or after it, never between. All throw `SyscallError`.
 */
export class Volume {
	/** Total bytes of all files. */
	used = 0;
	/** Limit of {@link Volume.used}. */
	limit = volumeBytes();
	/** Called after each change below the writable roots. */
	onChange: (change: VolumeChange) => void = () => {};
	/** Called with the same changes before `onChange`, within the kernel. */
	readonly observers = new Set<(change: VolumeChange) => void>();
	/** Called after any change that would make a cached stat or content stale. */
	onMutation: () => void = () => {};
	/** Number of changes. */
	mutations = 0;
	readonly recent = new RecentChanges();
	/** Copies of this volume that are not complete yet. */
	readonly dependents = new Set<VolumeDependent>();

	/** Set while permissions of directories are checked: a process makes the call. */
	#isGuarded = false;

	constructor(readonly store: Store) {}

	/** Runs a call for a process, with the owner's permissions; the kernel itself has no restrictions. */
	asUser<Result>(call: () => Result): Result {
		const before = this.#isGuarded;
		this.#isGuarded = true;
		try {
			return call();
		} finally {
			this.#isGuarded = before;
		}
	}

	/** Returns whether a process may list a directory and stat its entries. */
	mayWalk(directory: Link): boolean {
		return !this.#isGuarded || mayWalk(directory);
	}

	/** @throws EACCES unless entries may be added and removed there */
	checkEntries({ parent }: Place, path: string): void {
		if (this.#isGuarded) checkEntries(parent, path);
	}

	/** @throws EACCES unless the entry and everything below it may be removed */
	checkRemoval(place: Place, path: string): void {
		if (!this.#isGuarded) return;
		checkEntries(place.parent, path);
		if (place.link) checkRemoval(place.link, path);
	}

	get root(): Link {
		return this.store.root;
	}

	stat(path: string): WireStat {
		return toStat(this.existing(path).link);
	}

	lstat(path: string): WireStat {
		return toStat(this.existing(path, false).link);
	}

	readdir(path: string): WireDirent[] {
		const { link } = this.existing(path);
		if (!isDirectory(link)) throw errno('ENOTDIR', path);
		if (this.#isGuarded) checkList(link, path);
		return childrenOf(link).map(([name, child]) => ({ name, kind: kindOf(child) }));
	}

	/** Returns a view of the file's bytes that later writes do not change. */
	readFile(path: string, position = 0, length?: number): Uint8Array {
		const { content } = this.file(path);
		if (position === 0 && length === undefined) return content.view();
		return content.peek(position, length === undefined ? undefined : position + length).slice();
	}

	/**
	 * The same for a reply that is copied before anything else happens; longer replies are sent in pieces and need a
	 * view.
	 */
	readForReply(path: string, position?: number, length?: number): Uint8Array {
		const { content } = this.file(path);
		const whole = (position ?? 0) === 0 && length === undefined;
		return whole && content.size <= REPLY_BYTES ? content.peek() : this.readFile(path, position, length);
	}

	readlink(path: string): string {
		const target = targetOf(this.existing(path, false).link);
		if (target === null) throw errno('EINVAL', path);
		return target;
	}

	realpath(path: string): string {
		return this.existing(path).path;
	}

	/** Writes a file; takes ownership of `bytes`. */
	writeFile(path: string, bytes: Uint8Array, options: { mode?: number; exclusive?: boolean } = {}): void {
		if (path === NULL_DEVICE) return;
		const place = this.writable(path, !options.exclusive);
		if (place.link && options.exclusive) throw errno('EEXIST', path);
		const file = this.#fileAt(place, path);
		this.#account(path, bytes.length, file?.getSize() ?? 0);
		if (file) {
			file.change((content) => content.replace(bytes));
			this.#written(place.path, file);
		} else {
			this.checkEntries(place, path);
			const created = this.store.createFile(place.parent, place.name, bytes, options.mode);
			this.#appeared(place.path, created);
		}
	}

	appendFile(path: string, bytes: Uint8Array, mode?: number): void {
		if (path === NULL_DEVICE) return;
		const place = this.writable(path);
		const file = this.#fileAt(place, path);
		if (!file) return this.writeFile(path, bytes.slice(), { mode });
		this.#change(path, place, file, file.getSize() + bytes.length, (content) => content.writeAt(bytes, content.size));
	}

	writeAt(path: string, bytes: Uint8Array, position: number): void {
		const place = this.writable(path);
		const file = this.file(path);
		const size = Math.max(file.getSize(), position + bytes.length);
		this.#change(path, place, file, size, (content) => content.writeAt(bytes, position));
	}

	truncate(path: string, size: number): void {
		const place = this.writable(path);
		const file = this.file(path);
		this.#change(path, place, file, size, (content) => content.truncate(size));
	}

	mkdir(path: string, options: { recursive?: boolean; mode?: number } = {}): void {
		if (options.recursive) {
			const found = this.#find(path);
			if (isDirectory(found?.link)) return;
			if (found?.link) throw errno('EEXIST', path);
			this.makeParents(path, options.mode);
		}
		const place = this.writable(path, false);
		if (place.link) throw errno('EEXIST', path);
		this.checkEntries(place, path);
		this.store.createDirectory(place.parent, place.name, options.mode);
		this.report({ path: place.path, kind: 'mkdir', mode: Mode.directory });
	}

	/** Creates the directories above `path`. ENOTDIR if one of them is a file. */
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
		if (place.link) throw errno('EEXIST', path);
		this.checkEntries(place, path);
		this.store.createSymlink(place.parent, place.name, target);
		const bytes = new TextEncoder().encode(target);
		this.report({ path: place.path, kind: 'symlink', mode: Mode.symlink, bytes });
	}

	/** Creates a named pipe. Its bytes pass through the kernel; the volume only has the name. */
	mkfifo(path: string, mode?: number): void {
		const place = this.writable(path, false);
		if (place.link) throw errno('EEXIST', path);
		this.checkEntries(place, path);
		this.#appeared(place.path, this.store.createFifo(place.parent, place.name, mode));
	}

	/** Creates a socket file, at which a process listens. @throws EADDRINUSE if something exists there */
	makeSocket(path: string, mode?: number): Link {
		const place = this.writable(path, false);
		if (place.link) throw errno('EADDRINUSE', path);
		this.checkEntries(place, path);
		const link = this.store.createSocket(place.parent, place.name, mode);
		this.#appeared(place.path, link);
		return link;
	}

	link(existing: string, path: string): void {
		const { link } = this.existing(existing, false);
		if (isDirectory(link)) throw errno('EPERM', existing);
		this.writable(existing, false);
		const place = this.writable(path, false);
		if (place.link) throw errno('EEXIST', path);
		if (deviceOf(link) !== deviceOf(place.parent)) throw errno('EXDEV', existing);
		this.checkEntries(place, path);
		this.#appeared(place.path, this.store.addName(link, place.parent, place.name));
	}

	unlink(path: string): void {
		const place = this.writable(path, false);
		if (!place.link) throw errno('ENOENT', path);
		if (isDirectory(place.link)) throw errno('EISDIR', path);
		this.checkEntries(place, path);
		this.detach(place);
	}

	rmdir(path: string): void {
		const place = this.writable(path, false);
		if (!place.link) throw errno('ENOENT', path);
		if (!isDirectory(place.link)) throw errno('ENOTDIR', path);
		if (place.link.length > 0) throw errno('ENOTEMPTY', path);
		this.checkEntries(place, path);
		this.detach(place);
	}

	chmod(path: string, mode: number): void {
		const place = this.writable(path);
		const node = place.link?.getNode();
		if (!node) throw errno('ENOENT', path);
		const before = gitMode(node);
		node.perm = mode & 0o7777;
		const now = gitMode(node);
		if (now === before) return this.report(null, [place.path, ...this.#otherNamesOf(place)]);
		this.report({ path: place.path, kind: 'mode', mode: now });
		for (const other of this.store.otherNames(node, place.path)) {
			this.report({ path: other.getPath(), kind: 'mode', mode: now });
		}
	}

	/** @param follow whether a symbolic link in the last part is followed */
	utimes(path: string, accessedMs: number, modifiedMs: number, follow = true): void {
		const place = this.writable(path, follow);
		const node = place.link?.getNode();
		if (!node) throw errno('ENOENT', path);
		node.atime = new Date(accessedMs);
		node.mtime = new Date(modifiedMs);
		this.report(null, [place.path, ...this.#otherNamesOf(place)]);
	}

	/** Resolves an existing `path`. ENOENT if there is none. */
	existing(path: string, follow = true): Place & { link: Link } {
		const place = lookup(this.root, path, follow, this.#isGuarded);
		if (!place.link) throw errno('ENOENT', path);
		return { ...place, link: place.link };
	}

	/** Returns the file at `path`, following links. @throws ESPIPE for a named pipe, ENXIO for a socket file */
	file(path: string): FileNode {
		const { link } = this.existing(path);
		const file = fileOf(link);
		if (!file) throw errno(isFifo(link) ? 'ESPIPE' : isSocketFile(link) ? 'ENXIO' : 'EISDIR', path);
		return file;
	}

	/**
	 * Resolves the place of something to be created, changed or removed. EACCES outside the writable roots, wherever
	 * links lead.
	 */
	writable(path: string, follow = true): Place {
		const place = lookup(this.root, path, follow, this.#isGuarded);
		const root = WRITABLE_ROOTS.find((candidate) => isWithin(place.path, candidate));
		if (root === undefined) throw errno('EACCES', path, `${path} is outside ${WRITABLE_ROOTS.join(', ')}`);
		for (const dependent of this.dependents) dependent.beforeChange(place.parent, place.link);
		return place;
	}

	/** Removes the entry at `place` from its directory and reports it. The roots themselves stay. */
	detach(place: Place): void {
		if (WRITABLE_ROOTS.includes(place.path)) throw errno('EACCES', place.path);
		if (!place.link) return;
		const mode = gitMode(place.link.getNode());
		const others = this.#otherNamesOf(place);
		this.drop(place.link);
		this.report({ path: place.path, kind: 'remove', mode }, others);
	}

	/** Removes `link` and everything below it from the tree, and drops nodes that have no other name. */
	drop(link: Link): void {
		this.store.deleteLink(link);
		this.#release(link);
	}

	/**
	 * Reports that the volume changed.
	 *
	 * @param change `null` if the journal need not know (times, permissions git does not store)
	 * @param touched other paths whose stat has changed
	 */
	report(change: VolumeChange | null, touched: readonly string[] = []): void {
		this.mutations++;
		const paths = [change?.path, change?.to].filter((path) => path !== undefined);
		this.recent.add(this.mutations, [...paths, ...touched]);
		this.onMutation();
		if (!change) return;
		for (const observer of this.observers) observer(change);
		this.onChange(change);
	}

	/** Other names of the file at `place`. */
	#otherNamesOf({ path, link }: Place): string[] {
		return link ? this.store.otherNames(link.getNode(), path).map((other) => other.getPath()) : [];
	}

	#release(link: Link): void {
		if (isDirectory(link)) {
			for (const [, child] of childrenOf(link)) this.#release(child);
			this.store.deleteNode(link.getNode());
		} else if (this.store.removeName(link)) this.used -= fileOf(link)?.getSize() ?? 0;
	}

	/** Reports a new name for a file, a symbolic link, a named pipe or a socket. */
	#appeared(path: string, link: Link): void {
		const file = fileOf(link);
		if (file) return this.#written(path, file);
		if (isSpecial(link))
			return this.report({ path, kind: isFifo(link) ? 'mkfifo' : 'socket', mode: gitMode(link.getNode()) });
		const bytes = new TextEncoder().encode(targetOf(link) ?? '');
		this.report({ path, kind: 'symlink', mode: Mode.symlink, bytes });
	}

	#find(path: string): Place | null {
		try {
			return lookup(this.root, path, true, this.#isGuarded);
		} catch {
			return null;
		}
	}

	#fileAt(place: Place, path: string): FileNode | null {
		if (isDirectory(place.link) || place.name === '.') throw errno('EISDIR', path);
		if (path.endsWith('/')) throw errno('EISDIR', path);
		if (isFifo(place.link)) throw errno('ESPIPE', path);
		if (isSocketFile(place.link)) throw errno('ENXIO', path);
		return fileOf(place.link);
	}

	#change(path: string, place: Place, file: FileNode, size: number, change: (content: Content) => void): void {
		const before = file.getSize();
		this.#account(path, size, before);
		try {
			file.change(change);
		} catch (error) {
			this.used -= size - before;
			// The limit follows from the memory of the device, not from what is free of it.
			if (error instanceof RangeError) throw errno('ENOSPC', path, 'the browser has no memory left for it');
			throw error;
		}
		this.#written(place.path, file);
	}

	#written(path: string, file: FileNode): void {
		const change = { kind: 'write' as const, mode: gitMode(file), bytes: file.content.view() };
		this.report({ path, ...change });
		for (const other of this.store.otherNames(file, path)) this.report({ path: other.getPath(), ...change });
	}

	/** Refuses a file that would exceed the limits, before anything is written. */
	#account(path: string, size: number, before: number): void {
		if (size > FILE_BYTES) {
			throw errno('EFBIG', path, `a file here can have ${FILE_BYTES >> 20} MB at most; this would be ${size >> 20} MB`);
		}
		if (this.used - before + size > this.limit) {
			throw errno(
				'ENOSPC',
				path,
				`the sandbox is full: ${this.limit / 2 ** 20} MB in all files; remove something first`
			);
		}
		this.used += size - before;
	}
}
