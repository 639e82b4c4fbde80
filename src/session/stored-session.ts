import type { SessionEntry } from '../agent/session-log.ts';
import type { ExecutionEnvironment, LoadEntry } from '../environment/contract.ts';
import type { Checkpoint } from '../workspace/contract.ts';
import { readTree, toStoredChanges } from './changes.ts';
import type { SessionSummary, StoredSession } from './contract.ts';
import type { SessionList } from './list.ts';
import { SessionLock } from './lock.ts';
import { StoredSessionLog } from './log.ts';
import { PersistedEnvironment } from './persisted-environment.ts';
import { LockedError, type Storage } from './storage/client.ts';
import type { Tree } from './storage/file-journal.ts';
import type { OpenedSession, StoredChange } from './storage/messages.ts';
import { parseEntries } from './schema/entries.ts';

const DIRECTORY = 0o40000;
const CHECKPOINTS = 'checkpoints';
const HOME = '/home/user';

/** One session on disk, open in this tab; see {@link StoredSession} for the contract. */
export class StoredSessionFiles implements StoredSession {
	readonly log: StoredSessionLog;
	readonly warnings: string[];
	readonly medium: OpenedSession['medium'];
	#summary: SessionSummary;
	#writable: boolean;
	#checkpoints: Checkpoint[];
	readonly #storage: Storage;
	readonly #list: SessionList;
	readonly #lock: SessionLock;
	readonly #listeners = new Set<(writable: boolean) => void>();
	/** Every write to storage in order; a rejection is kept until `flush` tells it. */
	#writes: Promise<void> = Promise.resolve();
	#failure: Error | null = null;
	/** Made just now: nothing of its files is stored yet. */
	#fresh: boolean;

