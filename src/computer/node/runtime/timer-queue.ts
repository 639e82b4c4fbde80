/** Timer as far as its order matters. Programs may change both numbers. */
export interface Queued {
	_idleStart: number;
	_idleTimeout: number;
}

/** Armed timers in a list for each duration: only the first of each list has to be compared. */
export class TimerQueue<Timer extends Queued> {
	readonly #lists = new Map<number, Set<Timer>>();
	readonly #durations = new Map<Timer, number>();

	add(timer: Timer): void {
		this.delete(timer);
		const duration = timer._idleTimeout;
		const list = this.#lists.get(duration) ?? new Set();
		this.#lists.set(duration, list.add(timer));
		this.#durations.set(timer, duration);
	}

	delete(timer: Timer): void {
		const duration = this.#durations.get(timer);
		if (duration === undefined) return;
		this.#durations.delete(timer);
		const list = this.#lists.get(duration);
		list?.delete(timer);
		if (list?.size === 0) this.#lists.delete(duration);
	}

	has(timer: Timer): boolean {
		return this.#durations.has(timer);
	}

	/** Returns the timer that was due first, if any is at that time. */
	due(atMs: number): Timer | undefined {
		let first: Timer | undefined;
		let earliest = atMs;
		for (const [duration, list] of this.#lists) {
			const [timer] = list;
			if (!timer) continue;
			const deadline = timer._idleStart + duration;
			if (first ? deadline >= earliest : deadline > earliest) continue;
			first = timer;
			earliest = deadline;
		}
		return first;
	}
}
