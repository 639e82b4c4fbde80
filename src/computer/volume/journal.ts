import { slices } from '#environment/parts.ts';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import { isSpecialType } from './inode.ts';

export interface JournalEntry extends VolumeChange {
	seq: number;
	kind: Exclude<VolumeChange['kind'], 'mkfifo' | 'socket'>;
}

/** Limit for one message: listeners in the page do work for each change. */
const BATCH_CHANGES = 250;

/**
 * Sends the changes of a volume to the page, in order. The next batch is sent when the page has acknowledged the last
 * one; until then consecutive writes to one file are merged, so that a file that grows line by line is not sent once
 * per line.
 */
export class Journal {
	#pending: Omit<JournalEntry, 'seq'>[] = [];
	#seq = 0;
	/** Batches the page has not acknowledged yet. */
	#inFlight = 0;
	#scheduled = false;
	#flushed: (() => void)[] = [];

	constructor(private readonly send: (entries: JournalEntry[]) => void) {}

	record(change: VolumeChange): void {
		// A named pipe or a socket exists while its computer runs: it is neither stored nor shared.
		const { kind } = change;
		if (kind === 'mkfifo' || kind === 'socket' || isSpecialType(change.mode)) return;
		const last = this.#pending.at(-1);
		if (last?.kind === 'write' && change.kind === 'write' && last.path === change.path) this.#pending.pop();
		this.#pending.push({ ...change, kind });
		if (this.#scheduled) return;
		this.#scheduled = true;
		queueMicrotask(() => {
			this.#scheduled = false;
			this.#flush();
		});
	}

	/** The page has acknowledged the batch in flight. */
	taken(): void {
		this.#inFlight = Math.max(0, this.#inFlight - 1);
		this.#flush();
		if (this.#inFlight === 0) for (const resolve of this.#flushed.splice(0)) resolve();
	}

	/** Resolves when the page has acknowledged everything recorded so far. */
	async settled(): Promise<void> {
		this.#flush();
		if (this.#inFlight > 0) await new Promise<void>((resolve) => this.#flushed.push(resolve));
	}

	/** Sends everything recorded so far now, so that it arrives before whatever is sent next. */
	push(): void {
		if (this.#pending.length > 0) this.#send();
	}

	#flush(): void {
		if (this.#inFlight === 0) this.push();
	}

	#send(): void {
		const entries = this.#pending.map((change) => ({ seq: ++this.#seq, ...change }));
		this.#pending = [];
		for (const batch of slices(entries, BATCH_CHANGES)) {
			this.#inFlight++;
			this.send(batch);
		}
	}
}
