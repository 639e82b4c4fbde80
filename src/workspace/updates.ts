import type { ExecutionEnvironment } from '#environment/contract.ts';

/** The least time between two notices, and the longest while changes go on and on, as in an install. */
const SHORTEST_MS = 100;
const LONGEST_MS = 800;

/** Tells listeners once for a burst of file changes, at the latest 100 ms after the first; less often the longer they go on. */
export class Updates {
	readonly #listeners = new Set<() => void>();
	readonly #detach: () => void;
	#timer: ReturnType<typeof setTimeout> | null = null;
	#gapMs = SHORTEST_MS;
	#lastMs = -Infinity;
	/** What the last notice has caused and has not ended. */
	readonly #held = new Set<Promise<unknown>>();

	constructor(environment: ExecutionEnvironment) {
		this.#detach = environment.onChange(() => {
			this.#timer ??= setTimeout(() => void this.#notifyWhenFree(), this.#nextGap());
		});
	}

	/** No file change is told before this work has ended. */
	hold(work: Promise<unknown>): void {
		const forget = (): void => void this.#held.delete(work);
		this.#held.add(work);
		work.then(forget, forget);
	}

	notify(): void {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		this.#lastMs = performance.now();
		for (const listener of this.#listeners) listener();
	}

	/** After work that is still going on the page rests as long as that was waited for. */
	async #notifyWhenFree(): Promise<void> {
		if (this.#held.size === 0) return this.notify();
		const fromMs = performance.now();
		await Promise.allSettled(this.#held);
		if (this.#timer !== null) this.#timer = setTimeout(() => this.notify(), performance.now() - fromMs);
	}

	/** Listeners look at all files: what goes on longer is looked at less often. */
	#nextGap(): number {
		const isGoingOn = performance.now() - this.#lastMs < SHORTEST_MS;
		this.#gapMs = isGoingOn ? Math.min(2 * this.#gapMs, LONGEST_MS) : SHORTEST_MS;
		return this.#gapMs;
	}

	listen(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	close(): void {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		this.#listeners.clear();
		this.#detach();
	}
}
