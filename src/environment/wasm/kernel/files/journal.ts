import type { VolumeChange } from './volume.ts';

export interface JournalEntry extends VolumeChange {
	seq: number;
}

/**
 * Carries the changes of a volume to the page, in order. The next batch leaves when the page has
 * taken the last one; until then writes to one file in a row become one, so a file that grows line
 * by line is not sent once a line.
 */
export class Journal {
	#pending: VolumeChange[] = [];
	#seq = 0;
	#inFlight = false;
	#scheduled = false;
	#flushed: (() => void)[] = [];

	constructor(private readonly send: (entries: JournalEntry[]) => void) {}

	record(change: VolumeChange): void {
		const last = this.#pending.at(-1);
		if (last?.kind === 'write' && change.kind === 'write' && last.path === change.path) this.#pending.pop();
		this.#pending.push(change);
		if (this.#scheduled) return;
		this.#scheduled = true;
		queueMicrotask(() => {
			this.#scheduled = false;
			this.#flush();
		});
	}

	/** The page has taken the batch in flight. */
	taken(): void {
		this.#inFlight = false;
		this.#flush();
		if (!this.#inFlight) for (const resolve of this.#flushed.splice(0)) resolve();
	}

	/** Resolves when the page has taken all that was recorded so far. */
	async settled(): Promise<void> {
		this.#flush();
		if (this.#inFlight) await new Promise<void>((resolve) => this.#flushed.push(resolve));
	}

	#flush(): void {
		if (this.#inFlight || this.#pending.length === 0) return;
		const entries = this.#pending.map((change) => ({ seq: ++this.#seq, ...change }));
		this.#pending = [];
		this.#inFlight = true;
		this.send(entries);
	}
}
