import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { StorageFullError, type AppendFile, type AppendFolder } from './append-file.ts';

/** Fallback for browsers without an origin private file system: a file is a row of chunks. */
interface ChunkDatabase extends DBSchema {
	chunks: { key: [folder: string, file: string, index: number]; value: Uint8Array };
}

interface StoredChunk {
	index: number;
	bytes: Uint8Array;
}

class IndexedDbFile implements AppendFile {
	readonly #database: IDBPDatabase<ChunkDatabase>;
	readonly #folder: string;
	readonly #name: string;
	/** Start offset of each chunk and its key: a lost chunk leaves a gap in the keys. */
	#chunks: { start: number; index: number }[] = [];
	#size = 0;
	#pending: Promise<unknown> = Promise.resolve();
	readonly #unlock: () => void;

	constructor(
		place: { database: IDBPDatabase<ChunkDatabase>; folder: string; name: string; unlock: () => void },
		chunks: readonly StoredChunk[]
	) {
		this.#database = place.database;
		this.#folder = place.folder;
		this.#name = place.name;
		this.#unlock = place.unlock;
		for (const { index, bytes } of chunks) {
			this.#chunks.push({ start: this.#size, index });
			this.#size += bytes.length;
		}
	}

	size(): number {
		return this.#size;
	}

	async append(bytes: Uint8Array): Promise<void> {
		const index = (this.#chunks.at(-1)?.index ?? -1) + 1;
		const key: [string, string, number] = [this.#folder, this.#name, index];
		try {
			this.#pending = this.#database.put('chunks', bytes.slice(), key);
			await this.#pending;
		} catch (error) {
			this.#pending = Promise.resolve();
			if (error instanceof DOMException && error.name === 'QuotaExceededError') throw new StorageFullError();
			throw error;
		}
		this.#chunks.push({ start: this.#size, index });
		this.#size += bytes.length;
	}

	async read(offset: number, length: number): Promise<Uint8Array> {
		const end = Math.min(offset + length, this.#size);
		const result = new Uint8Array(Math.max(0, end - offset));
		if (result.length === 0) return result;
		const first = Math.max(
			0,
			this.#chunks.findLastIndex(({ start }) => start <= offset)
		);
		let filled = 0;
		for (const { start, index } of this.#chunks.slice(first)) {
			if (start >= end) break;
			const chunk = await this.#database.get('chunks', [this.#folder, this.#name, index]);
			if (!chunk) break;
			const from = Math.max(0, offset - start);
			const to = Math.min(chunk.length, end - start);
			result.set(chunk.subarray(from, to), start + from - offset);
			filled += to - from;
		}
		// The chunk existed when the file was opened: it must not be replaced by zeros.
		if (filled !== result.length)
			throw new DOMException(`A part of ${this.#name} is gone from the browser.`, 'InvalidStateError');
		return result;
	}

	/** Uses one transaction: a crash leaves either the old or the new file. */
	async truncate(size: number): Promise<void> {
		const remaining = await this.read(0, size);
		const transaction = this.#database.transaction('chunks', 'readwrite');
		await Promise.all([
			transaction.store.delete(IDBKeyRange.bound([this.#folder, this.#name, 0], [this.#folder, this.#name, Infinity])),
			transaction.store.put(remaining, [this.#folder, this.#name, 0]),
			transaction.done
		]);
		this.#chunks = [{ start: 0, index: 0 }];
		this.#size = remaining.length;
	}

	async flush(): Promise<void> {
		await this.#pending;
	}

	async close(): Promise<void> {
		await this.#pending;
		this.#unlock();
	}
}

class IndexedDbFolder implements AppendFolder {
	readonly #database: IDBPDatabase<ChunkDatabase>;
	readonly #folder: string;

	constructor(database: IDBPDatabase<ChunkDatabase>, folder: string) {
		this.#database = database;
		this.#folder = folder;
	}

	/**
	 * Rejects with `NoModificationAllowedError` while another tab holds the file, like the origin private file
	 * system.
	 */
	async open(name: string): Promise<AppendFile> {
		const unlock = await lockFile(`${this.#folder}/${name}`);
		try {
			const place = { database: this.#database, folder: this.#folder, name, unlock };
			return new IndexedDbFile(place, await this.#chunks(name));
		} catch (error) {
			unlock();
			throw error;
		}
	}

	async readWhole(name: string): Promise<Uint8Array | null> {
		const chunks = await this.#chunks(name);
		if (chunks.length === 0) return null;
		const whole = new Uint8Array(chunks.reduce((sum, { bytes }) => sum + bytes.length, 0));
		let offset = 0;
		for (const { bytes } of chunks) {
			whole.set(bytes, offset);
			offset += bytes.length;
		}
		return whole;
	}

	async #chunks(name: string): Promise<StoredChunk[]> {
		const range = IDBKeyRange.bound([this.#folder, name, 0], [this.#folder, name, Infinity]);
		const { store } = this.#database.transaction('chunks');
		const [keys, values] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
		return keys.map(([, , index], at) => ({ index, bytes: values[at] ?? new Uint8Array(0) }));
	}
}

/** Two writers would overwrite each other's chunks. Returns a function that releases the file. */
function lockFile(path: string): Promise<() => void> {
	return new Promise((resolve, reject) => {
		navigator.locks
			.request(`sandglass:file:${path}`, { ifAvailable: true }, (lock) => {
				if (!lock) throw new DOMException('Another tab has this file open.', 'NoModificationAllowedError');
				return new Promise<void>((release) => resolve(release));
			})
			.catch(reject);
	});
}

export async function openIndexedDbFolder(sessionId: string): Promise<AppendFolder> {
	return new IndexedDbFolder(await openChunks(), sessionId);
}

export async function removeIndexedDbFolder(sessionId: string): Promise<void> {
	const database = await openChunks();
	await database.delete('chunks', IDBKeyRange.bound([sessionId], [sessionId, []]));
}

let opened: Promise<IDBPDatabase<ChunkDatabase>> | undefined;

function openChunks(): Promise<IDBPDatabase<ChunkDatabase>> {
	opened ??= openDB<ChunkDatabase>('sandglass-files', 1, {
		upgrade: (database) => void database.createObjectStore('chunks')
	});
	return opened;
}
