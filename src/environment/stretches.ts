/** Half a frame: what a person does meanwhile is answered in the other half. */
const STRETCH_MS = 8;
/** The clock has its price, too: it is read once for so many steps. */
const STEPS = 32;

/**
 * Work of very many small steps on a thread that has other things to do, cut into short stretches:
 *
 *     for (const each of all) {
 *         if (stretches.areOver()) await stretches.pause();
 *         …
 *     }
 */
export class Stretches {
	#steps = 0;
	#fromMs = performance.now();

	/** After some steps: whether it is time to pause. */
	areOver(steps = 1): boolean {
		this.#steps += steps;
		if (this.#steps < STEPS) return false;
		this.#steps = 0;
		return performance.now() - this.#fromMs > STRETCH_MS;
	}

	/** Lets the thread do what waits, then begins the next stretch. */
	async pause(): Promise<void> {
		await nextTask();
		this.#fromMs = performance.now();
	}
}

/** Resolves in a task of its own. A timer would wait for a second or more where the tab is not in front. */
export function nextTask(): Promise<void> {
	const { scheduler } = globalThis as { scheduler?: Scheduler };
	if (scheduler) return scheduler.postTask(() => {});
	return new Promise((resolve) => setTimeout(resolve));
}
