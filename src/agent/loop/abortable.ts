import type { ArrivingIterator } from '#llm/arrived.ts';

/** Resolves after `ms`, or at once when the signal fires. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted || ms <= 0) return Promise.resolve();
	return new Promise((resolve) => {
		const done = (): void => {
			clearTimeout(timer);
			signal.removeEventListener('abort', done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		signal.addEventListener('abort', done);
	});
}

/**
 * Reads a stream until the signal fires; then ends at once, without waiting for a producer that may be stuck. Uses one
 * listener for the whole stream, and no generator, since every delta of every response passes through here. Must always
 * be closed.
 */
export class AbortableReader<T> {
	readonly #iterator: ArrivingIterator<T>;
	#interrupt: (() => void) | undefined;
	/** Copy of `signal.aborted`: reading that costs as much as the rest of taking a delta. */
	#aborted: boolean;
	readonly #onAbort = (): void => {
		this.#aborted = true;
		this.#interrupt?.();
	};

	constructor(
		source: AsyncIterable<T>,
		private readonly signal: AbortSignal
	) {
		this.#iterator = source[Symbol.asyncIterator]();
		this.#aborted = signal.aborted;
		signal.addEventListener('abort', this.#onAbort, { once: true });
	}

	/** Returns the next item; `null` at the end and after the signal. Rejects as the producer does. */
	async next(): Promise<{ value: T } | null> {
		if (this.#aborted) return null;
		const step = await new Promise<IteratorResult<T> | null>((resolve, reject) => {
			this.#interrupt = () => resolve(null);
			this.#iterator.next().then(resolve, reject);
		});
		return step === null || step.done ? null : step;
	}

	/** Returns the next item if the producer already has it; nothing after the signal. */
	arrived(): T | undefined {
		return this.#aborted ? undefined : this.#iterator.arrived?.();
	}

	/** Aborts the producer. */
	close(): void {
		this.signal.removeEventListener('abort', this.#onAbort);
		// Not awaited: a generator stuck in a read answers only when the read does.
		this.#iterator.return?.()?.then(undefined, () => undefined);
	}
}

/** Resolves to the work's outcome, or to `fallback` if it is not available `graceMs` after the signal fired. */
export function withinGrace<T>(work: Promise<T>, signal: AbortSignal, graceMs: number, fallback: () => T): Promise<T> {
	return new Promise((resolve, reject) => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const onAbort = (): void => {
			timer = setTimeout(() => resolve(fallback()), graceMs);
		};
		if (signal.aborted) onAbort();
		else signal.addEventListener('abort', onAbort, { once: true });
		work.then(resolve, reject).finally(() => {
			clearTimeout(timer);
			signal.removeEventListener('abort', onAbort);
		});
	});
}
