import type { ProjectOrigin } from '../workspace/contract.ts';
import type { SessionStore, SessionSummary, StoredSession } from './contract.ts';
import { SessionList } from './list.ts';
import { connectStorage, type Storage } from './storage/client.ts';
import { StoredSessionFiles } from './stored-session.ts';

/** This browser has no session of that id. */
export class SessionNotFound extends Error {
	override readonly name = 'SessionNotFound';
	constructor(readonly sessionId: string) {
		super(
			'This browser has no such session. It may have been deleted, or it lives in another browser; a share link brings it here.'
		);
	}
}

/**
 * Opens this browser's store. Rejects where IndexedDB is missing or blocked.
 *
 * @param worker the storage worker; one is started when absent
 */
export async function openSessionStore(worker?: Worker): Promise<SessionStore> {
	const list = await SessionList.open();
	const port =
		worker ?? new Worker(new URL('./storage/worker.ts', import.meta.url), { type: 'module', name: 'storage' });
	return new BrowserSessionStore(list, connectStorage(port));
}

class BrowserSessionStore implements SessionStore {
	readonly #list: SessionList;
	readonly #storage: Storage;

	constructor(list: SessionList, storage: Storage) {
		this.#list = list;
		this.#storage = storage;
	}

	list(): Promise<SessionSummary[]> {
		return this.#list.all();
	}

	async create(options: {
		origin: ProjectOrigin;
		title: string;
		model: string;
		provider: string;
	}): Promise<StoredSession> {
		const now = Date.now();
		const summary: SessionSummary = {
			...options,
			id: crypto.randomUUID(),
			createdMs: now,
			updatedMs: now,
			changedFiles: 0
		};
		const session = await StoredSessionFiles.open(summary, this.#storage, this.#list, { fresh: true });
		await this.#list.put(summary);
		return session;
	}

	async open(id: string): Promise<StoredSession> {
		const summary = await this.#list.get(id);
		if (!summary) throw new SessionNotFound(id);
		return StoredSessionFiles.open(summary, this.#storage, this.#list);
	}

	async delete(id: string): Promise<void> {
		await this.#storage.remove(id);
		await this.#list.delete(id);
	}

	async rename(id: string, title: string): Promise<void> {
		const summary = await this.#list.get(id);
		if (!summary) throw new SessionNotFound(id);
		await this.#list.put({ ...summary, title });
	}

	async eraseEverything(): Promise<void> {
		for (const { id } of await this.#list.all()) await this.delete(id);
	}

	onChange(listener: () => void): () => void {
		return this.#list.onChange(listener);
	}
}
