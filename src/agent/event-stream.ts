/**
 * Queue of one run's events for one consumer. Pushing never blocks; each event costs the same regardless of the
 * queue's length.
 */
export class EventQueue<T> implements AsyncIterable<T> {
	#waiting: T[] = [];
	#head = 0;
	#ended = false;
	#taken = false;
	#wake: (() => void) | null = null;

	push(event: T): void {
		if (this.#ended) return;
		this.#waiting.push(event);
		this.#wake?.();
	}

	/** Ends the stream after the events that are queued. */
	end(): void {
		this.#ended = true;
		this.#wake?.();
	}

	/** @throws TypeError on a second consumer, which would get only part of the events */
	[Symbol.asyncIterator](): AsyncIterator<T> {
		if (this.#taken) throw new TypeError('The events of a run have one consumer. Read session.events for more.');
		this.#taken = true;
		return {
			next: () => this.#next(),
			return: () => {
				this.#ended = true;
				this.#waiting = [];
				this.#head = 0;
				return Promise.resolve({ done: true, value: undefined });
			}
		};
	}

	/** Not `async`: most events are already queued when they are requested. */
	#next(): Promise<IteratorResult<T>> {
		if (this.#head < this.#waiting.length) return Promise.resolve({ done: false, value: this.#take() });
		if (this.#ended) return Promise.resolve({ done: true, value: undefined });
		return this.#wait();
	}

	async #wait(): Promise<IteratorResult<T>> {
		while (this.#head >= this.#waiting.length) {
			if (this.#ended) return { done: true, value: undefined };
			await new Promise<void>((resolve) => (this.#wake = resolve));
			this.#wake = null;
		}
		return { done: false, value: this.#take() };
	}

	#take(): T {
		const value = this.#waiting[this.#head] as T;
		this.#head += 1;
		// Drop consumed events now and then, so that reading stays O(1) per event.
		if (this.#head === this.#waiting.length || this.#head > 1024) {
			this.#waiting = this.#waiting.slice(this.#head);
			this.#head = 0;
		}
		return value;
	}
}

/** All events of a session, for any number of readers: each starts at the first and ends when the log ends. */
export class EventBroadcast<T> implements AsyncIterable<T> {
	readonly #events: T[];
	#ended = false;
	#wakes = new Set<() => void>();

	/** @param earlier events of a session that is being reopened */
	constructor(earlier: readonly T[] = []) {
		this.#events = [...earlier];
	}

	push(event: T): void {
		this.#events.push(event);
		this.#wakeAll();
	}

	end(): void {
		this.#ended = true;
		this.#wakeAll();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<T> {
		for (let index = 0; ; index++) {
			while (index >= this.#events.length) {
				if (this.#ended) return;
				await new Promise<void>((resolve) => this.#wakes.add(resolve));
			}
			yield this.#events[index] as T;
		}
	}

	#wakeAll(): void {
		if (this.#wakes.size === 0) return;
		const wakes = this.#wakes;
		this.#wakes = new Set();
		for (const wake of wakes) wake();
	}
}
