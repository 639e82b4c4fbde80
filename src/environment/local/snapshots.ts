import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Snapshot } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { gitMode, type TreeEntry } from '../tree/entry.ts';
import { isMissing } from '../node-errors.ts';
import { Mode } from '../mode.ts';
import type { WorkspaceTree } from './workspace-tree.ts';

interface Hashed {
	changedNs: bigint;
	inode: bigint;
	blob: string;
}

/** Takes snapshots of the workspace; the blobs are stored in a temporary directory until {@link dispose}. */
export class SnapshotStore {
	#directory: Promise<string> | undefined;
	readonly #stored = new Set<string>();
	readonly #hashes = new Map<string, Hashed>();

	/**
	 * @param root absolute real path of the workspace
	 * @param tree walks it
	 */
	constructor(
		private readonly root: string,
		private readonly tree: WorkspaceTree
	) {}

	/** Takes a snapshot without the directories that the tree leaves out. Hashes only what changed since the last one. */
	async take(): Promise<Snapshot> {
		const tree = await this.tree.walk();
		const entries: Snapshot['entries'] = new Map();
		const paths = [...tree.keys()];
		const parents = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
		for (const path of paths.sort()) {
			const entry = tree.get(path);
			if (!entry) continue;
			if (entry.kind === 'directory') {
				if (!parents.has(path) && !entry.isLeftOut) entries.set(path, { mode: Mode.directory, blob: '' });
				continue;
			}
			const blob = await this.#blobOf(path, entry);
			if (blob !== undefined) entries.set(path, { mode: gitMode(entry), blob });
		}
		for (const path of this.#hashes.keys()) if (!tree.has(path)) this.#hashes.delete(path);
		return { id: snapshotId(entries), entries };
	}

	async read(blob: string): Promise<Uint8Array> {
		if (!this.#stored.has(blob) || !this.#directory)
			throw new EnvironmentError('ENOENT', `No snapshot taken here holds the blob ${blob}.`);
		return new Uint8Array(await readFile(join(await this.#directory, blob)));
	}

	async dispose(): Promise<void> {
		if (this.#directory) await rm(await this.#directory, { recursive: true, force: true });
	}

	/** `undefined` when the file went away meanwhile. */
	async #blobOf(path: string, entry: TreeEntry): Promise<string | undefined> {
		const known = this.#hashes.get(path);
		if (known && known.changedNs === entry.changedNs && known.inode === entry.inode) return known.blob;
		try {
			const place = join(this.root, path);
			const bytes = entry.kind === 'symlink' ? Buffer.from(await readlink(place)) : await readFile(place);
			const blob = blobId(bytes);
			this.#hashes.set(path, { changedNs: entry.changedNs, inode: entry.inode, blob });
			if (!this.#stored.has(blob)) {
				this.#directory ??= mkdtemp(join(tmpdir(), 'sandglass-blobs-'));
				await writeFile(join(await this.#directory, blob), bytes);
				this.#stored.add(blob);
			}
			return blob;
		} catch (error) {
			if (isMissing(error)) return undefined;
			throw error;
		}
	}
}

/** The id git gives these bytes. */
export function blobId(bytes: Uint8Array): string {
	return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function snapshotId(entries: Snapshot['entries']): string {
	const hash = createHash('sha1');
	for (const [path, { mode, blob }] of entries) hash.update(`${mode.toString(8)} ${blob} ${path}\0`);
	return hash.digest('hex');
}
