import type { Runtime } from '../runtime/runtime.ts';
import { nodeError } from '../runtime/errors.ts';

interface Waiting {
	atMs: number;
	everyMs: number | null;
	order: number;
	run: () => void;
}
const APIS = ['setTimeout', 'setInterval', 'setImmediate', 'Date'];

/** `mock.timers`: time advances only by `tick`. */
export class MockTimers {
	readonly #runtime: Runtime;
	#nowMs = 0;
	#order = 0;
	#waiting = new Map<object, Waiting>();
	#restores: (() => void)[] | null = null;

	constructor(runtime: Runtime) {
		this.#runtime = runtime;
	}

	enable(options: { apis?: string[]; now?: number | Date } = {}): void {
		if (this.#restores) throw nodeError(Error, 'ERR_INVALID_STATE', 'MockTimers is already enabled!');
		this.#restores = [];
		this.#nowMs = Number(options.now ?? 0);
		const timers: Record<string, unknown> = {
			setTimeout: (run: () => void, ms?: number, ...args: unknown[]) => this.#add(run, ms, args, false),
			setInterval: (run: () => void, ms?: number, ...args: unknown[]) => this.#add(run, ms, args, true),
			setImmediate: (run: () => void, ...args: unknown[]) => this.#add(run, 0, args, false),
			Date: this.#date()
		};
		const clear = (timer: object) => void this.#waiting.delete(timer);
		for (const api of options.apis ?? APIS) {
			this.#replace(globalThis, api, timers[api]);
			if (api === 'Date') continue;
			this.#replace(globalThis, api.replace('set', 'clear'), clear);
			this.#replace(this.#runtime.timers, api, timers[api]);
		}
	}

	tick(ms = 1): void {
		if (!this.#restores) {
			const words = 'You should enable MockTimers first by calling the .enable function';
			throw nodeError(Error, 'ERR_INVALID_STATE', words);
		}
		const until = this.#nowMs + ms;
		for (;;) {
			const [next] = [...this.#waiting]
				.filter(([, one]) => one.atMs <= until)
				.sort(([, a], [, b]) => a.atMs - b.atMs || a.order - b.order);
			if (!next) break;
			const [key, one] = next;
			this.#nowMs = one.atMs;
			if (one.everyMs === null) this.#waiting.delete(key);
			else one.atMs += one.everyMs;
			one.run();
		}
		this.#nowMs = until;
	}

	runAll(): void {
		const last = Math.max(0, ...[...this.#waiting.values()].map((one) => one.atMs - this.#nowMs));
		this.tick(last);
	}

	setTime(ms: number): void {
		this.#nowMs = ms;
	}

	reset(): void {
		for (const restore of this.#restores ?? []) restore();
		this.#restores = null;
		this.#waiting.clear();
	}

	#add(run: (...args: unknown[]) => void, ms = 1, args: unknown[], repeat: boolean): object {
		const every = Math.max(1, ms || 1);
		const timer = {
			ref: () => timer,
			unref: () => timer,
			hasRef: () => true,
			close: () => void this.#waiting.delete(timer)
		};
		this.#waiting.set(timer, {
			atMs: this.#nowMs + every,
			everyMs: repeat ? every : null,
			order: this.#order++,
			run: () => run(...args)
		});
		return timer;
	}

	#replace(holder: object, name: string, value: unknown): void {
		const before = Object.getOwnPropertyDescriptor(holder, name);
		Object.defineProperty(holder, name, { value, configurable: true, writable: true });
		this.#restores?.push(() => before && Object.defineProperty(holder, name, before));
	}

	#date(): typeof Date {
		const now = () => this.#nowMs;
		return class MockDate extends Date {
			constructor(...args: [] | [number]) {
				if (args.length === 0) super(now());
				else super(...args);
			}
			static override now(): number {
				return now();
			}
		} as typeof Date;
	}
}
