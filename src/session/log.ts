import { branchPath } from '#agent/branch-path.ts';
import type { EntryBody, SessionEntry, SessionLog } from '#agent/session-log.ts';

/** Where a log's new entries go. */
export interface LogSink {
	append(entries: SessionEntry[]): Promise<void>;
	flush(): Promise<void>;
}

/**
 * The session tree of one session, held in memory and written through to storage. A write that
 * fails is kept and tried again at the next flush, so that a full disk that is freed loses nothing.
 */
export class StoredSessionLog implements SessionLog {
	readonly #entries: SessionEntry[];
	readonly #byId = new Map<string, SessionEntry>();
	readonly #sink: LogSink;
	#leaf: string | null;
	#unsent: SessionEntry[] = [];
	#sending: Promise<void> = Promise.resolve();
	#scheduled = false;

	constructor(entries: SessionEntry[], sink: LogSink) {
		this.#entries = entries;
		for (const entry of entries) this.#byId.set(entry.id, entry);
		this.#leaf = entries.at(-1)?.id ?? null;
		this.#sink = sink;
	}

	append(body: EntryBody): string {
		const entry: SessionEntry = { id: this.#newId(), parentId: this.#leaf, timestamp: Date.now(), ...body };
		this.#entries.push(entry);
		this.#byId.set(entry.id, entry);
		this.#leaf = entry.id;
		this.#unsent.push(entry);
		this.#schedule();
		return entry.id;
	}

	/** Takes over another tree as it is, ids included. Throws unless this one is empty. */
	adopt(entries: SessionEntry[]): void {
		if (this.#entries.length > 0) throw new RangeError('Only an empty session can take over another one.');
		for (const entry of entries) {
			this.#entries.push(entry);
			this.#byId.set(entry.id, entry);
			this.#unsent.push(entry);
		}
		this.#leaf = entries.at(-1)?.id ?? null;
		this.#schedule();
	}

	async flush(): Promise<void> {
		await this.#send();
		await this.#sink.flush();
	}

	branch(): SessionEntry[] {
		return branchPath(this.#byId, this.#leaf);
	}

	entries(): SessionEntry[] {
		return [...this.#entries];
	}

	leafId(): string | null {
		return this.#leaf;
	}

	moveTo(entryId: string): void {
		if (!this.#byId.has(entryId)) throw new RangeError(`This session has no entry ${entryId}.`);
		this.#leaf = entryId;
	}

	#newId(): string {
		for (;;) {
			const id = crypto.randomUUID().slice(0, 8);
			if (!this.#byId.has(id)) return id;
		}
	}

	/** One message to the storage worker for all entries of the same task. */
	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		queueMicrotask(() => {
			this.#scheduled = false;
			// A failure is reported by the next flush, which sends the same entries again.
			this.#send().catch(() => {});
		});
	}

	#send(): Promise<void> {
		const attempt = this.#sending
			.catch(() => {})
			.then(async () => {
				// A copy: more is appended while this is on its way.
				const batch = [...this.#unsent];
				if (batch.length === 0) return;
				await this.#sink.append(batch);
				this.#unsent = this.#unsent.slice(batch.length);
			});
		this.#sending = attempt;
		return attempt;
	}
}
