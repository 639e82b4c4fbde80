type Callback = (...args: unknown[]) => unknown;

/** Native functions, saved before the program's own timers replace the globals. */
const channelClass = globalThis.MessageChannel;

/**
 * Number of microtask rounds, each of which may queue the next, that run before a tick queued by one of them. A browser
 * does not report when none is left; few programs have longer chains without waiting for anything.
 */
const PROMISE_TURNS = 16;

interface Held {
	kind: string;
	owner: object | undefined;
}

/**
 * Counts what keeps a program alive (timers, reads, children) and detects when nothing does; runs `process.nextTick`
 * callbacks before promises after callbacks called by the loop.
 */
export class EventLoop {
	readonly #held = new Set<Held>();
	#exited = false;
	#ticks: { callback: Callback; args: unknown[] }[] = [];
	#draining = false;
	#drainQueued = false;
	#checkQueued = false;
	readonly #tasks: (() => void)[] = [];
	readonly #arrived: (() => void)[] = [];
	readonly #channel = new channelClass();

	/** Wraps a callback to preserve its context; `async_hooks` replaces it. */
	bind: <Call extends Callback>(call: Call) => Call = (call) => call;
	/** Called with uncaught errors of callbacks. */
	onUncaught: (error: unknown) => void = () => {};
	/** Called before each callback, while the loop's utilization is measured. */
	onEnter: (() => void) | null = null;
	/** Called with the reason of a rejected promise that nothing handles, instead of ending the program. */
	onRejection: ((error: unknown) => void) | null = null;
	/** Called when nothing keeps the program alive any more. */
	onIdle: () => void = () => {};

	constructor() {
		this.#channel.port1.onmessage = () => {
			const task = this.#tasks.shift();
			task?.();
		};
	}

	get references(): number {
		return this.#held.size;
	}

	/**
	 * Keeps the program alive until the returned function is called.
	 * @param kind name in `process.getActiveResourcesInfo`
	 * @param owner object of the program that it belongs to
	 */
	hold(kind = '', owner?: object): () => void {
		const held = { kind, owner };
		this.#held.add(held);
		return () => {
			if (this.#held.delete(held)) this.#checkSoon();
		};
	}

	/** Named holds that keep the program alive. */
	held(): Held[] {
		return [...this.#held].filter(({ kind }) => kind !== '');
	}

	/** Keeps the program alive while a promise is pending. */
	async holdWhile<Result>(promise: Promise<Result>, kind?: string): Promise<Result> {
		const release = this.hold(kind);
		try {
			return await promise;
		} finally {
			release();
		}
	}

	nextTick(callback: Callback, args: unknown[]): void {
		if (this.#exited) return;
		this.#ticks.push({ callback: this.bind(callback), args });
		if (this.#draining || this.#drainQueued) return;
		this.#drainQueued = true;
		this.#drainBehindPromises();
	}

	/** Runs a tick queued by a promise's callback: in Node it runs when no promise callbacks are left. */
	#drainBehindPromises(): void {
		void behindPromises(() => {
			this.#drainQueued = false;
			this.#drain();
		});
	}

	/** Runs a callback in a separate turn, after the ticks and promises of this one and before any input arrives. */
	turn(callback: () => void): void {
		const release = this.hold();
		void behindPromises(() => {
			this.enter(callback);
			release();
		});
	}

	/** Runs one callback of the loop: its errors are uncaught, its ticks run before its promises. */
	enter(callback: () => void): void {
		this.onEnter?.();
		try {
			callback();
		} catch (error) {
			this.onUncaught(error);
		}
		this.#drain();
	}

	/** Runs after everything already queued, in a separate task. */
	post(task: () => void): void {
		this.#tasks.push(this.bind(task));
		this.#channel.port2.postMessage(0);
	}

	/** Runs a callback for arrived input: in a separate task, or before immediates whose round comes first. */
	arrive(callback: () => void): void {
		this.#arrived.push(this.bind(callback));
		this.post(() => this.inTurns(this.arrivals()));
	}

	/** Callbacks for the input that has arrived until now. */
	*arrivals(): Generator<() => void> {
		for (const callback of this.#arrived.splice(0)) yield () => this.enter(callback);
	}

	/** Runs callbacks of the loop in one task, each behind the ticks and promises of the one before. */
	inTurns(callbacks: Iterator<() => void>): void {
		const { done, value: callback } = callbacks.next();
		if (done) return;
		callback();
		this.#whenSettled(() => this.inTurns(callbacks));
	}

	/** Runs a callback behind the promises, and the ticks that they queue. */
	#whenSettled(callback: () => void): void {
		void behindPromises(() => (this.#drainQueued ? this.#whenSettled(callback) : callback()));
	}

	/** Performs an operation in a separate task, as if a real machine was accessed. */
	perform(kind: string, operation: () => void): void {
		const release = this.hold(kind);
		this.post(() => {
			this.enter(operation);
			release();
		});
	}

	/** Stops running ticks. */
	stopTicks(): void {
		this.#exited = true;
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
				Reflect.apply(tick.callback, undefined, tick.args);
			} catch (error) {
				this.onUncaught(error);
			}
		}
		this.#draining = false;
	}

	#checkSoon(): void {
		if (this.#held.size > 0 || this.#checkQueued) return;
		this.#checkQueued = true;
		// Two tasks: rejections are reported between the first and the second.
		this.post(() =>
			this.post(() => {
				this.#checkQueued = false;
				if (this.#held.size === 0) this.onIdle();
			})
		);
	}
}

const settled = Promise.resolve();

/** Runs a callback behind the promises. An `await` costs a tenth of `queueMicrotask`, which reports errors at the end. */
async function behindPromises(callback: () => void): Promise<void> {
	for (let turn = 1; turn < PROMISE_TURNS; turn++) await settled;
	queueMicrotask(callback);
}
