/** Result of {@link Mailbox.take} if the next message is on the browser's port. */
export const ELSEWHERE = Symbol('the next message comes over the port');

const HEADER_BYTES = 16;
const START_BYTES = 4096;
/** A longer backlog is refused. Only reserved as address space; memory is used as it grows. */
const MAX_BYTES = 64 * 1024 * 1024;
const Word = { lock: 0, read: 1, end: 2 } as const;
const ELSEWHERE_LENGTH = -1;

type GrowableMemory = SharedArrayBuffer & { grow(bytes: number): void };

/** Returns whether threads can share growable memory. */
export const canShareMailboxes = (): boolean =>
	typeof SharedArrayBuffer === 'function' && 'grow' in SharedArrayBuffer.prototype;

/** Creates the memory of a mailbox, to be sent to another thread. */
export function createMailboxMemory(): SharedArrayBuffer {
	const Growable = SharedArrayBuffer as unknown as new (
		bytes: number,
		options: { maxByteLength: number }
	) => SharedArrayBuffer;
	return new Growable(START_BYTES, { maxByteLength: MAX_BYTES });
}

/**
 * Queue of messages in shared memory, from one thread to another: the receiver can read it without returning to
 * its event loop, which a browser's port does not allow.
 */
export class Mailbox {
	readonly #words: Int32Array;

	constructor(readonly memory: SharedArrayBuffer) {
		this.#words = new Int32Array(memory, 0, HEADER_BYTES / 4);
	}

	/** @returns false if there is no room */
	add(bytes: Uint8Array): boolean {
		return this.#locked(() => this.#append(bytes.length, bytes));
	}

	/** Records that the next message is on the port. */
	addElsewhere(): void {
		this.#locked(() => this.#append(ELSEWHERE_LENGTH, new Uint8Array()));
	}

	/** Removes the newest record of {@link addElsewhere}, whose message could not be sent. */
	retractElsewhere(): void {
		this.#locked(() => {
			this.#words[Word.end] = this.#word(Word.end) - 4;
		});
	}

	/** Returns the oldest message and removes it; {@link ELSEWHERE} stays until {@link passElsewhere}. */
	take(): Uint8Array | typeof ELSEWHERE | null {
		return this.#locked(() => {
			const at = this.#word(Word.read);
			if (at === this.#word(Word.end)) return null;
			const length = this.#lengthAt(at);
			if (length === ELSEWHERE_LENGTH) return ELSEWHERE;
			const start = HEADER_BYTES + at + 4;
			this.#words[Word.read] = at + 4 + padded(length);
			return new Uint8Array(this.memory, start, length).slice();
		});
	}

	/** Removes the oldest record of a message on the port, which has arrived. */
	passElsewhere(): void {
		this.#locked(() => {
			const at = this.#word(Word.read);
			if (at < this.#word(Word.end) && this.#lengthAt(at) === ELSEWHERE_LENGTH) this.#words[Word.read] = at + 4;
		});
	}

	#append(length: number, bytes: Uint8Array): boolean {
		if (this.#word(Word.read) === this.#word(Word.end)) this.#words.fill(0, Word.read);
		const at = this.#word(Word.end);
		const end = at + 4 + padded(bytes.length);
		if (HEADER_BYTES + end > MAX_BYTES) return false;
		if (HEADER_BYTES + end > this.memory.byteLength)
			(this.memory as GrowableMemory).grow(Math.min(MAX_BYTES, 2 * (HEADER_BYTES + end)));
		new Int32Array(this.memory, HEADER_BYTES + at, 1)[0] = length;
		new Uint8Array(this.memory, HEADER_BYTES + at + 4, bytes.length).set(bytes);
		this.#words[Word.end] = end;
		return true;
	}

	#word(index: number): number {
		return this.#words[index] ?? 0;
	}

	#lengthAt(at: number): number {
		return new Int32Array(this.memory, HEADER_BYTES + at, 1)[0] ?? 0;
	}

	/** Both ends hold the lock for the duration of one copy. */
	#locked<Value>(work: () => Value): Value {
		while (Atomics.compareExchange(this.#words, Word.lock, 0, 1) !== 0) Atomics.wait(this.#words, Word.lock, 1, 1);
		try {
			return work();
		} finally {
			Atomics.store(this.#words, Word.lock, 0);
			Atomics.notify(this.#words, Word.lock);
		}
	}
}

/** Length in memory, rounded up to whole words. */
const padded = (bytes: number): number => (bytes + 3) & ~3;
