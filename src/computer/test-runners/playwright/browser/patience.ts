/** Pauses between attempts, as in Playwright. Milliseconds. */
const FIRST_PAUSES_MS = [0, 20, 50, 100, 100, 500];

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Retries until `attempt` returns anything other than `null`; `null` after the timeout. The last attempt is made at the
 * deadline.
 */
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
