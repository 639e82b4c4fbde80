/**
 * Number of simultaneous starts: as many as two cores load without slowing each other down, and some more,
 * since part of it is waiting.
 */
const AT_ONCE = Math.max(4, 2 * (globalThis.navigator?.hardwareConcurrency ?? 2));

/**
 * Lets few new workers load their programs at a time: of each session the first that came, the sessions by turns, so that
 * a command need not wait for the fork bomb of another. Hundreds at once, as a fork bomb starts
 * them, would keep the cores busy long after their processes were killed: a browser lets what runs in a worker go on for
 * up to two seconds.
 */
export class StartQueue {
	#free: number;
	/** Queued starts by session; the session that is next comes first. */
	#waiting = new Map<number, (() => void)[]>();

	constructor(atOnce = AT_ONCE) {
		this.#free = atOnce;
	}

	/**
	 * Waits for its turn. @returns function to call when the process has started or failed to; repeated calls
	 * have no effect
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
		// Behind all other sessions.
		this.#waiting.delete(session);
		if (others.length > 0) this.#waiting.set(session, others);
		return next;
	}
}
