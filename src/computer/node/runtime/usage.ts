import { nowMs } from './clock.ts';
import { invalidArgument, invalidValue, outOfRange } from './errors.ts';
import { plainObject } from './validate.ts';

/** `process.hrtime`: seconds and nanoseconds, relative to an earlier result if given. */
export function hrtime(previous?: [number, number]): [number, number] {
	const nanoseconds = nowMs() * 1e6;
	let seconds = Math.floor(nanoseconds / 1e9);
	let rest = Math.floor(nanoseconds % 1e9);
	if (previous === undefined) return [seconds, rest];
	if (!Array.isArray(previous)) throw invalidArgument('time', 'an instance of Array', previous);
	if (previous.length !== 2) throw outOfRange('time', '2', (previous as unknown[]).length);
	seconds -= previous[0];
	rest -= previous[1];
	if (rest < 0) {
		seconds--;
		rest += 1e9;
	}
	return [seconds, rest];
}

/** `process.cpuUsage` in µs: a browser does not distinguish elapsed time from processor time. */
export function cpuUsage(startedMs: number, previous?: unknown): { user: number; system: number } {
	const user = Math.round((nowMs() - startedMs) * 1000);
	if (!previous) return { user, system: 0 };
	plainObject(previous, 'prevValue');
	const before = previous as { user?: unknown; system?: unknown };
	return { user: user - microseconds(before, 'user'), system: -microseconds(before, 'system') };
}

function microseconds(usage: { user?: unknown; system?: unknown }, field: 'user' | 'system'): number {
	const value = usage[field];
	const name = `prevValue.${field}`;
	if (typeof value !== 'number') throw invalidArgument(name, 'of type number', value);
	if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) throw invalidValue(name, value, 'is invalid', RangeError);
	return value;
}

export function resourceUsage(user: number, system: number): Record<string, number> {
	const uncounted = [
		'sharedMemorySize',
		'unsharedDataSize',
		'unsharedStackSize',
		'minorPageFault',
		'majorPageFault',
		'swappedOut',
		'fsRead',
		'fsWrite',
		'ipcSent',
		'ipcReceived',
		'signalsCount',
		'voluntaryContextSwitches',
		'involuntaryContextSwitches'
	];
	const zeros = Object.fromEntries(uncounted.map((name) => [name, 0]));
	return { userCPUTime: user, systemCPUTime: system, maxRSS: 65_536, ...zeros };
}

export function memoryUsage(): Record<string, number> {
	const memory: { usedJSHeapSize?: number; totalJSHeapSize?: number } = Reflect.get(performance, 'memory') ?? {};
	const heapUsed = memory.usedJSHeapSize ?? 4_000_000;
	const heapTotal = memory.totalJSHeapSize ?? Math.max(heapUsed, 6_000_000);
	return { rss: heapTotal + 32_000_000, heapTotal, heapUsed, external: 1_000_000, arrayBuffers: 10_000 };
}
