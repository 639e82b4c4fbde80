import type { ProjectOrigin } from '#workspace/contract.ts';
import type { ForkBeginning, SessionStore, SessionSummary, StoredSession } from './contract.ts';
import { SessionList } from './list.ts';
import { SessionLock } from './lock.ts';
import { connectStorage, type Storage } from './storage/client.ts';
import type { RawFile } from './storage/damage.ts';
import { storageWorkerAddress } from './storage/worker-address.ts';
import { StoredSessionFiles } from './stored-session.ts';

/** This browser has no session with that id. */
export class SessionNotFound extends Error {
	override readonly name = 'SessionNotFound';
	constructor(readonly sessionId: string) {
		super(
			'This browser has no such session. It may have been deleted, or it lives in another browser; a share link brings it here.'
		);
	}
}

/**
 * Opens this browser's store. Rejects if IndexedDB is missing or blocked.
 *
 * @param worker the storage worker; one is started when absent
 */
export async function openSessionStore(worker?: Worker): Promise<SessionStore> {
	const list = await SessionList.open();
	const port = worker ?? new Worker(storageWorkerAddress, { type: 'module', name: 'storage' });
	const store = new BrowserSessionStore(list, connectStorage(port));
	// Runs in the background; a failure is retried at the next start.
	store.clearUnfinished().catch((error: unknown) => console.warn('Unfinished sessions could not be removed.', error));
	return store;
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
		const summary = newSummary(options);
		const session = await StoredSessionFiles.open(summary, this.#storage, this.#list, { fresh: true });
		// Recorded before any of its files is on disk, so that it can be removed after a crash; this tab already
		// has its lock.
		await this.#list.begin(summary.id);
		return session;
	}

	fork(from: StoredSession, begin: ForkBeginning): Promise<StoredSession> {
		const { origin, model, provider } = from.summary;
		const summary = newSummary({ origin, model, provider, title: begin.title });
		return StoredSessionFiles.fork(summary, this.#storage, this.#list, from, begin);
	}

	async enlist(session: StoredSession): Promise<void> {
		await this.#list.enlist(session.summary);
	}

	async discard(session: StoredSession): Promise<void> {
		const { id } = session.summary;
		// It may be the cause of the full disk.
		await session.close().catch(() => undefined);
		await this.#clear(id).catch((error: unknown) =>
			console.warn('A session that was not finished is still there.', error)
		);
	}

	/** Removes sessions that other tabs started to create and never completed. */
	async clearUnfinished(): Promise<void> {
		for (const id of await this.#list.creating()) {
			const lock = new SessionLock(id, () => undefined);
			// A tab that is still creating it has its lock.
			if (!(await lock.acquire())) continue;
			try {
				await this.#clear(id);
			} finally {
				lock.release();
			}
		}
	}

	async #clear(id: string): Promise<void> {
		await this.delete(id);
		await this.#list.forget(id);
	}

	async open(id: string): Promise<StoredSession> {
		return StoredSessionFiles.open(await this.#summary(id), this.#storage, this.#list);
	}

	async read(id: string): Promise<StoredSession> {
		return StoredSessionFiles.open(await this.#summary(id), this.#storage, this.#list, { readOnly: true });
	}

	/** @throws SessionNotFound */
	async #summary(id: string): Promise<SessionSummary> {
		const summary = await this.#list.get(id);
		if (!summary) throw new SessionNotFound(id);
		return summary;
	}

	readRaw(id: string): Promise<RawFile[]> {
		return this.#storage.raw(id);
	}

	async delete(id: string): Promise<void> {
		await this.#storage.remove(id);
		await this.#list.delete(id);
	}

	async rename(id: string, title: string): Promise<void> {
		await this.#list.put({ ...(await this.#summary(id)), title });
	}

	async eraseEverything(): Promise<void> {
		for (const { id } of await this.#list.all()) await this.delete(id);
		await this.clearUnfinished();
	}

	onChange(listener: () => void): () => void {
		return this.#list.onChange(listener);
	}
}

function newSummary(about: Pick<SessionSummary, 'origin' | 'title' | 'model' | 'provider'>): SessionSummary {
	const now = Date.now();
	return { ...about, id: crypto.randomUUID(), createdMs: now, updatedMs: now, changedFiles: 0 };
}
