import { DISPOSE } from './dispose.ts';
import type { EventLoop } from './event-loop.ts';

type Callback = (...args: unknown[]) => unknown;

/** Result of `setImmediate`. */
export class Immediate {
	#release: (() => void) | null;
	_onImmediate: Callback | null;
	_argv: unknown[] | undefined;
	_destroyed = false;

	constructor(
		readonly loop: EventLoop,
		callback: Callback,
		args: unknown[]
	) {
		Object.defineProperty(this, 'loop', { enumerable: false });
		this._onImmediate = callback;
		this._argv = args.length > 0 ? args : undefined;
		this.#release = loop.hold('Immediate');
	}

	ref(): this {
		this.#release ??= this._onImmediate ? this.loop.hold('Immediate') : null;
		return this;
	}

	unref(): this {
		this.#drop();
		return this;
	}

	hasRef(): boolean {
		return this.#release !== null;
	}

	clear(): void {
		this._onImmediate = null;
		this._destroyed = true;
		this.#drop();
	}

	/** Calls the program's function, unless the immediate was cleared. */
	run(): void {
		const callback = this._onImmediate;
		if (!callback) return;
		this._onImmediate = null;
		this._destroyed = true;
		this.#drop();
		this.loop.enter(() => Reflect.apply(callback, this, this._argv ?? []));
	}

	[DISPOSE](): void {
		this.clear();
	}

	#drop(): void {
		this.#release?.();
		this.#release = null;
	}
}

/** Immediates in rounds: those queued in a round run in the next one, after timers and input that are due. */
export class Immediates {
	#waiting: Immediate[] = [];
	#isPosted = false;

	constructor(
		private readonly loop: EventLoop,
		private readonly dueTimers: () => Iterable<() => void>
	) {}

	add(callback: Callback, args: unknown[]): Immediate {
		const immediate = new Immediate(this.loop, callback, args);
		this.#waiting.push(immediate);
		this.#post();
		return immediate;
	}

	#post(): void {
		if (this.#isPosted) return;
		this.#isPosted = true;
		this.loop.post(() => {
			this.#isPosted = false;
			this.loop.inTurns(this.#round());
		});
	}

	*#round(): Generator<() => void> {
		yield* this.dueTimers();
		yield* this.loop.arrivals();
		// Nothing keeps the program alive: unreferenced immediates do not run either.
		if (this.loop.references === 0) return;
		for (const immediate of this.#waiting.splice(0)) yield () => immediate.run();
	}
}
