import { vi } from 'vitest';

type Key = number | string | readonly Key[];
interface Row {
	key: Key;
	value: unknown;
}

/** Order of keys in IndexedDB: numbers, then strings, then arrays, compared element by element. */
function compare(a: Key, b: Key): number {
	if (typeof a === 'number' && typeof b === 'number') return a - b;
	if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
	if (typeof a !== 'object' || typeof b !== 'object') return rank(a) - rank(b);
	for (let at = 0; at < Math.min(a.length, b.length); at++) {
		const order = compare(a[at] ?? 0, b[at] ?? 0);
		if (order !== 0) return order;
	}
	return a.length - b.length;
}
const rank = (key: Key): number => (typeof key === 'number' ? 0 : typeof key === 'string' ? 1 : 2);

class KeyRange {
	private constructor(
		readonly lower: Key,
		readonly upper: Key
	) {}

	static bound(lower: Key, upper: Key): KeyRange {
		return new KeyRange(lower, upper);
	}

	has(key: Key): boolean {
		return compare(this.lower, key) <= 0 && compare(key, this.upper) <= 0;
	}
}

class ObjectStore {
	#rows: Row[] = [];

	constructor(
		private readonly faults: Faults,
		private readonly keyPath?: string
	) {}

	async put(value: unknown, key?: Key): Promise<void> {
		if (this.faults.put) throw this.faults.put;
		const own = this.keyPath === undefined ? undefined : (value as Record<string, Key>)[this.keyPath];
		const place = key ?? own;
		if (place === undefined) throw new DOMException('no key', 'DataError');
		await this.delete(place);
		this.#rows.push({ key: place, value: structuredClone(value) });
		this.#rows.sort((a, b) => compare(a.key, b.key));
	}

	async get(key: Key): Promise<unknown> {
		return structuredClone(this.#rows.find((row) => compare(row.key, key) === 0)?.value);
	}

	async delete(of: Key | KeyRange): Promise<void> {
		this.#rows = this.#rows.filter(({ key }) => !(of instanceof KeyRange ? of.has(key) : compare(of, key) === 0));
	}

	async getAll(range?: KeyRange): Promise<unknown[]> {
		if (this.faults.read) throw this.faults.read;
		return structuredClone(this.#in(range).map(({ value }) => value));
	}

	async getAllKeys(range?: KeyRange): Promise<Key[]> {
		return this.#in(range).map(({ key }) => key);
	}

	#in(range: KeyRange | undefined): Row[] {
		return this.#rows.filter(({ key }) => range?.has(key) ?? true);
	}
}

/** A store in a read-only transaction. */
function readOnly(store: ObjectStore): ObjectStore {
	const refuse = (): Promise<never> => Promise.reject(new DOMException('read only', 'ReadOnlyError'));
	return Object.assign(Object.create(store) as ObjectStore, {
		put: refuse,
		delete: refuse,
		getAll: (range?: KeyRange) => store.getAll(range),
		getAllKeys: (range?: KeyRange) => store.getAllKeys(range)
	});
}

/** Faults requested by a test. */
export interface Faults {
	/** Thrown by every write. */
	put: Error | null;
	/** Thrown by every read of several values. */
	read: Error | null;
}

class Database {
	readonly #stores = new Map<string, ObjectStore>();

	constructor(private readonly faults: Faults) {}

	createObjectStore(name: string, { keyPath }: { keyPath?: string } = {}): void {
		this.#stores.set(name, new ObjectStore(this.faults, keyPath));
	}

	transaction(of: string | readonly string[], mode = 'readonly') {
		const names = typeof of === 'string' ? [of] : of;
		const objectStore = (name: string) => {
			if (!names.includes(name)) throw new DOMException(name, 'NotFoundError');
			return mode === 'readwrite' ? this.#store(name) : readOnly(this.#store(name));
		};
		return { objectStore, store: objectStore(names[0] ?? ''), done: Promise.resolve() };
	}

	get = (store: string, key: Key) => this.#store(store).get(key);
	put = (store: string, value: unknown, key?: Key) => this.#store(store).put(value, key);
	delete = (store: string, of: Key | KeyRange) => this.#store(store).delete(of);
	getAll = (store: string, range?: KeyRange) => this.#store(store).getAll(range);
	getAllKeys = (store: string, range?: KeyRange) => this.#store(store).getAllKeys(range);

	#store(name: string): ObjectStore {
		const store = this.#stores.get(name);
		if (!store) throw new DOMException(name, 'NotFoundError');
		return store;
	}
}

/**
 * Replaces the library in tests. Defined here and not in a test, so that a reloaded test still shares it with modules
 * that are not reloaded: every mutant reloads the test.
 */
export const idb = { openDB: (): unknown => undefined };

/**
 * IndexedDB in memory, as far as `idb` is used here: a database survives those who opened it. Replaces the browser's in
 * tests in Node, besides those in a browser.
 */
export function indexedDbInMemory() {
	const faults: Faults = { put: null, read: null };
	const databases = new Map<string, Database>();
	vi.stubGlobal('IDBKeyRange', KeyRange);
	const openDB = async (
		name: string,
		_version: number,
		{ upgrade }: { upgrade: (created: Database) => void }
	): Promise<Database> => {
		const known = databases.get(name);
		if (known) return known;
		const created = new Database(faults);
		databases.set(name, created);
		upgrade(created);
		return created;
	};
	return { openDB, faults, clear: () => databases.clear() };
}
