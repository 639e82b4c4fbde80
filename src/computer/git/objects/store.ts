import { unzlibSync, zlibSync } from 'fflate';
import { absolute } from '#computer/abi/paths.ts';
import { concat, decode, encode } from '../bytes.ts';
import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import { fatal } from '../errors.ts';
import { parseCommit, type Commit } from './commit.ts';
import {
	EMPTY_BLOB,
	EMPTY_TREE,
	NULL_ID,
	objectHeader,
	objectId,
	OBJECT_TYPES,
	type GitObject,
	type ObjectType
} from './object.ts';
import type { LackingStore, PromisorSource } from './lacking-store.ts';
import type { ReceivedPack } from './pack-receiver.ts';
import { PackFile } from './pack-file.ts';
import { parseTree, type TreeEntry } from './tree.ts';

const SHORTEST = 7;
/** Maximum length of a chain of repositories that borrow objects from the next one. */
const MOST_BORROWING = 5;
/** Size of the index of an empty pack. */
const SMALLEST_INDEX = 1064;

/** Maximum length of a chain of replacements. */
const MOST_REPLACED = 5;
const NO_REPLACEMENTS: ReadonlyMap<string, string> = new Map();

/** Objects without content, which need not be stored. */
const KNOWN: ReadonlyMap<string, 'tree' | 'blob'> = new Map([
	[EMPTY_TREE, 'tree'],
	[EMPTY_BLOB, 'blob']
]);

/** All objects of a repository: loose ones and packs. */
export class ObjectStore implements LackingStore {
	#packs: PackFile[] | undefined;
	#cached = new Map<string, GitObject>();
	#received: ReadonlyMap<string, GitObject> | undefined;
	#looseNames = new Map<string, string[]>();
	#alternates: readonly ObjectStore[] | undefined;
	#replaced: ReadonlyMap<string, string> | undefined;
	#fetchesMissing = true;

	/** @param directory `.git/objects` */
	constructor(
		private readonly files: SyncSyscalls,
		readonly directory: string,
		/** Configured length of abbreviated ids, if any. */
		private readonly shortDigits: () => number | null = () => null,
		/** Directories of alternates beside those that this repository names. */
		private readonly borrowed: readonly string[] = [],
		private readonly depth = 0,
		/** Ids of objects to read in place of others (`refs/replace/`). */
		private readonly replacements: () => ReadonlyMap<string, string> = () => NO_REPLACEMENTS,
		/** Directories of all stores reached so far: none of them is an alternate again, so that loops end. */
		private readonly seen: Set<string> = new Set<string>(),
		/** Promisor remotes, if this is the store of a repository. */
		private readonly promisors: PromisorSource | null = null
	) {
		seen.add(directory);
	}

	/** Stores that this one borrows objects from (gitrepository-layout(5), `objects/info/alternates`). */
	get alternates(): readonly ObjectStore[] {
		this.#alternates ??= this.#readAlternates();
		return this.#alternates;
	}

	/** File that names the stores to borrow from. */
	get alternatesFile(): string {
		return `${this.directory}/info/alternates`;
	}

