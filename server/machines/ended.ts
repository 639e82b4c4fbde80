import { setTimeout } from 'node:timers/promises';

/** Pause between two looks at a machine, and after an engine that did not answer. Milliseconds. */
const LOOK_MS = 5_000;

/** Resolves when the signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return Promise.resolve();
	return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/**
 * Looks at a machine until it has ended or the signal fires.
 *
 * @param hasEnded returns true once it has, at once or when that happens. It may reject: then it is asked again
 * @param pauseMs between two looks
 */
export async function untilEnded(
	hasEnded: () => Promise<boolean>,
	signal: AbortSignal,
	pauseMs = LOOK_MS
): Promise<void> {
	while (!signal.aborted) {
		// An engine that does not answer says nothing about the machine.
		if (await hasEnded().catch(() => false)) return;
		// Looking at a machine is no reason for the server to stay. It rejects when the signal fires.
		await setTimeout(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
	}
}
