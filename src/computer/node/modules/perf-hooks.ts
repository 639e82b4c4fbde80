/** `node:perf_hooks`: the browser's clock and marks. */
export function createPerfHooks(): Record<string, unknown> {
	const idle = { idle: 0, active: 0, utilization: 0 };
	for (const [name, value] of Object.entries({
		eventLoopUtilization: () => idle,
		timerify: (call: unknown) => call,
		nodeTiming: { name: 'node', entryType: 'node', startTime: 0, duration: 0 }
	})) {
		if (!(name in performance)) Object.defineProperty(performance, name, { value, configurable: true });
	}
	return {
		performance,
		Performance: globalThis.Performance,
		PerformanceObserver: globalThis.PerformanceObserver,
		PerformanceObserverEntryList: globalThis.PerformanceObserverEntryList,
		PerformanceResourceTiming: globalThis.PerformanceResourceTiming,
		PerformanceEntry: globalThis.PerformanceEntry,
		PerformanceMark: globalThis.PerformanceMark,
		PerformanceMeasure: globalThis.PerformanceMeasure,
		monitorEventLoopDelay: () => ({
			enable: () => true,
			disable: () => true,
			min: 0,
			max: 0,
			mean: 0,
			stddev: 0,
			percentile: () => 0
		}),
		createHistogram: () => ({ record: () => undefined, min: 0, max: 0, mean: 0, stddev: 0, percentile: () => 0 }),
		constants: {}
	};
}
