import type { Media } from './media.ts';
import type { OpenedSession, StorageCalls } from './messages.ts';
import { SessionFiles } from './session-files.ts';

type Handlers = {
	[Call in keyof StorageCalls]: (...args: Parameters<StorageCalls[Call]>) => Promise<ReturnType<StorageCalls[Call]>>;
};

type ReadFiles = Pick<SessionFiles, 'state' | 'pack' | 'readBlob'>;

const FLUSH_AFTER_MS = 50;

/**
 * Implementation of the storage worker, independent of the medium. Calls are executed sequentially, and so are
 * the flushes in between: consistency depends on the order in which a session's three files reach the disk.
 */
export class OpenSessions {
	readonly #opened = new Map<string, SessionFiles>();
	readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
	#last: Promise<unknown> = Promise.resolve();
	/** Trees and contents never change under their ids: one parse of the files serves many reads. */
	#lastRead: { sessionId: string; files: ReadFiles } | null = null;

	/**
	 * Creates an executor without open sessions.
	 * @param onUnflushed called when a background flush fails; the next requested flush retries
	 */
	constructor(
		private readonly media: Media,
		private readonly onUnflushed: (error: unknown) => void
	) {}

	/** Executes one call after all earlier ones have ended. Rejects if the call does. */
	run<Call extends keyof StorageCalls>(
		call: Call,
		args: Parameters<StorageCalls[Call]>
	): Promise<ReturnType<StorageCalls[Call]>> {
		const handler: (...args: Parameters<StorageCalls[Call]>) => Promise<ReturnType<StorageCalls[Call]>> =
			this.#handlers[call];
		return this.#next(() => handler(...args));
	}

	#next<T>(task: () => Promise<T>): Promise<T> {
		const result = this.#last.then(task);
		// The caller gets the error; the next call runs regardless.
		this.#last = result.catch(() => undefined);
		return result;
	}

	readonly #handlers: Handlers = {
		open: async (sessionId) => {
			const { folder, medium } = await this.media.folderOf(sessionId);
			const files = this.#opened.get(sessionId) ?? (await SessionFiles.open(folder));
			this.#opened.set(sessionId, files);
			return toldOf(files, medium);
		},
		fork: async (sessionId, from, start) => {
			// This session was opened before and could not be closed.
			await this.#handlers.close(sessionId).catch(() => undefined);
			await this.media.remove(sessionId);
			const { folder, medium } = await this.media.folderOf(sessionId);
			const files = await SessionFiles.fork(folder, await this.#reader(from), start);
			this.#opened.set(sessionId, files);
			return toldOf(files, medium);
		},
		peek: async (sessionId) => {
			const { folder, medium } = await this.media.folderOf(sessionId);
			const files = this.#opened.get(sessionId);
			return files ? toldOf(files, medium) : { ...(await SessionFiles.readLog(folder)), medium };
		},
		endReading: async (sessionId) => {
			if (this.#lastRead?.sessionId === sessionId) this.#lastRead = null;
		},
		appendEntries: (sessionId, entries) => this.#change(sessionId, (files) => files.appendEntries(entries)),
		appendChanges: (sessionId, changes) => this.#change(sessionId, (files) => files.appendChanges(changes)),
		addTreePart: (sessionId, id, part) => this.#change(sessionId, async (files) => files.addTreePart(id, part)),
		addTree: (sessionId, id, tree) => this.#change(sessionId, (files) => files.addTree(id, tree)),
		addBlobs: (sessionId, contents) => this.#change(sessionId, (files) => files.addBlobs(contents)),
		files: async (sessionId) => {
			const stored = await this.#reader(sessionId);
			const result: { path: string; mode: number; bytes: Uint8Array | null }[] = [];
			for (const [path, entry] of stored.state.files) {
				const bytes = entry.blob === '' ? new Uint8Array() : await stored.readBlob(entry.blob);
				result.push({ path, mode: entry.mode, bytes });
			}
			return result;
		},
		raw: async (sessionId) => {
			// The fork must include everything appended so far.
			await this.#opened.get(sessionId)?.flush();
			return SessionFiles.readRaw((await this.media.folderOf(sessionId)).folder);
		},
		readTree: async (sessionId, id) =>
			(await this.#reader(sessionId, ({ state }) => state.tree(id) !== undefined)).state.tree(id) ?? null,
		readBlob: async (sessionId, id) => (await this.#reader(sessionId, ({ pack }) => pack.has(id))).readBlob(id),
		flush: async (sessionId) => {
			this.#stopTimer(sessionId);
			await this.#opened.get(sessionId)?.flush();
		},
		close: async (sessionId) => {
			this.#stopTimer(sessionId);
			const files = this.#opened.get(sessionId);
			this.#opened.delete(sessionId);
			await files?.close();
		},
		remove: async (sessionId) => {
			await this.#handlers.close(sessionId);
			await this.#handlers.endReading(sessionId);
			await this.media.remove(sessionId);
		}
	};

	async #change(sessionId: string, change: (files: SessionFiles) => Promise<void>): Promise<void> {
		const files = this.#opened.get(sessionId);
		if (!files) throw new Error('This session is not open for writing in this tab.');
		await change(files);
		if (this.#timers.has(sessionId)) return;
		const flush = () => {
			this.#timers.delete(sessionId);
			this.#next(async () => this.#opened.get(sessionId)?.flush()).catch(this.onUnflushed);
		};
		this.#timers.set(sessionId, setTimeout(flush, FLUSH_AFTER_MS));
	}

	/**
	 * Reads through the open files if this tab has them, else from disk.
	 *
	 * @param suffices whether the files read earlier are enough; by default it is read again, since another tab may
	 * have written meanwhile
	 */
	async #reader(sessionId: string, suffices: (files: ReadFiles) => boolean = () => false): Promise<ReadFiles> {
		const opened = this.#opened.get(sessionId);
		if (opened) return opened;
		if (this.#lastRead?.sessionId === sessionId && suffices(this.#lastRead.files)) return this.#lastRead.files;
		const files = await SessionFiles.readFiles((await this.media.folderOf(sessionId)).folder);
		this.#lastRead = { sessionId, files };
		return files;
	}

	#stopTimer(sessionId: string): void {
		clearTimeout(this.#timers.get(sessionId));
		this.#timers.delete(sessionId);
	}
}

function toldOf({ entries, state, warnings, damage }: SessionFiles, medium: OpenedSession['medium']): OpenedSession {
	return { entries, trees: state.treeIds(), warnings, damage, medium };
}
