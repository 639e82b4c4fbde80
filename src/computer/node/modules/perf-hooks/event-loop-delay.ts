import { nowMs } from '../../runtime/clock.ts';
import { integer, plainObject } from '../../runtime/validate.ts';
import { Histogram, NANOSECONDS } from './histogram.ts';

/** An hour, as in Node. */
const HIGHEST_NANOSECONDS = 3.6e12;

/** Timers of the browser, which the loop of the program does not know. */
const native = {
	set: globalThis.setInterval.bind(globalThis),
	clear: globalThis.clearInterval.bind(globalThis)
};

/** Nanoseconds between the calls of a timer that the loop does not wait for. */
class EventLoopDelay extends Histogram {
	#timer: ReturnType<typeof native.set> | null = null;
	#calledMs = 0;

	constructor(private readonly resolutionMs: number) {
		super(1, HIGHEST_NANOSECONDS, 3);
	}

	/** @returns false if it was already enabled */
	enable(): boolean {
		if (this.#timer !== null) return false;
		this.#calledMs = nowMs();
		this.#timer = native.set(() => this.#called(), this.resolutionMs);
		return true;
	}

	/** @returns false if it was not enabled */
	disable(): boolean {
		if (this.#timer === null) return false;
		native.clear(this.#timer);
		this.#timer = null;
		return true;
	}

	[Symbol.dispose](): void {
		this.disable();
	}

	#called(): void {
		const now = nowMs();
		this.tally(Math.max(1, Math.round((now - this.#calledMs) * NANOSECONDS)));
		this.#calledMs = now;
	}
}

/** `perf_hooks.monitorEventLoopDelay`. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
export function monitorEventLoopDelay(options: { resolution?: unknown } = {}): EventLoopDelay {
	plainObject(options, 'options');
	const { resolution = 10 } = options;
	integer(1)(resolution, 'options.resolution');
	return new EventLoopDelay(Number(resolution));
}
