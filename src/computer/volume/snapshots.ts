import { join, WORKSPACE } from '#computer/abi/paths.ts';
import { errno } from '#computer/abi/errno.ts';
import type { Link } from '@jsonjoy.com/fs-core';
import { childrenOf, fileOf, gitMode, isDirectory, isSpecial, kindOf, targetOf } from './inode.ts';
import { removeTree } from './tree.ts';
import type { Volume } from './volume.ts';
import { blobHash } from '#environment/sha1.ts';
import { blobOf } from './blobs.ts';
import { ChangedPaths } from './changed-paths.ts';
import { byPath, EntrySet, type TreeEntry } from './entry-set.ts';
import { foldersAbove } from '#environment/folders.ts';
import { Mode } from '#environment/mode.ts';

const encoder = new TextEncoder();

/**
 * Content-addressed states of the workspace, without its named pipes. Only contents that changed since the last hash
 * are hashed.
 */
export class Snapshots {
	#blobs = new Map<string, Uint8Array>();
	#entries = new EntrySet();
	#changed = new ChangedPaths();
	/** Id of the last snapshot taken, once there is one. */
	#last: string | null = null;

	constructor(private readonly volume: Volume) {
		volume.observers.add((change) => this.#changed.record(change));
	}

	/** Takes a snapshot and returns all of its entries. */
	take(): { id: string; entries: TreeEntry[] } {
		const { id } = this.#update();
		return { id, entries: this.#entries.all() };
	}

	/** Takes a snapshot and returns its differences from the last one, if that is the one the caller knows. */
	difference(known: string): { id: string; since: string; entries: TreeEntry[]; removed: string[] } {
		const last = this.#last;
		const { id, entries, removed } = this.#update();
		if (last !== null && known === last) return { id, since: known, entries, removed };
		return { id, since: '', entries: this.#entries.all(), removed: [] };
	}

	/** @throws ENOENT before anything is changed if a blob is unknown here */
	restore(entries: TreeEntry[]): void {
		for (const [path, mode, blob] of entries) if (mode !== Mode.directory) this.#known(blob, path);
		const { volume } = this;
		const wanted = new Map(entries.map((entry) => [entry[0], entry]));
		const directories = new Set<string>();
		for (const [path] of entries) for (const parent of foldersAbove(path)) directories.add(parent);
		// In reverse order, so that a directory comes after its entries.
		for (const { path, kind } of this.#present().reverse()) {
			const entry = wanted.get(path);
			const stays = kind === 'directory' ? directories.has(path) || entry?.[1] === Mode.directory : entry;
			if (!stays) removeTree(volume, join(WORKSPACE, path), { recursive: true });
		}
		for (const [path, mode, blob] of entries) this.#write(join(WORKSPACE, path), mode, blob);
	}

	/** @throws ENOENT if no snapshot contained it */
	read(blob: string): Uint8Array {
		return this.#known(blob);
	}

	/** Stores blobs that a snapshot from elsewhere refers to. */
	keep(blobs: Uint8Array[]): void {
		for (const bytes of blobs) this.#blobs.set(blobHash(bytes), bytes);
	}

	/** Drops contents, except those the last snapshot refers to. */
	forget(blobs: string[]): void {
		const unnamed = new Set(blobs);
		for (const [, , blob] of this.#entries.all()) unnamed.delete(blob);
		for (const blob of unnamed) this.#blobs.delete(blob);
	}

	/** Updates the entries, checking only what changed since the last time. */
	#update(): { id: string; entries: TreeEntry[]; removed: string[] } {
		const found = new Map<string, TreeEntry | null>();
		if (this.#last === null) this.#visit(this.#workspace(), '', found);
		else this.#revisit(found);
		this.#changed.clear();
		const entries: TreeEntry[] = [];
		const removed: string[] = [];
		for (const [path, entry] of found) {
			if (entry === null) {
				if (this.#entries.delete(path)) removed.push(path);
			} else if (this.#entries.set(entry)) entries.push(entry);
		}
		this.#last = this.#entries.id();
		return { id: this.#last, entries: entries.sort(byPath), removed };
	}

	#revisit(found: Map<string, TreeEntry | null>): void {
		const { single, arrived, gone } = this.#changed;
		if (gone.size > 0) {
			for (const [path] of this.#entries.all()) if (this.#changed.isBelowGone(path)) found.set(path, null);
		}
		const looked = new Set<string>();
		const look = (path: string): void => {
			if (looked.has(path)) return;
			looked.add(path);
			const link = this.#at(path);
			found.set(path, (link && this.#entry(path, link)) ?? null);
			// A directory has an entry only while it is empty.
			for (const parent of foldersAbove(path)) look(parent);
		};
		for (const path of single) look(path);
		for (const path of arrived) {
			look(path);
			const link = this.#at(path);
			if (link && isDirectory(link)) this.#visit(link, `${path}/`, found);
		}
	}

	#visit(directory: Link, below: string, found: Map<string, TreeEntry | null>): void {
		for (const [name, child] of childrenOf(directory)) {
			const path = below + name;
			const entry = this.#entry(path, child);
			if (entry) found.set(path, entry);
			else if (isDirectory(child)) this.#visit(child, `${path}/`, found);
		}
	}

	/** Returns the entry of what is at `path`; none for a named pipe or a non-empty directory. */
	#entry(path: string, link: Link): TreeEntry | null {
		if (isDirectory(link)) return isWithoutEntries(link) ? [path, Mode.directory, ''] : null;
		if (isSpecial(link)) return null;
		const file = fileOf(link);
		if (file) {
			const blob = blobOf(file.content);
			if (!this.#blobs.has(blob)) this.#blobs.set(blob, file.content.view());
			return [path, gitMode(file), blob];
		}
		const bytes = encoder.encode(targetOf(link) ?? '');
		const blob = blobHash(bytes);
		this.#blobs.set(blob, bytes);
		return [path, Mode.symlink, blob];
	}

	/** Entry at a relative path, without following links. */
	#at(path: string): Link | undefined {
		let link: Link | undefined = this.#workspace();
		for (const name of path.split('/')) link = isDirectory(link) ? link?.children.get(name) : undefined;
		return link;
	}

	/** Writes one entry unless it exists already: an unchanged file keeps its time and causes no journal entry. */
	#write(full: string, mode: number, blob: string): void {
		const { volume } = this;
		if (mode === Mode.directory) return volume.mkdir(full, { recursive: true });
		const bytes = this.#known(blob);
		let present;
		try {
			present = volume.existing(full, false).link;
		} catch {
			volume.mkdir(full.slice(0, full.lastIndexOf('/')), { recursive: true });
		}
		if (mode === Mode.symlink) {
			const target = new TextDecoder().decode(bytes);
			if (targetOf(present) === target) return;
			removeTree(volume, full, { force: true });
			return volume.symlink(target, full);
		}
		if (targetOf(present) !== null) removeTree(volume, full);
		const file = fileOf(present);
		if (!file || blobOf(file.content) !== blob) volume.writeFile(full, bytes.slice(), { mode: mode & 0o777 });
		if (gitMode(volume.file(full)) !== mode) volume.chmod(full, mode & 0o777);
	}

	#present(): { path: string; kind: string }[] {
		const found: { path: string; kind: string }[] = [];
		const visit = (directory: Link, below: string): void => {
			for (const [name, child] of childrenOf(directory)) {
				if (isSpecial(child)) continue;
				found.push({ path: below + name, kind: kindOf(child) });
				if (isDirectory(child)) visit(child, `${below}${name}/`);
			}
		};
		visit(this.#workspace(), '');
		return found;
	}

	#known(blob: string, path?: string): Uint8Array {
		const bytes = this.#blobs.get(blob);
		if (!bytes) throw errno('ENOENT', path, `blob ${blob} is not known in this sandbox`);
		return bytes;
	}

	#workspace(): Link {
		const { link } = this.volume.existing(WORKSPACE);
		if (!isDirectory(link)) throw errno('ENOTDIR', WORKSPACE);
		return link;
	}
}

/** Returns whether nothing of a directory is part of a snapshot, so that it has an entry itself. */
const isWithoutEntries = (directory: Link): boolean =>
	directory.length === 0 || childrenOf(directory).every(([, child]) => isSpecial(child));
