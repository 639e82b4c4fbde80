/** Pauses between attempts, as Playwright takes them. Milliseconds. */
const FIRST_PAUSES_MS = [0, 20, 50, 100, 100, 500];

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tries until `attempt` gives something else than `null`; `null` when the time is up. The last attempt is at its end. */
export async function until<Value>(
	deadlineMs: number,
	attempt: () => Promise<Value | null>,
	pausesMs: readonly number[] = FIRST_PAUSES_MS
): Promise<Value | null> {
	for (let count = 0; ; count++) {
		const value = await attempt();
		if (value !== null) return value;
		const left = deadlineMs - performance.now();
		if (left <= 0) return null;
		await pause(Math.min(left, pausesMs[Math.min(count, pausesMs.length - 1)] ?? 500));
	}
}
