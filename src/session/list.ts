import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { SessionSummary } from './contract.ts';

/** *Recent sessions* and each session's small page state, in IndexedDB; changes are told to all tabs. */
interface ListDatabase extends DBSchema {
	sessions: { key: string; value: SessionSummary };
	page: { key: [sessionId: string, key: string]; value: unknown };
}

/** Stands where a session's id does, for what is known of sessions that are not in the list. */
const BEGUN = 'begun';
const CHANNEL = 'sandglass-sessions';

export class SessionList {
	readonly #database: IDBPDatabase<ListDatabase>;
	readonly #channel = new BroadcastChannel(CHANNEL);
	readonly #listeners = new Set<() => void>();

	private constructor(database: IDBPDatabase<ListDatabase>) {
		this.#database = database;
		this.#channel.onmessage = () => this.#notify();
	}

	static async open(): Promise<SessionList> {
		const database = await openDB<ListDatabase>('sandglass', 1, {
			upgrade(created) {
				created.createObjectStore('sessions', { keyPath: 'id' });
				created.createObjectStore('page');
			}
		});
		return new SessionList(database);
	}

	/** Newest first. */
	async all(): Promise<SessionSummary[]> {
		const sessions = await this.#database.getAll('sessions');
		return sessions.sort((a, b) => b.updatedMs - a.updatedMs);
	}

	get(id: string): Promise<SessionSummary | undefined> {
		return this.#database.get('sessions', id);
	}

	/** A session is being made, and not to be listed yet. */
	async begin(id: string): Promise<void> {
		await this.#database.put('page', Date.now(), [BEGUN, id]);
	}

	/** It is made: listed from now on. */
	async enlist(summary: SessionSummary): Promise<void> {
		const transaction = this.#database.transaction(['sessions', 'page'], 'readwrite');
		await Promise.all([
			transaction.objectStore('sessions').put(summary),
			transaction.objectStore('page').delete([BEGUN, summary.id]),
			transaction.done
		]);
		this.#changed();
	}

	/** It is gone. */
	async forget(id: string): Promise<void> {
		await this.#database.delete('page', [BEGUN, id]);
	}

	/** Those being made, and those whose making was broken off. */
	async begun(): Promise<string[]> {
		const keys = await this.#database.getAllKeys('page', IDBKeyRange.bound([BEGUN], [BEGUN, []]));
		return keys.map(([, id]) => id);
	}

	async put(summary: SessionSummary): Promise<void> {
		await this.#database.put('sessions', summary);
		this.#changed();
	}

	async delete(id: string): Promise<void> {
		const transaction = this.#database.transaction(['sessions', 'page'], 'readwrite');
		await Promise.all([
			transaction.objectStore('sessions').delete(id),
			transaction.objectStore('page').delete(IDBKeyRange.bound([id], [id, []])),
			transaction.done
		]);
		this.#changed();
	}

	readPage(id: string, key: string): Promise<unknown> {
		return this.#database.get('page', [id, key]);
	}

	async writePage(id: string, key: string, value: unknown): Promise<void> {
		await this.#database.put('page', value, [id, key]);
	}

	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#changed(): void {
		this.#channel.postMessage(null);
		this.#notify();
	}

	#notify(): void {
		for (const listener of this.#listeners) listener();
	}
}
