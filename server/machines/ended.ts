import { setTimeout } from 'node:timers/promises';

/** Interval between two checks of a machine. Milliseconds. */
const LOOK_MS = 5_000;

/** Resolves when the signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return Promise.resolve();
	return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/**
 * Checks a machine until it has ended or the signal fires.
 *
 * @param hasEnded returns true if the machine has ended, or waits for its end. If it rejects, it is called again
 * @param pauseMs interval between two checks
 */
export async function untilEnded(
	hasEnded: () => Promise<boolean>,
	signal: AbortSignal,
	pauseMs = LOOK_MS
): Promise<void> {
	while (!signal.aborted) {
		// If the engine does not answer, the state of the machine is unknown.
		if (await hasEnded().catch(() => false)) return;
		// `ref: false`: the checks must not keep the server running. Rejects when the signal fires.
		await setTimeout(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
	}
}
