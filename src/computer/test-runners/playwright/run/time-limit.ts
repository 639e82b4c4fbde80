import { pause } from '../browser/patience.ts';

/** Extra time for pending actions after a test's deadline: they end themselves at the same moment. Milliseconds. */
const LAST_WORDS_MS = 1_000;

export type Ended = { kind: 'done' } | { kind: 'threw'; error: unknown } | { kind: 'late'; error?: unknown };

/** Waits for work until a deadline that may still move. Never rejects. */
export async function limited(work: () => Promise<unknown>, deadlineMs: () => number): Promise<Ended> {
	const ended: Promise<Ended> = work().then(
		() => ({ kind: 'done' }),
		(error: unknown) => ({ kind: 'threw', error })
	);
	for (;;) {
		const left = deadlineMs() - performance.now();
		if (left <= 0) {
			const last = await Promise.race([ended, pause(LAST_WORDS_MS)]);
			return last?.kind === 'threw' ? { kind: 'late', error: last.error } : { kind: 'late' };
		}
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, Math.min(left, 2 ** 30), null)));
		const first = await Promise.race([ended, late]);
		clearTimeout(timer);
		if (first) return first;
	}
}
