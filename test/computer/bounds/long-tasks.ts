/** Main-thread tasks over 50 ms since the call, as reported by the browser (only Chromium). */
export function watchLongTasks(): { stop(): Promise<number[]> } {
	const found: number[] = [];
	const observer = new PerformanceObserver((list) => {
		for (const { name, duration } of list.getEntries()) if (name === 'self') found.push(Math.round(duration));
	});
	observer.observe({ type: 'longtask' });
	return {
		async stop() {
			// A task is reported after it has ended.
			await new Promise((resolve) => setTimeout(resolve));
			for (const { name, duration } of observer.takeRecords()) if (name === 'self') found.push(Math.round(duration));
			observer.disconnect();
			return found;
		}
	};
}
