import type { ExecutionEnvironment } from '../environment/contract.ts';

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

	constructor(environment: ExecutionEnvironment) {
		this.#detach = environment.onChange(() => {
			this.#timer ??= setTimeout(() => this.notify(), this.#nextGap());
		});
	}

	notify(): void {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		this.#lastMs = performance.now();
		for (const listener of this.#listeners) listener();
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
		this.#listeners.clear();
		this.#detach();
	}
}
