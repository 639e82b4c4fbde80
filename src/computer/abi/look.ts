/** Initial number of skipped spins: programs with only a few calls gain nothing from spinning. */
const FIRST_LEFT_OUT = 10;
/** Maximum number of skipped spins. */
const MOST_LEFT_OUT = 32;
/** Number of checks between two reads of the clock. */
const LOOKS = 30;
/** Limit if the clock is coarse. */
const MOST_ROUNDS = 100;

/** Read at load: `navigator` may be removed from a program's scope later. */
const processorCount = globalThis.navigator?.hardwareConcurrency ?? 1;

/**
 * Spins for a moment on a value that another thread is about to write into shared memory, before the caller sleeps: a
 * wake-up takes longer than most calls. After an unsuccessful spin the next ones are skipped, twice as many each time:
 * on a busy machine a spinning thread takes time from the thread it waits for.
 *
 * @param lookMs maximum duration of a spin in milliseconds
 * @param processors with a single one, no other thread could write meanwhile
 * @returns function that calls `isThere` repeatedly and returns its last result
 */
export function createLook(lookMs: number, processors = processorCount): (isThere: () => boolean) => boolean {
	const now = performance.now.bind(performance);
	let leftOut = FIRST_LEFT_OUT;
	let inVain = 0;
	return (isThere) => {
		if (processors < 2 || leftOut-- > 0) return false;
		const end = now() + lookMs;
		for (let round = 0; round < MOST_ROUNDS; round++) {
			for (let look = 0; look < LOOKS; look++) {
				if (!isThere()) continue;
				inVain = 0;
				return true;
			}
			if (now() >= end) break;
		}
		inVain = Math.min(inVain * 2 || 1, MOST_LEFT_OUT);
		leftOut = inVain;
		return false;
	};
}
