import { DISPOSE } from './dispose.ts';
import type { EventLoop } from './event-loop.ts';
import { Immediate, Immediates } from './immediates.ts';
import { invalidArgument } from './errors.ts';
import { nowMs } from './clock.ts';
import { TimerQueue } from './timer-queue.ts';

type Callback = (...args: unknown[]) => unknown;

const native = {
	set: globalThis.setTimeout.bind(globalThis),
	clear: globalThis.clearTimeout.bind(globalThis)
};

const MAX_DELAY_MS = 2 ** 31 - 1;
let nextId = 1;

interface Schedule {
	args: unknown[];
	isRepeated: boolean;
}

/** Result of `setTimeout` and `setInterval`. */
export class Timeout {
	readonly #id = nextId++;
	readonly #timers: Timers;
	#handle: ReturnType<typeof native.set> | null = null;
	#release: (() => void) | null = null;
	#referenced = true;
	_idleTimeout: number;
	/** Whole milliseconds on the clock when it was armed. Programs align timers by setting it. */
	_idleStart = 0;
	_onTimeout: Callback | null;
	_timerArgs: unknown[] | undefined;
	_repeat: number | null;
	_destroyed = false;

	constructor(timers: Timers, callback: Callback, delayMs: number, { args, isRepeated }: Schedule) {
		this.#timers = timers;
		this._onTimeout = callback;
		this._idleTimeout = delayMs;
		this._timerArgs = args.length > 0 ? args : undefined;
		this._repeat = isRepeated ? delayMs : null;
		timers.live.set(this.#id, this);
		this.#arm();
	}

	ref(): this {
		this.#referenced = true;
		if (this.#handle !== null && !this.#release) this.#release = this.#timers.loop.hold('Timeout');
		return this;
	}

	unref(): this {
		// Has no effect when called on another object.
		if (!(#referenced in this)) return this;
		this.#referenced = false;
		this.#release?.();
		this.#release = null;
		return this;
	}

	hasRef(): boolean {
		return this.#referenced;
	}

	refresh(): this {
		if (this._onTimeout === null) return this;
		this.#disarm();
		this.#timers.live.set(this.#id, this);
		this.#arm();
		return this;
	}

	close(): this {
		this.#disarm();
		this._onTimeout = null;
		this.#end();
		return this;
	}

	[Symbol.toPrimitive](): number {
		return this.#id;
	}

	[DISPOSE](): void {
		this.close();
	}

	#arm(): void {
		if (this.#referenced && !this.#release) this.#release = this.#timers.loop.hold('Timeout');
		this._destroyed = false;
		this._idleStart = milliseconds();
		this.#timers.queue.add(this);
		this.#handle = native.set(() => this.#timers.run(this), this._idleTimeout);
	}

	#disarm(): void {
		if (this.#handle !== null) native.clear(this.#handle);
		this.#handle = null;
		this.#timers.queue.delete(this);
	}

	/** Calls the program's function. */
	fire(): void {
		this.#disarm();
		const callback = this._onTimeout;
		if (!callback) return;
		this.#timers.loop.enter(() => Reflect.apply(callback, this, this._timerArgs ?? []));
		if (this.#handle !== null) return;
		// Programs turn a timeout into an interval by setting this field.
		if (this._repeat && this._onTimeout && this._idleTimeout !== -1) this.#arm();
		else this.#end();
	}

	#end(): void {
		this._destroyed = true;
		this.#timers.live.delete(this.#id);
		this.#release?.();
		this.#release = null;
	}
}

/** The timers of one program. */
export class Timers {
	readonly live = new Map<number, Timeout>();
	readonly queue = new TimerQueue<Timeout>();
	readonly #immediates: Immediates;
	/** Called with a warning's name and message. */
	warn: (name: string, message: string) => void = () => {};

	constructor(readonly loop: EventLoop) {
		this.#immediates = new Immediates(loop, () => this.#due());
	}

	/**
	 * Runs the timers that are due in one task, the earliest first.
	 * @param fired timer that the browser says is due, though the clock may not yet
	 */
	run(fired: Timeout): void {
		this.loop.inTurns(this.#due(fired));
	}

	*#due(fired?: Timeout): Generator<() => void> {
		const now = milliseconds();
		for (let timer = this.queue.due(now); timer; timer = this.queue.due(now)) {
			const next = timer;
			yield () => next.fire();
		}
		if (fired && this.queue.has(fired)) yield () => fired.fire();
	}

	readonly setTimeout = (callback: unknown, delayMs?: unknown, ...args: unknown[]): Timeout =>
		new Timeout(this, this.#bind(callback), this.#delay(delayMs), { args, isRepeated: false });

	readonly setInterval = (callback: unknown, delayMs?: unknown, ...args: unknown[]): Timeout =>
		new Timeout(this, this.#bind(callback), this.#delay(delayMs), { args, isRepeated: true });

	readonly setImmediate = (callback: unknown, ...args: unknown[]): Immediate =>
		this.#immediates.add(this.#bind(callback), args);

	readonly clearTimeout = (timer: unknown): void => {
		if (timer instanceof Timeout) timer.close();
		else if (typeof timer === 'number' || typeof timer === 'string') this.live.get(Number(timer))?.close();
	};

	readonly clearInterval = (timer: unknown): void => this.clearTimeout(timer);

	readonly clearImmediate = (immediate: unknown): void => {
		if (immediate instanceof Immediate) immediate.clear();
	};

	#bind(callback: unknown): Callback {
		if (!isCallback(callback)) throw invalidArgument('callback', 'of type function', callback);
		return this.loop.bind(callback);
	}

	#delay(value: unknown): number {
		const ms = Number(value);
		if (ms > MAX_DELAY_MS) {
			const words = `${ms} does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.`;
			this.warn('TimeoutOverflowWarning', words);
		}
		return ms >= 1 && ms <= MAX_DELAY_MS ? Math.trunc(ms) : 1;
	}
}

const milliseconds = () => Math.trunc(nowMs());

function isCallback(value: unknown): value is Callback {
	return typeof value === 'function';
}