	#readAlternates(): ObjectStore[] {
		if (this.depth >= MOST_BORROWING) return [];
		const bytes = missingAsNull(() => this.files.readFile(this.alternatesFile));
		const lines = bytes ? decode(bytes).split('\n') : [];
		const named = lines
			.filter((line) => line !== '' && !line.startsWith('#'))
			.map((line) => absolute(line, this.directory));
		return [...named, ...this.borrowed].flatMap((place) => {
			if (this.seen.has(place)) return [];
			if (this.files.statOrNull(place)?.kind === 'directory')
				return [new ObjectStore(this.files, place, this.shortDigits, [], this.depth + 1, undefined, this.seen)];
			this.files.write(
				2,
				encode(`error: object directory ${place} does not exist; check .git/objects/info/alternates\n`)
			);
			return [];
		});
	}

	/** Returns whether an alternate has an object. */
	isBorrowed(id: string): boolean {
		return this.alternates.some((other) => other.has(id));
	}

	/** Reads an object, or its replacement. */
	find(id: string): GitObject | null {
		return this.findStored(this.replacementOf(id));
	}

	/** Makes this store ignore replacements for the rest of the run, as programs must that copy or check objects. */
	ignoreReplacements(): void {
		this.#replaced = NO_REPLACEMENTS;
	}

	/** Discards the list of replacements after one was added or removed. */
	forgetReplacements(): void {
		this.#replaced = undefined;
	}

	/** Id of the object that is read in place of another; the same id if it is not replaced. */
	replacementOf(id: string): string {
		this.#replaced ??= this.replacements();
		let found = id;
		for (let depth = 0; depth < MOST_REPLACED; depth++) {
			const next = this.#replaced.get(found);
			if (next === undefined) return found;
			found = next;
		}
		throw fatal(`replace depth too high for object ${id}`);
	}

	/** Reads an object as it is stored, even if it is replaced. */
	findStored(id: string): GitObject | null {
		const found = this.findPresent(id);
		if (found || !this.#isPartial) return found;
		this.promisors!.fetch(this, [id]);
		return this.findPresent(id);
	}

	get #isPartial(): boolean {
		return this.#fetchesMissing && (this.promisors?.isThere ?? false);
	}

	/** Makes this store fetch nothing for the rest of the run, as programs must that examine what is missing. */
	fetchNothing(): void {
		this.#fetchesMissing = false;
	}

	/** Runs a step that must not fetch objects, because it only looks whether they are here. */
	withoutFetching<T>(step: () => T): T {
		const before = this.#fetchesMissing;
		this.#fetchesMissing = false;
		try {
			return step();
		} finally {
			this.#fetchesMissing = before;
		}
	}

	/**
	 * Fetches those objects of a partial clone that will be read next and are missing: one request instead of one for
	 * each object. Does nothing in a complete repository.
	 */
	prefetch(ids: Iterable<string>): void {
		if (!this.#isPartial) return;
		const missing = [...new Set(ids)].filter((id) => id !== NULL_ID && !this.has(this.replacementOf(id)));
		if (missing.length > 0) this.promisors!.fetch(this, missing);
	}

	/** Reads an object as it is stored, unless it would have to be fetched. */
	findPresent(id: string): GitObject | null {
		const known = this.#cached.get(id) ?? this.#received?.get(id);
		if (known) return known;
		// Once the packs are open, looking there needs no system call.
		const found = this.#packs
			? (this.#readPacked(id) ?? this.#readLoose(id))
			: (this.#readLoose(id) ?? this.#readPacked(id));
		if (!found) {
			for (const other of this.alternates) {
				const borrowed = other.findPresent(id);
				if (borrowed && (!KNOWN.has(id) || other.has(id))) return borrowed;
			}
		}
		const type = KNOWN.get(id);
		if (!found) return type ? { type, content: new Uint8Array(0) } : null;
		// Trees and commits are read again and again; blobs are large and read once.
		if (found.type !== 'blob') this.#cached.set(id, found);
		return found;
	}

	has(id: string): boolean {
		if (this.files.statOrNull(this.#loosePath(id))) return true;
		return this.packs.some((pack) => pack.index.offsetOf(id) !== null) || this.isBorrowed(id);
	}

	/** @throws GitError if there is no such object, or if it is of another type */
	read(id: string, type: ObjectType): Uint8Array {
		const found = this.find(id);
		if (!found) throw fatal(`unable to read ${type} object ${id}`);
		if (found.type !== type) throw fatal(`${id} is a ${found.type}, not a ${type}`);
		return found.content;
	}

	/** Size of an object on disk; 0 if it is missing. */
	storedSize(id: string): number {
		const loose = this.files.statOrNull(this.#loosePath(id));
		if (loose) return loose.size;
		for (const pack of this.packs) {
			const size = pack.storedSize(id);
			if (size !== null) return size;
		}
		return this.alternates.find((other) => other.has(id))?.storedSize(id) ?? 0;
	}

	/** Id of an object's delta base; {@link NULL_ID} if it is stored whole. */
	deltaBase(id: string): string {
		for (const pack of this.packs) {
			const base = pack.deltaBase(id);
			if (base !== null) return base;
		}
		return NULL_ID;
	}

	tree(id: string): TreeEntry[] {
		return parseTree(this.read(id, 'tree'));
	}

	commit(id: string): Commit {
		return parseCommit(this.read(id, 'commit'));
	}

	/**
	 * Writes an object unless it exists, and returns its id. @param type objects of a type that git does not know are
	 * never read back
	 */
	write(type: string, content: Uint8Array): string {
		const id = objectId(type, content);
		if (this.has(id)) return id;
		this.#writeFile(this.#loosePath(id), type, content);
		this.#looseNames.delete(id.slice(0, 2));
		return id;
	}

	#writeFile(path: string, type: string, content: Uint8Array): void {
		this.files.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true });
		const bytes = zlibSync(concat([objectHeader(type, content.length), content]), { level: 1 });
		this.files.writeFile(path, bytes, { mode: 0o444 });
	}

	/** Ids of all objects, sorted. */
	ids(): string[] {
		const own = [...this.looseIds(), ...this.packs.flatMap(({ index }) => index.idsWithPrefix(''))];
		return [...new Set([...own, ...this.alternates.flatMap((other) => other.ids())])].sort();
	}

	/** Ids of all loose objects, sorted. */
	looseIds(): string[] {
		const fanouts = missingAsNull(() => this.files.readdir(this.directory)) ?? [];
		return fanouts
			.filter(({ name }) => /^[0-9a-f]{2}$/.test(name))
			.flatMap(({ name }) => this.#loose(name).flatMap((rest) => (/^[0-9a-f]{38}$/.test(rest) ? [name + rest] : [])))
			.sort();
	}

	/** Path of a loose object, whether it exists or not. */
	loosePath(id: string): string {
		return this.#loosePath(id);
	}

	/**
	 * Time in milliseconds at which an object was last written: that of its file or of the newest pack that contains it.
	 */
	modifiedMs(id: string): number {
		const loose = this.files.statOrNull(this.#loosePath(id));
		const packs = this.packs.filter((pack) => pack.index.offsetOf(id) !== null);
		const times = packs.map(({ path }) => this.files.statOrNull(path)?.modifiedMs ?? 0);
		return Math.max(0, loose?.modifiedMs ?? 0, ...times);
	}

	/** Writes a loose object even if a pack contains it. @param modifiedMs modification time of the file */
	writeLoose({ type, content }: GitObject, modifiedMs?: number): void {
		const path = this.#loosePath(objectId(type, content));
		if (this.files.statOrNull(path)) return;
		this.#writeFile(path, type, content);
		this.#looseNames.clear();
		if (modifiedMs !== undefined) this.files.utimes(path, modifiedMs, modifiedMs);
	}

	/** Removes a loose object. */
	removeLoose(id: string): void {
		this.files.remove(this.#loosePath(id), { force: true });
		this.#looseNames.delete(id.slice(0, 2));
		this.#cached.delete(id);
	}

	/** Discards the caches, so that the list of packs and files is read again. */
	reopen(): void {
		this.#packs = undefined;
		this.#received = undefined;
		this.#alternates = undefined;
		this.seen.clear();
		this.seen.add(this.directory);
		this.#looseNames.clear();
		this.#cached.clear();
	}

	/** @param prefix at least four hexadecimal digits */
	idsWithPrefix(prefix: string): string[] {
		const loose = this.#loose(prefix.slice(0, 2))
			.map((name) => prefix.slice(0, 2) + name)
			.filter((id) => id.startsWith(prefix));
		const packed = this.packs.flatMap((pack) => pack.index.idsWithPrefix(prefix));
		return [...new Set([...loose, ...packed, ...this.alternates.flatMap((other) => other.idsWithPrefix(prefix))])];
	}

	/** Shortest prefix of `id` that is unique here; at least seven digits or, with many objects, more. */
	abbreviate(id: string, length = this.#usualLength()): string {
		const others = this.idsWithPrefix(id.slice(0, Math.max(length, 4))).filter((other) => other !== id);
		let digits = Math.max(length, 4);
		while (digits < 40 && others.some((other) => other.startsWith(id.slice(0, digits)))) digits++;
		return id.slice(0, digits);
	}

	/**
	 * Stores a received pack and keeps its objects in memory for the lifetime of this store. Returns false if it existed
	 * already.
	 *
	 * @param promised content of the `.promisor` file of a pack from a promisor remote
	 */
	keepPack({ name, pack, index, objects }: ReceivedPack, promised?: string): boolean {
		const path = `${this.directory}/pack/${name}`;
		this.files.mkdir(`${this.directory}/pack`, { recursive: true });
		// Written first: without it, the objects that the pack refers to would be missing for no reason.
		if (promised !== undefined) this.files.writeFile(`${path}.promisor`, encode(promised));
		const parts = [
			{ file: `${path}.pack`, content: pack },
			{ file: `${path}.idx`, content: index }
		];
		// The name implies the content: existing files, as after a second fetch, are read-only and are kept.
		const isNew = parts.some(({ file }) => this.files.statOrNull(file) === null);
		if (isNew) {
			for (const { file, content } of parts) {
				this.files.remove(file, { force: true });
				this.files.writeFile(file, content, { mode: 0o444 });
			}
		}
		this.#received = objects;
		this.#packs = isNew && this.#packs ? [...this.#openPack(`${path}.pack`), ...this.#packs] : undefined;
		return isNew;
	}

	/** Removes a stored pack and its cached objects. */
	dropPack({ name }: ReceivedPack): void {
		for (const ending of ['pack', 'idx', 'promisor'])
			this.files.remove(`${this.directory}/pack/${name}.${ending}`, { force: true });
		this.#received = undefined;
		this.#packs = undefined;
		this.#cached.clear();
	}

	get packs(): PackFile[] {
		this.#packs ??= this.#names('pack')
			.filter((name, _, names) => name.endsWith('.pack') && names.includes(name.replace(/pack$/, 'idx')))
			.flatMap((name) => this.#openPack(`${this.directory}/pack/${name}`));
		return this.#packs;
	}

	/** Opens a pack; none if its index cannot be read, as while it is being written. */
	#openPack(path: string): PackFile[] {
		try {
			return [new PackFile(this.files, path)];
		} catch (error) {
			if (!(error instanceof RangeError)) throw error;
			const index = path.replace(/pack$/, 'idx');
			const shown = index.slice(index.lastIndexOf('/.git/') + 1);
			const isSmall = this.files.stat(index).size < SMALLEST_INDEX;
			this.files.write(
				2,
				encode(`error: index file ${shown} ${isSmall ? 'is too small' : `is broken: ${error.message}`}\n`)
			);
			return [];
		}
	}

	/** git's rule: half the bits it takes to count the packed objects, in hexadecimal digits, rounded up. */
	#usualLength(): number {
		const set = this.shortDigits();
		if (set !== null) return set;
		const count = this.packs.reduce((sum, pack) => sum + pack.index.count, 0);
		const bits = count === 0 ? 0 : 32 - Math.clz32(count);
		return Math.max(SHORTEST, Math.ceil(bits / 2));
	}

	#readLoose(id: string): GitObject | null {
		const raw = this.rawLoose(id);
		if (!raw) return null;
		const type = OBJECT_TYPES.find((known) => known === raw.type);
		if (!type) throw fatal('invalid object type');
		return { type, content: raw.content };
	}

	/** A loose object of any type; null if there is none. */
	rawLoose(id: string): { type: string; content: Uint8Array } | null {
		const bytes = missingAsNull(() => this.files.readFile(this.#loosePath(id)));
		if (!bytes) return null;
		const whole = unzlibSync(bytes);
		const end = whole.indexOf(0);
		const space = whole.indexOf(0x20);
		if (end < 0 || space < 0 || space > end)
			throw fatal(`loose object ${id} (stored in ${this.#loosePath(id)}) is corrupt`);
		return { type: decode(whole.subarray(0, space)), content: whole.subarray(end + 1) };
	}

	#readPacked(id: string): GitObject | null {
		const base = (wanted: string): GitObject => {
			const found = this.findStored(wanted);
			if (!found) throw fatal(`unable to read ${wanted}`);
			return found;
		};
		for (const pack of this.packs) {
			const found = pack.read(id, base);
			if (found) return found;
		}
		return null;
	}

	#loosePath(id: string): string {
		return `${this.directory}/${id.slice(0, 2)}/${id.slice(2)}`;
	}

	#loose(fanout: string): string[] {
		let names = this.#looseNames.get(fanout);
		if (!names) this.#looseNames.set(fanout, (names = this.#names(fanout)));
		return names;
	}

	#names(directory: string): string[] {
		return missingAsNull(() => this.files.readdir(`${this.directory}/${directory}`))?.map(({ name }) => name) ?? [];
	}
}

/** Result of `read`, or null if the object is missing. */
export function missingAsNull<T>(read: () => T): T | null {
	try {
		return read();
	} catch (error) {
		if (error instanceof SyscallError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
		throw error;
	}
}
