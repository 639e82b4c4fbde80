import { nowMs } from '../../runtime/clock.ts';
import type { EventLoop } from '../../runtime/event-loop.ts';

interface Utilization {
	/** Milliseconds in which the loop waited. */
	idle: number;
	/** Milliseconds in which callbacks ran. */
	active: number;
	utilization: number;
}

/** Rounds of the microtask queue after which what a callback started is taken to have run. */
const PROMISE_TURNS = 16;

const ratio = (idle: number, active: number): Utilization => ({
	idle,
	active,
	utilization: idle + active > 0 ? active / (idle + active) : 0
});

/**
 * Creates `performance.eventLoopUtilization`. Times are measured from the first call on, which costs programs that do
 * not ask nothing.
 */
export function eventLoopUtilizationOf(loop: EventLoop): (first?: Utilization, second?: Utilization) => Utilization {
	let startedMs: number | null = null;
	let activeMs = 0;
	/** Start of the callback that runs. */
	let busySinceMs: number | null = null;
	const begin = () => {
		if (busySinceMs !== null) return;
		busySinceMs = nowMs();
		void end();
	};
	const end = async () => {
		for (let turn = 0; turn < PROMISE_TURNS; turn++) await null;
		if (busySinceMs !== null) activeMs += nowMs() - busySinceMs;
		busySinceMs = null;
	};
	const current = (): Utilization => {
		const now = nowMs();
		if (startedMs === null) {
			startedMs = now;
			loop.onEnter = begin;
			begin();
		}
		const active = activeMs + (busySinceMs === null ? 0 : now - busySinceMs);
		return ratio(Math.max(0, now - startedMs - active), active);
	};
	return (first, second) => {
		if (first && second) return ratio(first.idle - second.idle, first.active - second.active);
		const now = current();
		return first ? ratio(now.idle - first.idle, now.active - first.active) : now;
	};
}
