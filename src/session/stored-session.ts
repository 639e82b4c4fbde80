import type { SessionEntry } from '#agent/session-log.ts';
import type { ExecutionEnvironment, FileChange, LoadEntry } from '#environment/contract.ts';
import { ContentLost } from '#workspace/checkpoint-store.ts';
import type { Checkpoint } from '#workspace/contract.ts';
import { ChangeBatch } from './change-batch.ts';
import { readTree, StoredChanges } from './changes.ts';
import type { ForkBeginning, SessionSummary, StoredSession } from './contract.ts';
import type { SessionList } from './list.ts';
import { SessionLock } from './lock.ts';
import { StoredSessionLog } from './log.ts';
import { PersistedEnvironment } from './persisted-environment.ts';
import { RecentTrees } from './recent-trees.ts';
import type { Storage } from './storage/client.ts';
import type { Tree } from './storage/file-journal.ts';
import type { OpenedSession, StoredChange } from './storage/messages.ts';
import type { Damage, RawFile } from './storage/damage.ts';
import { openWhenFree } from './storage/open-when-free.ts';
import { sendTree } from './storage/send-tree.ts';
import { parseEntries } from './schema/entries.ts';
import { WriteQueue } from './write-queue.ts';
import { Mode } from '#environment/mode.ts';

/** Bytes of contents sent to the storage worker in one message. */
const BATCH_BYTES = 4_000_000;
const CHECKPOINTS = 'checkpoints';
const HOME = '/home/user';

/** Storage for a session's summary and small values. */
export type SessionRecords = Pick<SessionList, 'begin' | 'get' | 'put' | 'readPage' | 'writePage'>;

/** The session is listed, but the browser no longer has its data. */
export class SessionGone extends Error {
	override readonly name = 'SessionGone';
	constructor(readonly sessionId: string) {
		super(
			'Nothing of this session is left in the browser: it made room for other sites, or the import never ended. Delete it from the list; a share link brings a shared one back.'
		);
	}
}

/** One session on disk, open in this tab; see {@link StoredSession} for the contract. */
export class StoredSessionFiles implements StoredSession {
	readonly log: StoredSessionLog;
	readonly warnings: string[];
	readonly #damage: readonly Damage[];
	#lostFiles: readonly string[] = [];
	#summary: SessionSummary;
	#writable: boolean;
	#checkpoints: Checkpoint[];
	readonly #storage: Storage;
	readonly #list: SessionRecords;
	readonly #lock: SessionLock;
	readonly #listeners = new Set<(writable: boolean) => void>();
	readonly #writes = new WriteQueue((failure) => this.#report(failure));
	/** The changes of the next write. */
	#batch: ChangeBatch | null = null;
	readonly #troubleListeners = new Set<(trouble: Error | null) => void>();
	#trouble: Error | null = null;
	/** Created just now: none of its files is stored yet. */
	#fresh: boolean;
	/** False until the files of a fork are stored: nothing can be written or read before that. */
	#isReady = true;
	/** Cache of trees, which are expensive to transfer. */
	readonly #trees = new RecentTrees();
	#computer: { raw: ExecutionEnvironment; persisted: PersistedEnvironment } | null = null;

