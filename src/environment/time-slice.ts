/** Half a frame, so that input is handled within the frame. */
const SLICE_MS = 8;
/** Steps between two readings of the clock, since reading it has a cost too. */
const STEPS = 32;

/**
 * Divides work that consists of very many small steps into time slices, so that the thread can do other work in
 * between:
 *
 * const slice = new TimeSlice(); for (const each of all) { if (slice.isExpired()) await slice.yieldThread(); … }
 */
export class TimeSlice {
	#steps = 0;
	#fromMs = performance.now();

	/** Counts steps and returns true if the slice is used up. */
	isExpired(steps = 1): boolean {
		this.#steps += steps;
		if (this.#steps < STEPS) return false;
		this.#steps = 0;
		return performance.now() - this.#fromMs > SLICE_MS;
	}

	/** Lets the thread run its queued tasks, then starts the next slice. */
	async yieldThread(): Promise<void> {
		await nextTask();
		this.#fromMs = performance.now();
	}
}

/** Resolves in a new task. A timer would be delayed by a second or more in a background tab. */
export function nextTask(): Promise<void> {
	const { scheduler } = globalThis as { scheduler?: Scheduler };
	if (scheduler) return scheduler.postTask(() => {});
	return new Promise((resolve) => setTimeout(resolve));
}
