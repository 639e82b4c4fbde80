import { comparePaths } from '../bytes.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { missingAsNull } from '../objects/store.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { CacheTree } from './cache-tree.ts';
import { parseIndex, serializeIndex, type IndexEntry } from './index-file.ts';
import { buildTrees } from './write-tree.ts';

/** Tells whether one path needs a directory where the other is a file. */
export const isInWay = (one: string, other: string): boolean =>
	one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

/** The index of a working tree: what the next commit will have. */
export class GitIndex {
	/** Time when the file was written; an entry of the same time may have changed since undetected. */
	readonly writtenMs: number;
	#entries = new Map<string, IndexEntry>();
	#cacheTree: CacheTree | null = null;
	#dirty = false;

	constructor(
		private readonly files: SyncSyscalls,
		private readonly path: string,
		/** `core.fileMode`: permissions of files count; else those that are in the index stay. */
		readonly trustsModes = true
	) {
		const bytes = missingAsNull(() => files.readFile(path));
		this.writtenMs = bytes ? files.stat(path).modifiedMs : 0;
		if (!bytes) return;
		const { entries, cacheTree } = parseIndex(bytes);
		for (const entry of entries) this.#entries.set(key(entry.path, entry.stage), entry);
		this.#cacheTree = cacheTree;
	}

	/** The tree the index is the same as, where that is known without reading. */
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

	has(path: string): boolean {
		return this.stages(path).length > 0;
	}

	/** Stages in which a path is here. */
	stages(path: string): number[] {
		return [0, 1, 2, 3].filter((stage) => this.#entries.has(key(path, stage)));
	}

	/** Entries that cannot stand beside one of this path. */
	inWayOf(path: string): IndexEntry[] {
		return this.entries().filter((entry) => isInWay(entry.path, path));
	}

	/** Paths a merge left in conflict. */
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

	/** Notes that the file is still what `entry` says, though its stat changed. */
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

	/** Puts one stage of a path in, beside the others that it has. */
	setStage(entry: IndexEntry): void {
		if (entry.stage > 0) this.#entries.delete(key(entry.path, 0));
		this.#entries.set(key(entry.path, entry.stage), entry);
		this.#cacheTree = null;
		this.#dirty = true;
	}

	/** Notes that flags of an entry were changed, which are in no tree. */
	touch(): void {
		this.#dirty = true;
	}

	/** Starts over with these entries. */
	replace(entries: Iterable<IndexEntry>): void {
		this.#entries = new Map();
		for (const entry of entries) this.#entries.set(key(entry.path, entry.stage), entry);
		this.#cacheTree = null;
		this.#dirty = true;
	}

	/** Makes trees of the entries and gives the root's id. */
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
