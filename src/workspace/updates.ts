import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';

/** Minimum time between two notifications, and the maximum while changes continue, as during an install. */
const SHORTEST_MS = 100;
const LONGEST_MS = 800;
/** Delay if only ignored files changed: listeners would read all files only to get the same result. */
const IGNORED_MS = 3_000;

/**
 * Notifies listeners once per burst of file changes, at most 100 ms after the first; less often the longer the changes
 * continue, and while only ignored files change.
 */
export class Updates {
	readonly #listeners = new Set<() => void>();
	readonly #detach: () => void;
	#timer: ReturnType<typeof setTimeout> | null = null;
	/** Set while the timer waits for changes of ignored files only. */
	#isOfIgnored = false;
	#gapMs = SHORTEST_MS;
	#lastMs = -Infinity;
	/** Unfinished work caused by the last notification. */
	readonly #held = new Set<Promise<unknown>>();

	/** @param isIgnored checks whether a change affects only ignored files */
	constructor(environment: ExecutionEnvironment, isIgnored: (change: FileChange) => boolean = () => false) {
		this.#detach = environment.onChange((change) => {
			const isOfIgnored = isIgnored(change);
			if (this.#timer !== null && (isOfIgnored || !this.#isOfIgnored)) return;
			if (this.#timer !== null) clearTimeout(this.#timer);
			this.#isOfIgnored = isOfIgnored;
			this.#timer = setTimeout(() => void this.#notifyWhenFree(), isOfIgnored ? IGNORED_MS : this.#nextGap());
		});
	}

	/** Delays notifications until this work has ended. */
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

	/** After slow work, waits for as long as the work took, so that the page stays responsive. */
	async #notifyWhenFree(): Promise<void> {
		this.#isOfIgnored = false;
		if (this.#held.size === 0) return this.notify();
		const fromMs = performance.now();
		await Promise.allSettled(this.#held);
		if (this.#timer !== null) this.#timer = setTimeout(() => this.notify(), performance.now() - fromMs);
	}

	/** Listeners read all files: the longer changes continue, the longer the interval. */
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
