import type { Runtime } from '../../runtime/runtime.ts';
import { string } from '../../runtime/validate.ts';
import type { EventLoop } from '../../runtime/event-loop.ts';
import { OwnEntries } from './entries.ts';
import { eventLoopUtilizationOf } from './event-loop-utilization.ts';
import { monitorEventLoopDelay } from './event-loop-delay.ts';
import { createHistogram } from './histogram.ts';
import { createObserverClass, PerformanceObserverEntryList } from './observer.ts';
import { resourceFields } from './resource-timing.ts';
import { timerifyOf } from './timerify.ts';

/** Kinds and flags of garbage collections, as in Node's `performance` entries of type `gc`. */
const constants = Object.freeze({
	NODE_PERFORMANCE_GC_MAJOR: 4,
	NODE_PERFORMANCE_GC_MINOR: 1,
	NODE_PERFORMANCE_GC_INCREMENTAL: 8,
	NODE_PERFORMANCE_GC_WEAKCB: 16,
	NODE_PERFORMANCE_GC_FLAGS_NO: 0,
	NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED: 2,
	NODE_PERFORMANCE_GC_FLAGS_FORCED: 4,
	NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING: 8,
	NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: 16,
	NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY: 32,
	NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE: 64
});

type Get = (...args: string[]) => PerformanceEntry[];

/**
 * `node:perf_hooks`: the browser's clock, marks and measures, and Node's own histograms, timed functions and resources.
 * Observers learn nothing of garbage collections and connections, which a browser does not report.
 */
export function createPerfHooks({ loop }: Runtime): Record<string, unknown> {
	const own = new OwnEntries();
	extend(own, loop);
	const { PerformanceResourceTiming } = globalThis;
	return {
		performance,
		Performance: globalThis.Performance,
		PerformanceObserver: createObserverClass(own, loop),
		PerformanceObserverEntryList,
		PerformanceResourceTiming,
		PerformanceEntry: globalThis.PerformanceEntry,
		PerformanceMark: globalThis.PerformanceMark,
		PerformanceMeasure: globalThis.PerformanceMeasure,
		monitorEventLoopDelay,
		createHistogram,
		constants
	};
}

/** Adds what Node's `performance` has beyond the browser's. */
function extend(own: OwnEntries, loop: EventLoop): void {
	const { getEntries, getEntriesByName, getEntriesByType, clearResourceTimings } = performance;
	const merged =
		(native: Get, isWanted: (entry: PerformanceEntry, ...args: string[]) => boolean): Get =>
		(...args) => {
			const resources = own.resources as unknown as PerformanceEntry[];
			const found = [...native.apply(performance, args), ...resources.filter((entry) => isWanted(entry, ...args))];
			return found.sort((a, b) => a.startTime - b.startTime);
		};
	const added = {
		eventLoopUtilization: eventLoopUtilizationOf(loop),
		timerify: timerifyOf(own),
		nodeTiming: { name: 'node', entryType: 'node', startTime: 0, duration: 0 },
		markResourceTiming: markResourceTimingOf(own),
		getEntries: merged(getEntries as Get, () => true),
		getEntriesByType: merged(getEntriesByType as Get, ({ entryType }, type) => entryType === type),
		getEntriesByName: merged(
			getEntriesByName as Get,
			(entry, name, type) => entry.name === name && (type === undefined || entry.entryType === type)
		),
		clearResourceTimings() {
			clearResourceTimings.call(performance);
			own.clearResources();
		}
	};
	for (const [name, value] of Object.entries(added))
		Object.defineProperty(performance, name, { value, writable: true, configurable: true });
}

/** `performance.markResourceTiming`, which `fetch` of undici calls. */
function markResourceTimingOf(own: OwnEntries) {
	return (
		timing: Parameters<typeof resourceFields>[0],
		url: unknown,
		initiatorType: unknown,
		_global: unknown,
		cacheMode: unknown = '',
		_body?: unknown,
		status: unknown = 0,
		deliveryType: unknown = ''
	) => {
		string(url, 'requestedUrl');
		string(initiatorType, 'initiatorType');
		const fields = resourceFields(
			timing,
			String(url),
			String(initiatorType),
			String(cacheMode),
			Number(status),
			String(deliveryType)
		);
		// Of the class: the browser's cannot be constructed.
		const entry = Object.create(PerformanceResourceTiming.prototype, {
			...Object.getOwnPropertyDescriptors(fields),
			toJSON: { value: () => ({ ...fields }) }
		}) as typeof fields;
		own.add(entry as never);
		return entry;
	};
}
