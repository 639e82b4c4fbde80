import type { FileEffect } from '#environment/contract.ts';
import { Mode } from '#environment/mode.ts';
import { join } from '#computer/abi/paths.ts';
import { childrenOf, fileOf, gitMode, isDirectory, targetOf } from '#computer/volume/inode.ts';
import { lookup } from '#computer/volume/lookup.ts';
import type { Link } from '@jsonjoy.com/fs-core';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import type { Volume } from '#computer/volume/volume.ts';

/** Entry at a path: a file, a link with its target as bytes, or an empty directory. */
export interface Entry {
	/** Mode as in git. */
	mode: number;
	/** Permission bits. */
	permissions: number;
	/** Must not be modified. */
	bytes: Uint8Array;
	modifiedMs: number;
	accessedMs: number;
}

/** Paths changed by a trial, and their effects. */
export class ChangedFiles {
	readonly #single = new Set<string>();
	/** Directories that were moved or removed, with everything below them. */
	readonly #whole = new Set<string>();

	constructor(
		private readonly before: Volume,
		private readonly after: Volume
	) {
		after.observers.add((change) => this.#record(change));
	}

	/** Differences from the beginning, including scratch files; sorted by path. */
	all(): FileEffect[] {
		const paths = new Set(this.#single);
		for (const path of this.#whole) {
			for (const volume of [this.before, this.after]) for (const below of entriesBelow(volume, path)) paths.add(below);
		}
		const found: FileEffect[] = [];
		// A directory that is filled or emptied still exists: only its entries are effects.
		const isDirectoryOnBothSides = (path: string): boolean =>
			isDirectory(linkAt(this.before, path)) && isDirectory(linkAt(this.after, path));
		for (const path of paths) {
			const [before, after] = [entryAt(this.before, path), entryAt(this.after, path)];
			if (isSame(before, after) || isDirectoryOnBothSides(path)) continue;
			found.push({ path, kind: before === null ? 'added' : after === null ? 'removed' : 'modified' });
		}
		return found.sort((a, b) => (a.path < b.path ? -1 : 1));
	}

	#record({ path, to, kind, mode }: VolumeChange): void {
		const isMovedDirectory = mode === Mode.directory && (kind === 'remove' || kind === 'rename');
		for (const changed of to === undefined ? [path] : [path, to]) {
			if (isMovedDirectory) this.#whole.add(changed);
			this.#single.add(changed);
			// A directory is only an entry while it is empty.
			this.#single.add(changed.slice(0, changed.lastIndexOf('/')));
		}
	}
}

/** Returns the entry, or `null` if there is nothing or a non-empty directory. */
export function entryAt(volume: Volume, path: string): Entry | null {
	const link = linkAt(volume, path);
	return link ? entryOf(link) : null;
}

export function isSame(a: Entry | null, b: Entry | null): boolean {
	if (a === null || b === null) return a === b;
	if (a.mode !== b.mode || a.bytes.length !== b.bytes.length) return false;
	// Copies share memory until one side writes.
	if (a.bytes.buffer === b.bytes.buffer && a.bytes.byteOffset === b.bytes.byteOffset) return true;
	return a.bytes.every((byte, at) => byte === b.bytes[at]);
}

/** Returns the entry at `path` itself, without following a link in its last part. */
export function linkAt(volume: Volume, path: string): Link | undefined {
	try {
		return lookup(volume.root, path, false).link;
	} catch {
		// A parent directory does not exist on this side.
		return undefined;
	}
}

function entryOf(link: Link): Entry | null {
	const node = link.getNode();
	const times = { modifiedMs: node.mtime.getTime(), accessedMs: node.atime.getTime() };
	const stat = { mode: gitMode(node), permissions: node.perm, ...times };
	if (isDirectory(link)) return link.length === 0 ? { ...stat, bytes: new Uint8Array(0) } : null;
	const file = fileOf(link);
	return { ...stat, bytes: file ? file.content.view() : new TextEncoder().encode(targetOf(link) ?? '') };
}

function* entriesBelow(volume: Volume, path: string): Generator<string> {
	const link = linkAt(volume, path);
	if (!link) return;
	if (!isDirectory(link) || link.length === 0) return yield path;
	for (const [name] of childrenOf(link)) yield* entriesBelow(volume, join(path, name));
}
