type Callback = (...args: unknown[]) => unknown;

/** Native functions saved before the program's own timers replace the globals. */
const channelClass = globalThis.MessageChannel;

/**
 * Counts what keeps a program alive (timers, reads, children) and finds the moment nothing does;
 * runs `process.nextTick` callbacks before promises where a callback was called by the loop.
 */
export class EventLoop {
	#references = 0;
	#ticks: { callback: Callback; args: unknown[] }[] = [];
	#draining = false;
	#drainQueued = false;
	#checkQueued = false;
	readonly #tasks: (() => void)[] = [];
	readonly #channel = new channelClass();

	/** Called with what a callback let out. */
	onUncaught: (error: unknown) => void = () => {};
	/** Called when nothing keeps the program alive any more. */
	onIdle: () => void = () => {};

	constructor() {
		this.#channel.port1.onmessage = () => {
			const task = this.#tasks.shift();
			task?.();
		};
	}

	get references(): number {
		return this.#references;
	}

	/** Keeps the program alive until the returned function is called. */
	hold(): () => void {
		this.#references++;
		let held = true;
		return () => {
			if (!held) return;
			held = false;
			this.#references--;
			this.#checkSoon();
		};
	}

	/** Keeps the program alive while a promise is pending. */
	async holdWhile<Result>(promise: Promise<Result>): Promise<Result> {
		const release = this.hold();
		try {
			return await promise;
		} finally {
			release();
		}
	}

	nextTick(callback: Callback, args: unknown[]): void {
		this.#ticks.push({ callback, args });
		if (this.#draining || this.#drainQueued) return;
		this.#drainQueued = true;
		queueMicrotask(() => {
			this.#drainQueued = false;
			this.#drain();
		});
	}

	/** Runs one callback of the loop: what it throws is uncaught, its ticks run before its promises. */
	enter(callback: () => void): void {
		try {
			callback();
		} catch (error) {
			this.onUncaught(error);
		}
		this.#drain();
	}

	/** Runs after everything already queued, as a task of its own. */
	post(task: () => void): void {
		this.#tasks.push(task);
		this.#channel.port2.postMessage(0);
	}

	/** From now on an idle loop ends the program. */
	start(): void {
		this.#checkSoon();
	}

	#drain(): void {
		if (this.#draining) return;
		this.#draining = true;
		for (let tick = this.#ticks.shift(); tick; tick = this.#ticks.shift()) {
			try {
				tick.callback(...tick.args);
			} catch (error) {
				this.onUncaught(error);
			}
		}
		this.#draining = false;
	}

	#checkSoon(): void {
		if (this.#references > 0 || this.#checkQueued) return;
		this.#checkQueued = true;
		// Two tasks: rejections are reported between the first and the second.
		this.post(() =>
			this.post(() => {
				this.#checkQueued = false;
				if (this.#references === 0) this.onIdle();
			})
		);
	}
}
