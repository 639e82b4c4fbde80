import type { EventLoop } from './event-loop.ts';
import { invalidArgument } from './errors.ts';

type Callback = (...args: unknown[]) => unknown;

const native = {
	set: globalThis.setTimeout.bind(globalThis),
	clear: globalThis.clearTimeout.bind(globalThis)
};

const MAX_DELAY_MS = 2 ** 31 - 1;
let nextId = 1;

/** Result of `setTimeout` and `setInterval`. */
export class Timeout {
	readonly #id = nextId++;
	readonly #timers: Timers;
	#handle: ReturnType<typeof native.set> | null = null;
	#release: (() => void) | null = null;
	#referenced = true;
	_onTimeout: (() => void) | null;
	_idleTimeout: number;
	_repeat: number | null;

	constructor(timers: Timers, callback: () => void, delayMs: number, repeat: boolean) {
		this.#timers = timers;
		this._onTimeout = callback;
		this._idleTimeout = delayMs;
		this._repeat = repeat ? delayMs : null;
		timers.live.set(this.#id, this);
		this.#arm();
	}

	ref(): this {
		this.#referenced = true;
		if (this.#handle !== null && !this.#release) this.#release = this.#timers.loop.hold();
		return this;
	}

	unref(): this {
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
		if (this.#handle !== null) native.clear(this.#handle);
		this.#timers.live.set(this.#id, this);
		this.#arm();
		return this;
	}

	close(): this {
		if (this.#handle !== null) native.clear(this.#handle);
		this.#handle = null;
		this._onTimeout = null;
		this.#timers.live.delete(this.#id);
		this.#release?.();
		this.#release = null;
		return this;
	}

	[Symbol.toPrimitive](): number {
		return this.#id;
	}

	[Symbol.for('Symbol.dispose')](): void {
		this.close();
	}

	#arm(): void {
		if (this.#referenced && !this.#release) this.#release = this.#timers.loop.hold();
		this.#handle = native.set(() => this.#fire(), this._idleTimeout);
	}

	#fire(): void {
		this.#handle = null;
		const callback = this._onTimeout;
		if (!callback) return;
		if (this._repeat !== null) this.#arm();
		this.#timers.loop.enter(callback);
		if (this.#handle !== null) return;
		this.#timers.live.delete(this.#id);
		this.#release?.();
		this.#release = null;
	}
}

/** Result of `setImmediate`. */
export class Immediate {
	#release: (() => void) | null;
	_onImmediate: (() => void) | null;

	constructor(
		readonly loop: EventLoop,
		callback: () => void
	) {
		Object.defineProperty(this, 'loop', { enumerable: false });
		this._onImmediate = callback;
		this.#release = loop.hold();
		loop.post(() => {
			const run = this._onImmediate;
			this._onImmediate = null;
			if (run) loop.enter(run);
			this.#drop();
		});
	}

	ref(): this {
		this.#release ??= this._onImmediate ? this.loop.hold() : null;
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
		this.#drop();
	}

	[Symbol.for('Symbol.dispose')](): void {
		this.clear();
	}

	#drop(): void {
		this.#release?.();
		this.#release = null;
	}
}

/** The timers of one program. */
export class Timers {
	readonly live = new Map<number, Timeout>();

	constructor(readonly loop: EventLoop) {}

	readonly setTimeout = (callback: unknown, delayMs?: unknown, ...args: unknown[]): Timeout =>
		new Timeout(this, bind(callback, args), delay(delayMs), false);

	readonly setInterval = (callback: unknown, delayMs?: unknown, ...args: unknown[]): Timeout =>
		new Timeout(this, bind(callback, args), delay(delayMs), true);

	readonly setImmediate = (callback: unknown, ...args: unknown[]): Immediate =>
		new Immediate(this.loop, bind(callback, args));

	readonly clearTimeout = (timer: unknown): void => {
		if (timer instanceof Timeout) timer.close();
		else if (typeof timer === 'number' || typeof timer === 'string') this.live.get(Number(timer))?.close();
	};

	readonly clearImmediate = (immediate: unknown): void => {
		if (immediate instanceof Immediate) immediate.clear();
	};
}

function bind(callback: unknown, args: unknown[]): () => void {
	if (!isCallback(callback)) throw invalidArgument('callback', 'of type function', callback);
	return args.length > 0 ? () => void callback(...args) : () => void callback();
}

function isCallback(value: unknown): value is Callback {
	return typeof value === 'function';
}

function delay(value: unknown): number {
	const ms = Number(value);
	return ms >= 1 && ms <= MAX_DELAY_MS ? Math.trunc(ms) : 1;
}