	private constructor(
		parts: {
			summary: SessionSummary;
			storage: Storage;
			list: SessionList;
			lock: SessionLock;
			writable: boolean;
			fresh: boolean;
		},
		opened: OpenedSession,
		entries: { entries: SessionEntry[]; warnings: string[] },
		checkpoints: Checkpoint[]
	) {
		this.#summary = parts.summary;
		this.#storage = parts.storage;
		this.#list = parts.list;
		this.#lock = parts.lock;
		this.#writable = parts.writable;
		this.#fresh = parts.fresh;
		this.#checkpoints = checkpoints;
		this.medium = opened.medium;
		this.warnings = [...opened.warnings, ...entries.warnings];
		const { id } = parts.summary;
		this.log = new StoredSessionLog(entries.entries, {
			append: (added) => (this.#writable ? parts.storage.appendEntries(id, added) : Promise.resolve()),
			flush: () => this.#flushStorage()
		});
	}

	/** Opens a session's files; without the right to write where another tab has it. */
	static async open(
		summary: SessionSummary,
		storage: Storage,
		list: SessionList,
		options: { fresh?: boolean } = {}
	): Promise<StoredSessionFiles> {
		const session: { current?: StoredSessionFiles } = {};
		const lock = new SessionLock(summary.id, () => void session.current?.lost());
		const writable = await lock.acquire();
		const opened = writable ? await openWhenFree(storage, summary.id) : await storage.peek(summary.id);
		const checkpoints = ((await list.readPage(summary.id, CHECKPOINTS)) as Checkpoint[] | undefined) ?? [];
		session.current = new StoredSessionFiles(
			{ summary, storage, list, lock, writable, fresh: options.fresh ?? false },
			opened,
			parseEntries(opened.entries),
			checkpoints
		);
		return session.current;
	}

	get summary(): SessionSummary {
		return this.#summary;
	}

	get writable(): boolean {
		return this.#writable;
	}

	async takeOver(): Promise<void> {
		if (this.#writable) return;
		await this.#lock.steal();
		await openWhenFree(this.#storage, this.#summary.id);
		this.#setWritable(true);
	}

	/** Another tab took the session over: stop writing and let go of the files. */
	async lost(): Promise<void> {
		this.#setWritable(false);
		await this.#storage.close(this.#summary.id);
	}

	onWritableChange(listener: (writable: boolean) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	async restoreFiles(environment: ExecutionEnvironment): Promise<void> {
		const files = await this.#storage.files(this.#summary.id);
		const [directories, contents] = [
			files.filter((file) => file.mode === DIRECTORY),
			files.filter((file) => file.mode !== DIRECTORY)
		];
		for (const directory of directories) await environment.makeDirectory(directory.path);
		await environment.load(entries(contents));
	}

	async attach(environment: ExecutionEnvironment): Promise<ExecutionEnvironment> {
		environment.onChange((change) => this.#write(async () => this.#store(await toStoredChanges(change, environment))));
		if (this.#fresh) {
			this.#fresh = false;
			this.#write(async () => {
				for (const root of [environment.workingDirectory(), HOME]) await this.#store(await readTree(root, environment));
			});
			await this.flush();
		}
		// A failure is told by the session, whose next flush meets it again.
		return new PersistedEnvironment(
			environment,
			() => this.flush(),
			(error) => this.#keepFailure(error)
		);
	}

	adopt(entries: SessionEntry[]): void {
		this.log.adopt(entries.map((entry) => withSessionId(entry, this.#summary.id)));
	}

	checkpoints(): Checkpoint[] {
		return [...this.#checkpoints];
	}

	async addCheckpoint(checkpoint: Checkpoint, tree: Tree): Promise<void> {
		this.#checkpoints.push(checkpoint);
		this.#write(() => this.#storage.addTree(this.#summary.id, checkpoint.tree, tree));
		if (this.#writable) await this.#list.writePage(this.#summary.id, CHECKPOINTS, this.#checkpoints);
	}

	async readTree(tree: string): Promise<Tree> {
		const found = await this.#storage.readTree(this.#summary.id, tree);
		if (!found) throw new Error('The files of this checkpoint are not stored any more.');
		return found;
	}

	async readBlob(blob: string): Promise<Uint8Array> {
		const bytes = await this.#storage.readBlob(this.#summary.id, blob);
		if (!bytes) throw new Error('The content of a file in this checkpoint is not stored any more.');
		return bytes;
	}

	async update(change: Partial<Pick<SessionSummary, 'title' | 'changedFiles' | 'model' | 'provider'>>): Promise<void> {
		this.#summary = { ...this.#summary, ...change, updatedMs: Date.now() };
		if (this.#writable) await this.#list.put(this.#summary);
	}

	async readPageState<T>(key: string): Promise<T | undefined> {
		return (await this.#list.readPage(this.#summary.id, `page:${key}`)) as T | undefined;
	}

	async writePageState(key: string, value: unknown): Promise<void> {
		if (this.#writable) await this.#list.writePage(this.#summary.id, `page:${key}`, value);
	}

	async flush(): Promise<void> {
		await this.log.flush();
	}

	async close(): Promise<void> {
		if (this.#writable) {
			await this.flush();
			await this.#storage.close(this.#summary.id);
		}
		this.#lock.release();
		this.#listeners.clear();
	}

	async #store(changes: StoredChange[]): Promise<void> {
		if (changes.length > 0) await this.#storage.appendChanges(this.#summary.id, changes);
	}

	#write(task: () => Promise<void>): void {
		if (!this.#writable) return;
		this.#writes = this.#writes.then(task).catch((error: unknown) => this.#keepFailure(error));
	}

	#keepFailure(error: unknown): void {
		this.#failure = error instanceof Error ? error : new Error(String(error));
	}

	async #flushStorage(): Promise<void> {
		await this.#writes;
		if (this.#writable) await this.#storage.flush(this.#summary.id);
		const failure = this.#failure;
		this.#failure = null;
		if (failure) throw failure;
	}

	#setWritable(writable: boolean): void {
		this.#writable = writable;
		for (const listener of this.#listeners) listener(writable);
	}
}

async function* entries(files: { path: string; mode: number; bytes: Uint8Array }[]): AsyncIterable<LoadEntry> {
	yield* files;
}

/** The tab that lost the lock needs a moment to let go of its files: asked again until it has, at most 5 s. */
async function openWhenFree(storage: Storage, id: string): Promise<OpenedSession> {
	const until = Date.now() + 5000;
	for (;;) {
		try {
			return await storage.open(id);
		} catch (error) {
			if (!(error instanceof LockedError) || Date.now() > until) throw error;
			await new Promise((resolve) => setTimeout(resolve, 25));
		}
	}
}

/** Events carry the id of the session they belong to. */
function withSessionId(entry: SessionEntry, sessionId: string): SessionEntry {
	if (entry.type === 'session') return { ...entry, sessionId };
	return entry.type === 'event' ? { ...entry, event: { ...entry.event, sessionId } } : entry;
}
