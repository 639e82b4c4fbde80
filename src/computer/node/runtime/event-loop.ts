type Callback = (...args: unknown[]) => unknown;

/** Native functions saved before the program's own timers replace the globals. */
const channelClass = globalThis.MessageChannel;

/**
 * Rounds of promises' callbacks, each of which may set the next, that run before a tick set by one of them. A browser
 * does not tell when none is left; few programs have longer chains without anything to wait for.
 */
const PROMISE_TURNS = 16;

interface Held {
	kind: string;
	owner: object | undefined;
}

/**
 * Counts what keeps a program alive (timers, reads, children) and finds the moment nothing does;
 * runs `process.nextTick` callbacks before promises where a callback was called by the loop.
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

	/** Gives a callback what it has to carry along; `async_hooks` replaces it. */
	bind: <Call extends Callback>(call: Call) => Call = (call) => call;
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
		return this.#held.size;
	}

	/**
	 * Keeps the program alive until the returned function is called.
	 * @param kind what `process.getActiveResourcesInfo` names it
	 * @param owner object of the program that it belongs to
	 */
	hold(kind = '', owner?: object): () => void {
		const held = { kind, owner };
		this.#held.add(held);
		return () => {
			if (this.#held.delete(held)) this.#checkSoon();
		};
	}

	/** Holds that keep the program alive, as far as it has a name. */
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

	/** A tick that a promise's callback has set: in Node it runs when no promise has anything left to do. */
	#drainBehindPromises(): void {
		behindPromises(() => {
			this.#drainQueued = false;
			this.#drain();
		});
	}

	/** Runs a callback in a turn of its own, behind the ticks and promises of this one and before anything arrives. */
	turn(callback: () => void): void {
		const release = this.hold();
		behindPromises(() => {
			this.enter(callback);
			release();
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
		this.#tasks.push(this.bind(task));
		this.#channel.port2.postMessage(0);
	}

	/** Runs a callback as input that has arrived: as a task of its own, or before immediates whose round comes first. */
	arrive(callback: () => void): void {
		this.#arrived.push(this.bind(callback));
		this.post(() => this.takeArrived());
	}

	takeArrived(): void {
		for (const callback of this.#arrived.splice(0)) this.enter(callback);
	}

	/** Does an operation in a task of its own, as if a machine had been asked. */
	perform(kind: string, operation: () => void): void {
		const release = this.hold(kind);
		this.post(() => {
			this.enter(operation);
			release();
		});
	}

	/** No tick runs any more. */
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

function behindPromises(callback: () => void, turns = PROMISE_TURNS): void {
	queueMicrotask(() => (turns > 1 ? behindPromises(callback, turns - 1) : callback()));
}
