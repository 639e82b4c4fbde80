import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { SessionSummary } from './contract.ts';

/** *Recent sessions* and each session's small page state, in IndexedDB; all tabs are notified of changes. */
interface ListDatabase extends DBSchema {
	sessions: { key: string; value: SessionSummary };
	page: { key: [sessionId: string, key: string]; value: unknown };
}

/** Key used in place of a session id for sessions that are not in the list yet. */
// Stored in users' browsers, so the value must not change.
const CREATING = 'begun';
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

	/** Records a session that is being created and not listed yet. */
	async begin(id: string): Promise<void> {
		await this.#database.put('page', Date.now(), [CREATING, id]);
	}

	/** Lists a session that is complete. */
	async enlist(summary: SessionSummary): Promise<void> {
		const transaction = this.#database.transaction(['sessions', 'page'], 'readwrite');
		await Promise.all([
			transaction.objectStore('sessions').put(summary),
			transaction.objectStore('page').delete([CREATING, summary.id]),
			transaction.done
		]);
		this.#changed();
	}

	/** Removes a session's records. */
	async forget(id: string): Promise<void> {
		await this.#database.delete('page', [CREATING, id]);
	}

	/** Sessions being created, and those whose creation was interrupted. */
	async creating(): Promise<string[]> {
		const keys = await this.#database.getAllKeys('page', IDBKeyRange.bound([CREATING], [CREATING, []]));
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
