/**
 * Maximum number of simultaneous starts: as many as two cores load without slowing each other down, plus some, since
 * part of a start is waiting.
 */
const AT_ONCE = Math.max(4, 2 * (globalThis.navigator?.hardwareConcurrency ?? 2));

/**
 * Limits the number of new workers that load their programs at the same time: first come, first served within a
 * session, round robin between sessions, so that a command need not wait for the fork bomb of another. Hundreds at
 * once, as a fork bomb starts them, would keep the cores busy long after their processes were killed: a browser lets
 * code in a worker run for up to two more seconds.
 */
export class StartQueue {
	#free: number;
	/** Queued starts by session; the next session comes first. */
	#waiting = new Map<number, (() => void)[]>();

	constructor(atOnce = AT_ONCE) {
		this.#free = atOnce;
	}

	/**
	 * Waits for its turn.
	 * @returns function to call when the process has started or failed to; repeated calls have no effect
	 */
	async enter(session: number): Promise<() => void> {
		if (this.#free > 0) this.#free--;
		else await new Promise<void>((resolve) => this.#of(session).push(resolve));
		let isInside = true;
		return () => {
			if (!isInside) return;
			isInside = false;
			const next = this.#next();
			if (next) next();
			else this.#free++;
		};
	}

	#of(session: number): (() => void)[] {
		const waiting = this.#waiting.get(session) ?? [];
		this.#waiting.set(session, waiting);
		return waiting;
	}

	#next(): (() => void) | undefined {
		const [first] = this.#waiting;
		if (!first) return undefined;
		const [session, [next, ...others]] = first;
		// Moves the session behind all others.
		this.#waiting.delete(session);
		if (others.length > 0) this.#waiting.set(session, others);
		return next;
	}
}
