import { blobId, toHex } from '../blob-id.ts';
import type { Snapshot } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { gitMode, type TreeEntry } from './entry.ts';
import type { JournalTree } from './journal.ts';
import { Mode } from '../mode.ts';

/** Files to read concurrently. */
const READERS = 8;

interface Hashed {
	entry: TreeEntry;
	blob: string;
}

/**
 * Takes snapshots of a directory. Blobs are kept in local memory as long as the environment exists, up to a limit; an
 * evicted one can be read again as long as a file has that content.
 */
export class TreeSnapshots {
	/** Least recently used first. */
	readonly #blobs = new Map<string, Uint8Array>();
	#heldBytes = 0;
	readonly #hashes = new Map<string, Hashed>();

	/** @param maxBytes limit for blobs in memory */
	constructor(
		private readonly root: string,
		private readonly tree: JournalTree,
		private readonly maxBytes = Infinity
	) {}

	/** Takes a snapshot; reads only what changed since the last one. */
	async take(): Promise<Snapshot> {
		const tree = await this.tree.walk(this.root);
		const paths = [...tree.keys()].sort();
		const parents = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
		const blobs = new Map<string, string>();
		const todo = paths.values();
		const read = this.#readerOf(tree);
		const reader = async (): Promise<void> => {
			for (const path of todo) {
				const entry = tree.get(path);
				if (!entry || entry.kind === 'directory') continue;
				const blob = await this.#blobOf(path, entry, (place) =>
					read(place, entry.kind === 'symlink' ? 'symlink' : 'file')
				);
				if (blob !== undefined) blobs.set(path, blob);
			}
		};
		await Promise.all(Array.from({ length: READERS }, reader));
		const entries: Snapshot['entries'] = new Map();
		for (const path of paths) {
			const entry = tree.get(path);
			const blob = blobs.get(path);
			if (entry && blob !== undefined) entries.set(path, { mode: gitMode(entry), blob });
			else if (entry?.kind === 'directory' && !parents.has(path)) entries.set(path, { mode: Mode.directory, blob: '' });
		}
		for (const path of this.#hashes.keys()) if (!tree.has(path)) this.#hashes.delete(path);
		return { id: await snapshotId(entries), entries };
	}

	/** @throws EnvironmentError `ENOENT` for a content that is neither in memory nor in a file */
	async read(blob: string): Promise<Uint8Array> {
		const bytes = this.#blobs.get(blob) ?? (await this.#readAgain(blob));
		if (!bytes) throw new EnvironmentError('ENOENT', `No snapshot taken here holds the blob ${blob}.`);
		return bytes;
	}

	async #readAgain(blob: string): Promise<Uint8Array | undefined> {
		for (const [path, { entry, blob: found }] of this.#hashes) {
			if (found !== blob) continue;
			const bytes = await this.tree.read(`${this.root}/${path}`, entry.kind === 'symlink' ? 'symlink' : 'file');
			if (bytes && (await blobId(bytes)) === blob) return bytes;
		}
		return undefined;
	}

	#hold(blob: string, bytes: Uint8Array): void {
		if (this.#blobs.delete(blob)) this.#heldBytes -= bytes.length;
		this.#blobs.set(blob, bytes);
		this.#heldBytes += bytes.length;
		for (const [oldest, { length }] of this.#blobs) {
			if (this.#heldBytes <= this.maxBytes) return;
			this.#blobs.delete(oldest);
			this.#heldBytes -= length;
		}
	}

	/** Fetches unknown contents of a remote tree in batches. */
	#readerOf(tree: ReadonlyMap<string, TreeEntry>): JournalTree['read'] {
		const unknown = [...tree].filter(([path, entry]) => {
			const known = this.#hashes.get(path);
			return entry.kind !== 'directory' && !(known && sameState(known.entry, entry));
		});
		const sizes = unknown.map(([path, { size }]): [string, number] => [`${this.root}/${path}`, size]);
		return this.tree.ahead?.(new Map(sizes)) ?? this.tree.read.bind(this.tree);
	}

	/** `undefined` if the file has been removed meanwhile. */
	async #blobOf(
		path: string,
		entry: TreeEntry,
		read: (place: string) => Promise<Uint8Array | undefined>
	): Promise<string | undefined> {
		const known = this.#hashes.get(path);
		if (known && sameState(known.entry, entry)) return known.blob;
		const bytes = await read(`${this.root}/${path}`);
		if (!bytes) return undefined;
		const blob = await blobId(bytes);
		this.#hashes.set(path, { entry, blob });
		this.#hold(blob, bytes);
		return blob;
	}
}

const sameState = (a: TreeEntry, b: TreeEntry): boolean =>
	a.changedNs === b.changedNs && a.modifiedNs === b.modifiedNs && a.inode === b.inode && a.size === b.size;

async function snapshotId(entries: Snapshot['entries']): Promise<string> {
	const lines = [...entries].map(([path, { mode, blob }]) => `${mode.toString(8)} ${blob} ${path}\0`);
	return toHex(new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(lines.join('')))));
}
