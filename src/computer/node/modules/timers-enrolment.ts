import { invalidArgument, outOfRange } from '../runtime/errors.ts';
import { Timeout, type Timers } from '../runtime/timers.ts';

/** Object that is its own timer, like Node's sockets once were. */
interface Enrolled {
	_idleTimeout?: number;
	_idleStart?: number;
	_idleNext?: object | null;
	_idlePrev?: object | null;
	_onTimeout?: () => void;
}

const MAX_DELAY_MS = 2 ** 31 - 1;

/** Deprecated functions of `node:timers` for objects with their own `_onTimeout`. */
export function enrolment(timers: Timers) {
	const running = new WeakMap<Enrolled, Timeout>();
	const unenroll = (item: Enrolled): void => {
		if (item instanceof Timeout) return void item.close();
		running.get(item)?.close();
		running.delete(item);
		if (item._idleTimeout === undefined) return;
		item._idleTimeout = -1;
		item._idleNext = item._idlePrev = null;
	};
	const start = (item: Enrolled): Timeout | undefined => {
		const { _idleTimeout: ms } = item;
		if (ms === undefined || ms < 0) return undefined;
		running.get(item)?.close();
		item._idleStart = Math.trunc(performance.now());
		const timer = timers.setTimeout(() => item._onTimeout?.(), ms);
		item._idleNext = item._idlePrev = timer;
		running.set(item, timer);
		return timer;
	};
	return {
		enroll(item: Enrolled, msecs: unknown): void {
			if (typeof msecs !== 'number') throw invalidArgument('msecs', 'of type number', msecs);
			if (!(msecs >= 0 && Number.isFinite(msecs))) throw outOfRange('msecs', 'a non-negative finite number', msecs);
			if (running.has(item)) unenroll(item);
			if (msecs > MAX_DELAY_MS) {
				const words = `${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${MAX_DELAY_MS}.`;
				timers.warn('TimeoutOverflowWarning', words);
			}
			item._idleTimeout = Math.min(msecs, MAX_DELAY_MS);
		},
		unenroll,
		active: (item: Enrolled): void => void start(item),
		_unrefActive: (item: Enrolled): void => void start(item)?.unref()
	};
}
