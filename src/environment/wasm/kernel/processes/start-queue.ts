/** What two cores load at once without slowing each other down; and a little more, since some of it is waiting. */
const AT_ONCE = Math.max(4, 2 * (globalThis.navigator?.hardwareConcurrency ?? 2));

/**
 * Lets few new workers load their programs at a time, first come, first served. Hundreds at once, as a fork bomb starts
 * them, would keep the cores busy long after their processes were killed: a browser lets what runs in a worker go on for
 * up to two seconds.
 */
export class StartQueue {
	#free: number;
	#waiting: (() => void)[] = [];

	constructor(atOnce = AT_ONCE) {
		this.#free = atOnce;
	}

	/** Waits for its turn. @returns to be called when it has begun, or will not; more than once does no harm */
	async enter(): Promise<() => void> {
		if (this.#free > 0) this.#free--;
		else await new Promise<void>((resolve) => this.#waiting.push(resolve));
		let isInside = true;
		return () => {
			if (!isInside) return;
			isInside = false;
			const next = this.#waiting.shift();
			if (next) next();
			else this.#free++;
		};
	}
}
