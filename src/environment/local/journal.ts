import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileChange } from '../contract.ts';
import { isMissing } from './node-errors.ts';
import { gitMode, statOrNothing, walkTree, type TreeEntry } from './tree.ts';

/**
 * The write journal of a directory. Own writes are told as they are made; what commands did is
 * found by comparing the tree with the one last seen.
 */
export class Journal {
	#seq = 0;
	#known = new Map<string, TreeEntry>();
	readonly #listeners = new Set<(change: FileChange) => void>();

	constructor(private readonly root: string) {}

	/** Takes the present tree as known. */
	async start(): Promise<void> {
		this.#known = await walkTree(this.root);
	}

	subscribe(listener: (change: FileChange) => void): () => void {
		// Each subscription is its own, also of the same function.
		const own = (change: FileChange): void => listener(change);
		this.#listeners.add(own);
		return () => this.#listeners.delete(own);
	}

	/** Tells one change made through the environment, at real path `path`, and takes its result as known. */
	async record(change: Omit<FileChange, 'seq'>): Promise<void> {
		this.#tell(change);
		if (change.kind === 'rename' && change.to !== undefined) {
			this.#forget(this.#relative(change.path));
			const below = await walkTree(change.to).catch(() => new Map<string, TreeEntry>());
			for (const [path, entry] of below) this.#remember(join(change.to, path), entry);
			await this.#refresh(change.to);
		} else if (change.kind === 'remove') this.#forget(this.#relative(change.path));
		else await this.#refresh(change.path);
	}

	/** Compares the tree with the one last seen and tells what is different. */
	async scan(): Promise<void> {
		const now = await walkTree(this.root);
		const before = this.#known;
		this.#known = now;
		let removed: string | undefined;
		for (const path of [...before.keys()].sort()) {
			if (now.has(path) || (removed !== undefined && path.startsWith(`${removed}/`))) continue;
			removed = path;
			this.#tell({ path: join(this.root, path), kind: 'remove', mode: gitMode(before.get(path) ?? FILE) });
		}
		for (const [path, entry] of now) {
			const old = before.get(path);
			if (old && old.changedNs === entry.changedNs && old.inode === entry.inode) continue;
			await this.#compare(path, old, entry);
		}
	}

	async #compare(path: string, old: TreeEntry | undefined, entry: TreeEntry): Promise<void> {
		const absolute = join(this.root, path);
		const mode = gitMode(entry);
		if (entry.kind === 'directory') {
			if (old?.kind !== 'directory') this.#tell({ path: absolute, kind: 'mkdir', mode });
			return;
		}
		try {
			if (entry.kind === 'symlink') {
				if (old?.kind === 'symlink' && old.modifiedNs === entry.modifiedNs && old.inode === entry.inode) return;
				const target = new TextEncoder().encode(await readlink(absolute));
				this.#tell({ path: absolute, kind: 'symlink', mode, bytes: target });
			} else if (old?.kind !== 'file' || old.modifiedNs !== entry.modifiedNs || old.size !== entry.size) {
				this.#tell({ path: absolute, kind: 'write', mode, bytes: new Uint8Array(await readFile(absolute)) });
			} else if (old.mode !== entry.mode) this.#tell({ path: absolute, kind: 'mode', mode });
			else if (old.inode !== entry.inode)
				this.#tell({ path: absolute, kind: 'write', mode, bytes: new Uint8Array(await readFile(absolute)) });
		} catch (error) {
			// Gone again, or unreadable now: the next scan tells what became of it.
			if (!isMissing(error) && !(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error;
			this.#known.delete(path);
		}
	}

	#tell(change: Omit<FileChange, 'seq'>): void {
		const numbered = { ...change, seq: ++this.#seq };
		for (const listener of this.#listeners) {
			try {
				listener(numbered);
			} catch {
				// A listener's fault is its own; the others still hear of the change.
			}
		}
	}

	#relative(path: string): string | undefined {
		return path.startsWith(`${this.root}/`) ? path.slice(this.root.length + 1) : undefined;
	}

	#remember(path: string, entry: TreeEntry): void {
		const relative = this.#relative(path);
		if (relative !== undefined) this.#known.set(relative, entry);
	}

	/** Also takes the parents that a write made as known: they are part of it. */
	async #refresh(path: string): Promise<void> {
		for (let place = path; this.#relative(place) !== undefined; place = join(place, '..')) {
			const entry = await statOrNothing(place);
			if (entry) this.#remember(place, entry);
		}
	}

	#forget(path: string | undefined): void {
		if (path === undefined) return;
		for (const known of [...this.#known.keys()])
			if (known === path || known.startsWith(`${path}/`)) this.#known.delete(known);
	}
}

const FILE: Pick<TreeEntry, 'kind' | 'mode'> = { kind: 'file', mode: 0o644 };
