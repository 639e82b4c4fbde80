/** Looks left out at first: who calls a few times only gains nothing by them. */
const FIRST_LEFT_OUT = 10;
/** How many looks are left out at most. */
const MOST_LEFT_OUT = 32;
/** Looks between two at the clock. */
const LOOKS = 30;
/** Where the clock is a coarse one. */
const MOST_ROUNDS = 100;

/** Read at once: a program's scope may lose `navigator`. */
const processorCount = globalThis.navigator?.hardwareConcurrency ?? 1;

/**
 * Looks for what another thread is about to write into shared memory, for a moment before one sleeps until it is there:
 * to be woken takes longer than most calls. Where what was looked for did not come, the next looks are left out, twice
 * as many each time: on a busy machine a loop takes the time from the very one it waits for.
 *
 * @param lookMs how long a look takes at most. Milliseconds.
 * @param processors with one of them, nobody could write meanwhile
 * @returns what asks `isThere` for so long, and says whether it was
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