	private constructor(
		parts: {
			summary: SessionSummary;
			storage: Storage;
			list: SessionRecords;
			lock: SessionLock;
			writable: boolean;
			fresh: boolean;
		},
		opened: Pick<OpenedSession, 'trees' | 'warnings' | 'damage'>,
		entries: { entries: SessionEntry[]; warnings: string[] },
		checkpoints: Checkpoint[]
	) {
		this.#summary = parts.summary;
		this.#storage = parts.storage;
		this.#list = parts.list;
		this.#lock = parts.lock;
		this.#writable = parts.writable;
		this.#fresh = parts.fresh;
		const stored = opened.trees && new Set(opened.trees);
		// The list is stored separately from the trees: entries whose tree was lost in a crash are not offered.
		this.#checkpoints = stored ? checkpoints.filter(({ tree }) => stored.has(tree)) : checkpoints;
		this.warnings = [...opened.warnings, ...entries.warnings];
		this.#damage = [...opened.damage, ...lostEntries(entries.warnings)];
		const { id } = parts.summary;
		this.log = new StoredSessionLog(entries.entries, {
			append: async (added) => {
				if (!this.#isReady) await this.#writes.flush();
				if (this.#writable) await parts.storage.appendEntries(id, added);
			},
			flush: () => this.#flushStorage()
		});
	}

	/** Opens a session's files; read-only if another tab has it open, or if asked for. */
	static async open(
		summary: SessionSummary,
		storage: Storage,
		list: SessionRecords,
		options: { fresh?: boolean; readOnly?: boolean } = {}
	): Promise<StoredSessionFiles> {
		const { lock, holds } = lockBefore(summary.id);
		const writable = !options.readOnly && (await lock.acquire());
		const opened = writable ? await openWhenFree(storage, summary.id) : await storage.peek(summary.id);
		if (!options.fresh && opened.entries.length === 0 && opened.damage.length === 0) {
			if (writable) await storage.close(summary.id);
			lock.release();
			throw new SessionGone(summary.id);
		}
		const checkpoints = ((await list.readPage(summary.id, CHECKPOINTS)) as Checkpoint[] | undefined) ?? [];
		return holds(
			new StoredSessionFiles(
				{ summary, storage, list, lock, writable, fresh: options.fresh ?? false },
				opened,
				parseEntries(opened.entries),
				checkpoints
			)
		);
	}

	/** Forks another session; see {@link SessionStore.fork}. */
	static async fork(
		summary: SessionSummary,
		storage: Storage,
		list: SessionRecords,
		from: StoredSession,
		{ checkpoint, baseline, files, root, entries }: ForkBeginning
	): Promise<StoredSessionFiles> {
		const { id } = summary;
		const { lock, holds } = lockBefore(id);
		const ids = [...new Set([checkpoint.tree, baseline, files])];
		const locking = lock.acquire().then(async (writable) => {
			// Recorded before any of its files is on disk, so that it can be removed after a crash; this tab already
			// has its lock.
			await list.begin(id);
			return writable;
		});
		const [writable, ...trees] = await Promise.all([locking, ...ids.map((tree) => from.readTree(tree))]);
		const parts = { summary, storage, list, lock, writable, fresh: false };
		const nothing = { entries: [], warnings: [], damage: [] };
		const fork = new StoredSessionFiles(parts, nothing, nothing, [checkpoint]);
		ids.forEach((tree, index) => fork.#trees.add(tree, trees[index] ?? new Map()));
		fork.#isReady = false;
		fork.#add(async () => {
			const copied = storage.fork(id, from.summary.id, { trees: ids, files, root });
			await Promise.all([copied, list.writePage(id, CHECKPOINTS, [checkpoint])]);
			fork.#isReady = true;
		});
		fork.adopt(entries);
		return holds(fork);
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

	/**
	 * Another tab took the session over and waits for the files: pending changes are written, then the files are
	 * closed.
	 */
	async lost(): Promise<void> {
		await this.flush().catch(() => undefined);
		this.#setWritable(false);
		this.#writes.clear();
		this.#batch = null;
		await this.#storage.close(this.#summary.id);
	}

	onWritableChange(listener: (writable: boolean) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	get damage(): readonly Damage[] {
		return this.#lostFiles.length === 0 ? this.#damage : [...this.#damage, { kind: 'files', paths: this.#lostFiles }];
	}

	readRaw(): Promise<RawFile[]> {
		return this.#storage.raw(this.#summary.id);
	}

	async readFiles(): Promise<{ path: string; mode: number; bytes: Uint8Array }[]> {
		await this.#ready();
		const files = await this.#storage.files(this.#summary.id);
		this.#lostFiles = files.flatMap(({ path, bytes }) => (bytes === null ? [path] : []));
		return files.flatMap(({ path, mode, bytes }) => (bytes === null ? [] : [{ path, mode, bytes }]));
	}

	async restoreFiles(environment: ExecutionEnvironment): Promise<void> {
		const files = await this.readFiles();
		const [directories, contents] = [
			files.filter((file) => file.mode === Mode.directory),
			files.filter((file) => file.mode !== Mode.directory)
		];
		for (const directory of directories) await environment.makeDirectory(directory.path);
		// The journal contains real, absolute paths, including those of the home directory.
		await environment.load(entries(contents), { root: '/', restored: true });
	}

	async attach(environment: ExecutionEnvironment): Promise<ExecutionEnvironment> {
		const persisted = new PersistedEnvironment(environment, () => this.flush());
		const changes = new StoredChanges(environment);
		persisted.onChange((change) => this.#addChange(change, changes));
		if (this.#fresh) {
			this.#fresh = false;
			this.#add(async () => {
				for (const root of [environment.workingDirectory(), HOME]) await this.#store(await readTree(root, environment));
			});
		}
		this.#computer = { raw: environment, persisted };
		return persisted;
	}

	async release(): Promise<ExecutionEnvironment | null> {
		const computer = this.#computer;
		this.#computer = null;
		await computer?.raw.endProcesses?.();
		computer?.persisted.leave();
		await this.flush();
		return computer?.raw ?? null;
	}

	adopt(entries: SessionEntry[]): void {
		this.log.adopt(entries.map((entry) => withSessionId(entry, this.#summary.id)));
	}

	checkpoints(): Checkpoint[] {
		return [...this.#checkpoints];
	}

	async addCheckpoint(checkpoint: Checkpoint, tree: Tree): Promise<void> {
		this.#checkpoints.push(checkpoint);
		const known = [...this.#checkpoints];
		this.#trees.add(checkpoint.tree, tree);
		this.#add(async () => {
			await sendTree(this.#storage, this.#summary.id, checkpoint.tree, tree);
			await this.#list.writePage(this.#summary.id, CHECKPOINTS, known);
		});
		// Paths moved here from unstored folders are read for the store after the move: the next writer could
		// otherwise replace the content that the checkpoint refers to. A fork has moved nothing before its own
		// files are stored.
		if (this.#isReady) await this.#writes.settled();
	}

	async keepTree(
		id: string,
		tree: Tree,
		blobs: readonly string[],
		readBlob: (blob: string) => Promise<Uint8Array>
	): Promise<void> {
		this.#add(async () => {
			let batch: Uint8Array[] = [];
			let size = 0;
			const write = async (): Promise<void> => {
				if (batch.length > 0) await this.#storage.addBlobs(this.#summary.id, batch);
				[batch, size] = [[], 0];
			};
			for (const blob of blobs) {
				const bytes = await readBlob(blob);
				batch.push(bytes);
				size += bytes.length;
				if (size > BATCH_BYTES) await write();
			}
			await write();
			await sendTree(this.#storage, this.#summary.id, id, tree);
		});
		await this.flush();
	}

	async readTree(tree: string): Promise<Tree> {
		const known = this.#trees.get(tree);
		if (known) return known;
		// Wait for pending writes, so that they can be read.
		await this.#writes.settled();
		const found = await this.#storage.readTree(this.#summary.id, tree);
		if (!found) throw new Error('The files of this checkpoint are not stored any more.');
		this.#trees.add(tree, found);
		return found;
	}

	async readBlob(blob: string): Promise<Uint8Array> {
		await this.#ready();
		const bytes = await this.#storage.readBlob(this.#summary.id, blob);
		if (!bytes) throw new ContentLost();
		return bytes;
	}

	async update(
		change: Partial<Pick<SessionSummary, 'title' | 'origin' | 'changedFiles' | 'model' | 'provider'>>
	): Promise<void> {
		const known = this.#summary.title;
		this.#summary = { ...this.#summary, ...change, updatedMs: Date.now() };
		if (!this.#writable) return;
		const listed = await this.#list.get(this.#summary.id);
		// Incomplete sessions are not listed; a name that the user changed in another tab is preserved.
		if (!listed) return;
		if (listed.title !== known) this.#summary = { ...this.#summary, title: listed.title };
		await this.#list.put(this.#summary);
	}

	async readPageState<T>(key: string): Promise<T | undefined> {
		return (await this.#list.readPage(this.#summary.id, `page:${key}`)) as T | undefined;
	}

	async writePageState(key: string, value: unknown): Promise<void> {
		if (this.#writable) await this.#list.writePage(this.#summary.id, `page:${key}`, value);
	}

	get trouble(): Error | null {
		return this.#trouble;
	}

	onTrouble(listener: (trouble: Error | null) => void): () => void {
		this.#troubleListeners.add(listener);
		return () => this.#troubleListeners.delete(listener);
	}

	async flush(): Promise<void> {
		try {
			await this.log.flush();
		} catch (failure) {
			this.#report(failure);
			throw failure;
		}
		this.#report(null);
	}

	async close(): Promise<void> {
		if (this.#writable) {
			await this.flush();
			await this.#storage.close(this.#summary.id);
		} else await this.#storage.endReading(this.#summary.id);
		this.#lock.release();
		this.#listeners.clear();
		this.#troubleListeners.clear();
	}

	async #ready(): Promise<void> {
		if (!this.#isReady) await this.#writes.settled();
	}

	async #store(changes: StoredChange[]): Promise<void> {
		if (changes.length > 0) await this.#storage.appendChanges(this.#summary.id, changes);
	}

	#add(write: () => Promise<void>): void {
		// Later changes must not be written before it.
		this.#batch = null;
		if (this.#writable) this.#writes.add(write);
	}

	/** Adds to the pending batch, if there is one. */
	#addChange(change: FileChange, changes: StoredChanges): void {
		if (!this.#writable || this.#batch?.take(change)) return;
		const batch = new ChangeBatch();
		batch.take(change);
		this.#add(async () => {
			// The changes of one message arrive in the same task.
			await Promise.resolve();
			const stored: StoredChange[] = [];
			for (const each of batch.close()) stored.push(...(await changes.of(each)));
			await this.#store(stored);
		});
		this.#batch = batch;
	}

	async #flushStorage(): Promise<void> {
		if (!this.#writable) return;
		await this.#writes.flush();
		await this.#storage.flush(this.#summary.id);
	}

	#report(failure: unknown): void {
		const trouble = failure === null || failure instanceof Error ? failure : new Error(String(failure));
		if (trouble?.message === this.#trouble?.message) return;
		this.#trouble = trouble;
		for (const listener of this.#troubleListeners) listener(trouble);
	}

	#setWritable(writable: boolean): void {
		this.#writable = writable;
		for (const listener of this.#listeners) listener(writable);
	}
}

/**
 * Creates a session's lock before the session exists. If another tab takes it over in between, the session loses it as
 * soon as it is created.
 */
function lockBefore(id: string): {
	lock: SessionLock;
	holds: (session: StoredSessionFiles) => Promise<StoredSessionFiles>;
} {
	let holder: StoredSessionFiles | null = null;
	let isLost = false;
	const lock = new SessionLock(id, () => {
		isLost = true;
		void holder?.lost();
	});
	const holds = async (session: StoredSessionFiles): Promise<StoredSessionFiles> => {
		holder = session;
		if (isLost) await session.lost();
		return session;
	};
	return { lock, holds };
}

async function* entries(files: { path: string; mode: number; bytes: Uint8Array }[]): AsyncIterable<LoadEntry> {
	for (const file of files) yield { ...file, path: file.path.replace(/^\//, '') };
}

/** Complete lines that are not valid entries. */
const lostEntries = (warnings: readonly string[]): Damage[] =>
	warnings.length === 0 ? [] : [{ kind: 'conversation_lines', count: warnings.length }];

/** Events carry the id of the session they belong to. */
function withSessionId(entry: SessionEntry, sessionId: string): SessionEntry {
	if (entry.type === 'session') return { ...entry, sessionId };
	return entry.type === 'event' ? { ...entry, event: { ...entry.event, sessionId } } : entry;
}
