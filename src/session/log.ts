import { branchPath } from '#agent/branch-path.ts';
import type { EntryBody, SessionEntry, SessionLog } from '#agent/session-log.ts';

/** Destination of a log's new entries. */
export interface LogSink {
	append(entries: SessionEntry[]): Promise<void>;
	flush(): Promise<void>;
}

/**
 * The entry tree of one session, in memory and written through to storage. A failed write is kept and retried
 * at the next flush, so that nothing is lost once a full disk has been freed.
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

	/** Copies another tree with its ids. Throws unless this one is empty. */
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

	/** Sends all entries of the same task to the storage worker in one message. */
	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		queueMicrotask(() => {
			this.#scheduled = false;
			// The next flush sends the same entries again and reports the failure.
			this.#send().catch(() => {});
		});
	}

	#send(): Promise<void> {
		const attempt = this.#sending
			.catch(() => {})
			.then(async () => {
				// A copy: more is appended while this is being sent.
				const batch = [...this.#unsent];
				if (batch.length === 0) return;
				await this.#sink.append(batch);
				this.#unsent = this.#unsent.slice(batch.length);
			});
		this.#sending = attempt;
		return attempt;
	}
}
