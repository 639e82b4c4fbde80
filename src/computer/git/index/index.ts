import { comparePaths } from '../bytes.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { missingAsNull } from '../objects/store.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { CacheTree } from './cache-tree.ts';
import { parseIndex, serializeIndex, type IndexEntry } from './index-file.ts';
import { buildTrees } from './write-tree.ts';

/** Returns whether one path needs a directory at the other path, which is a file. */
export const isInWay = (one: string, other: string): boolean =>
	one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

/** Index of a working tree: the content of the next commit. */
export class GitIndex {
	/** Time when the file was written; a file modified at that same time may have changed since, undetected. */
	readonly writtenMs: number;
	#entries = new Map<string, IndexEntry>();
	#cacheTree: CacheTree | null = null;
	#dirty = false;

	constructor(
		private readonly files: SyncSyscalls,
		private readonly path: string,
		/** `core.fileMode`: uses the permissions of files; otherwise those in the index are kept. */
		readonly trustsModes = true
	) {
		const bytes = missingAsNull(() => files.readFile(path));
		this.writtenMs = bytes ? files.stat(path).modifiedMs : 0;
		if (!bytes) return;
		const { entries, cacheTree } = parseIndex(bytes);
		for (const entry of entries) this.#entries.set(key(entry.path, entry.stage), entry);
		this.#cacheTree = cacheTree;
	}

	/** Tree that equals the index; null if that is not known without building it. */
	get knownTree(): string | null {
		if (this.#entries.size === 0) return EMPTY_TREE;
		return this.#cacheTree && this.#cacheTree.count >= 0 ? this.#cacheTree.id : null;
	}

	/** Sorted by path, then stage. */
	entries(): IndexEntry[] {
		return [...this.#entries.values()].sort((a, b) => comparePaths(a.path, b.path) || a.stage - b.stage);
	}

	get(path: string, stage = 0): IndexEntry | undefined {
		return this.#entries.get(key(path, stage));
	}

	/** Entry of the lowest stage: the only one, or one of those in conflict. */
	first(path: string): IndexEntry | undefined {
		const [stage] = this.stages(path);
		return stage === undefined ? undefined : this.get(path, stage);
	}

	has(path: string): boolean {
		return this.stages(path).length > 0;
	}

	/** Stages of a path that are present. */
	stages(path: string): number[] {
		return [0, 1, 2, 3].filter((stage) => this.#entries.has(key(path, stage)));
	}

	/** Entries that conflict with an entry at this path (file versus directory). */
	inWayOf(path: string): IndexEntry[] {
		return this.entries().filter((entry) => isInWay(entry.path, path));
	}

	/** Paths that a merge left in conflict. */
	unmerged(): string[] {
		return [
			...new Set(
				this.entries()
					.filter((entry) => entry.stage > 0)
					.map((entry) => entry.path)
			)
		];
	}

	/** Adds an entry, replacing all stages of its path and conflicting paths. */
	set(entry: IndexEntry): void {
		const before = this.get(entry.path);
		if (entry.stage === 0) this.#drop(entry.path);
		for (let at = entry.path.lastIndexOf('/'); at > 0; at = entry.path.lastIndexOf('/', at - 1)) {
			this.#drop(entry.path.slice(0, at));
		}
		if (!before) for (const path of this.#below(entry.path)) this.#drop(path);
		this.#entries.set(key(entry.path, entry.stage), entry);
		this.#dirty = true;
		if (before?.id !== entry.id || before.mode !== entry.mode || before.intentToAdd) this.#cacheTree = null;
	}

	/** Records a changed stat for a file whose content is still that of `entry`. */
	refresh(entry: IndexEntry, size: number, modifiedMs: number): void {
		entry.size = size;
		entry.modifiedMs = modifiedMs;
		this.#dirty = true;
	}

	remove(path: string): void {
		if (this.#drop(path)) {
			this.#cacheTree = null;
			this.#dirty = true;
		}
	}

	/** Adds one stage of a path, keeping its other stages. */
	setStage(entry: IndexEntry): void {
		if (entry.stage > 0) this.#entries.delete(key(entry.path, 0));
		this.#entries.set(key(entry.path, entry.stage), entry);
		this.#cacheTree = null;
		this.#dirty = true;
	}

	/** Marks the index as changed after a flag of an entry was set; trees do not store flags. */
	touch(): void {
		this.#dirty = true;
	}

	/** Replaces all entries. */
	replace(entries: Iterable<IndexEntry>): void {
		this.#entries = new Map();
		for (const entry of entries) this.#entries.set(key(entry.path, entry.stage), entry);
		this.#cacheTree = null;
		this.#dirty = true;
	}

	/** Builds the trees of the entries and returns the root's id. */
	writeTree(keep: (content: Uint8Array) => string): string {
		const known = this.knownTree;
		if (known !== null && this.#cacheTree) return known;
		const entries = this.entries();
		const tree = buildTrees(entries, keep);
		if (!entries.some((entry) => entry.intentToAdd || entry.stage > 0)) {
			this.#cacheTree = tree;
			this.#dirty = true;
		}
		return tree.id;
	}

	/** Writes the file if anything changed. */
	save(): void {
		if (!this.#dirty) return;
		this.files.writeFile(this.path, serializeIndex(this.entries(), this.#cacheTree));
		this.#dirty = false;
	}

	#drop(path: string): boolean {
		let found = false;
		for (let stage = 0; stage < 4; stage++) found = this.#entries.delete(key(path, stage)) || found;
		return found;
	}

	#below(path: string): string[] {
		const found: string[] = [];
		for (const entry of this.#entries.values()) if (entry.path.startsWith(`${path}/`)) found.push(entry.path);
		return found;
	}
}

const key = (path: string, stage: number) => (stage === 0 ? path : `${path}\0${stage}`);
