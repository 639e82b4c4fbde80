import type { FileChange } from '../contract.ts';
import { isEnvironmentError } from '../errors.ts';
import { foldersAbove } from '../folders.ts';
import { gitMode, type TreeEntry } from './entry.ts';

/** Files that a journal compares, by absolute path. */
export interface JournalTree {
	/** Everything below a directory, by path relative to it, parents before children; empty if it is not a directory. */
	walk(directory: string): Promise<Map<string, TreeEntry>>;
	stat(path: string): Promise<TreeEntry | undefined>;
	/** Content of a file, or a link's target; `undefined` if it is gone or currently unreadable. */
	read(path: string, kind: 'file' | 'symlink'): Promise<Uint8Array | undefined>;
	/**
	 * For remote trees: announces files that will be read soon, in this order, so that they can be fetched in
	 * batches.
	 *
	 * @param sizes bytes, by absolute path
	 */
	ahead?(sizes: ReadonlyMap<string, number>): (path: string) => Promise<Uint8Array | undefined>;
}

/** Receives a change. A scan continues when the returned promise settles, so that changes never pile up. */
export type ChangeListener = (change: FileChange) => unknown;

/**
 * The write journal of a directory. Own writes are reported immediately; changes made by commands are found by
 * comparing the tree with its last known state.
 */
export class Journal {
	#seq = 0;
	#known = new Map<string, TreeEntry>();
	readonly #listeners = new Set<ChangeListener>();

	constructor(
		private readonly root: string,
		private readonly tree: JournalTree
	) {}

	/** Records the current tree as the known state. */
	async start(): Promise<void> {
		this.#known = await this.tree.walk(this.root);
	}

	subscribe(listener: ChangeListener): () => void {
		// Each subscription is separate, even for the same function.
		const own: ChangeListener = (change) => listener(change);
		this.#listeners.add(own);
		return () => this.#listeners.delete(own);
	}

	/**
	 * Reports one change made through the environment, at real path `path`, and adds its result to the known
	 * state.
	 *
	 * @param after current entries of the path and of the parents created with it, if the caller knows them
	 */
	async record(change: Omit<FileChange, 'seq'>, after?: Iterable<[string, TreeEntry]>): Promise<void> {
		await this.#tell(change);
		const { kind, path, to } = change;
		if (kind === 'rename' || kind === 'remove') this.#forget(this.#relative(path));
		if (to !== undefined)
			for (const [below, entry] of await this.tree.walk(to)) this.#remember(`${to}/${below}`, entry);
		if (after) for (const [place, entry] of after) this.#remember(place, entry);
		else if (kind !== 'remove') await this.#refresh(to ?? path);
	}

	/** Compares the tree with its last known state and reports the differences. */
	async scan(): Promise<void> {
		const now = await this.tree.walk(this.root);
		const before = this.#known;
		this.#known = now;
		let removed: string | undefined;
		for (const path of [...before.keys()].sort()) {
			if (now.has(path) || (removed !== undefined && path.startsWith(`${removed}/`))) continue;
			if (foldersAbove(path).some((folder) => now.get(folder)?.isLeftOut)) continue;
			removed = path;
			await this.#tell({ path: `${this.root}/${path}`, kind: 'remove', mode: gitMode(before.get(path) ?? FILE) });
		}
		const different = [...now].filter(([path, entry]) => {
			const old = before.get(path);
			return !old || !isUnchanged(old, entry);
		});
		const sizes = different.flatMap(([path, { kind, size }]): [string, number][] =>
			kind === 'directory' ? [] : [[`${this.root}/${path}`, size]]
		);
		const read = this.tree.ahead?.(new Map(sizes)) ?? this.tree.read.bind(this.tree);
		for (const [path, entry] of different) await this.#compare(path, before.get(path), entry, read);
	}

	async #compare(path: string, old: TreeEntry | undefined, entry: TreeEntry, read: JournalTree['read']): Promise<void> {
		const absolute = `${this.root}/${path}`;
		const mode = gitMode(entry);
		if (entry.kind === 'directory') {
			// For a directory whose contents are left out, its own change is the only sign of changes inside.
			if (old?.kind !== 'directory' || entry.isLeftOut) await this.#tell({ path: absolute, kind: 'mkdir', mode });
			return;
		}
		const isSame = old?.kind === entry.kind && old.inode === entry.inode && old.modifiedNs === entry.modifiedNs;
		if (isSame && (entry.kind === 'symlink' || old.size === entry.size)) {
			if (old.mode !== entry.mode && entry.kind === 'file') await this.#tell({ path: absolute, kind: 'mode', mode });
			return;
		}
		const bytes = await read(absolute, entry.kind).catch(ifTooLarge);
		// Removed again or currently unreadable: the next scan reports it, and a snapshot gives the reason.
		if (!bytes) this.#known.delete(path);
		else await this.#tell({ path: absolute, kind: entry.kind === 'symlink' ? 'symlink' : 'write', mode, bytes });
	}

	/** Resolves when every listener is ready for more. */
	async #tell(change: Omit<FileChange, 'seq'>): Promise<void> {
		await tellAll(this.#listeners, { ...change, seq: ++this.#seq });
	}

	#relative(path: string): string | undefined {
		return path.startsWith(`${this.root}/`) ? path.slice(this.root.length + 1) : undefined;
	}

	#remember(path: string, entry: TreeEntry): void {
		const relative = this.#relative(path);
		if (relative !== undefined) this.#known.set(relative, entry);
	}

	/** Also adds the parents that a write created, since they are part of it. */
	async #refresh(path: string): Promise<void> {
		for (let place = path; this.#relative(place) !== undefined; place = place.slice(0, place.lastIndexOf('/'))) {
			const entry = await this.tree.stat(place);
			if (entry) this.#remember(place, entry);
		}
	}

	#forget(path: string | undefined): void {
		if (path === undefined) return;
		for (const known of [...this.#known.keys()])
			if (known === path || known.startsWith(`${path}/`)) this.#known.delete(known);
	}
}

function ifTooLarge(error: unknown): undefined {
	if (!isEnvironmentError(error) || error.code !== 'EFBIG') throw error;
}

/** Calls every listener synchronously; if one throws, the others are still notified. */
export async function tellAll(listeners: Iterable<ChangeListener>, change: FileChange): Promise<void> {
	const busy: Promise<unknown>[] = [];
	for (const listener of listeners) {
		try {
			const taken = listener(change);
			if (taken instanceof Promise) busy.push(taken);
		} catch {
			continue;
		}
	}
	if (busy.length > 0) await Promise.allSettled(busy);
}

const FILE: Pick<TreeEntry, 'kind' | 'mode'> = { kind: 'file', mode: 0o644 };

/** Some file systems do not keep a change time, so the other fields are compared too. */
const isUnchanged = (a: TreeEntry, b: TreeEntry): boolean =>
	a.changedNs === b.changedNs &&
	a.inode === b.inode &&
	a.modifiedNs === b.modifiedNs &&
	a.size === b.size &&
	a.mode === b.mode;
