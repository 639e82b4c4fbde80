/** Heartbeats without an answer after which a kernel counts as stuck. Its longest operations take a few seconds. */
const SILENT_BEATS = 30;

/**
 * Detects a kernel that hangs, for which there is no event.
 *
 * @param ping resolves with the kernel's answer
 * @param stuck called once if it has not answered for {@link SILENT_BEATS} beats
 * @returns function that stops watching
 */
export function watchPulse(ping: () => Promise<unknown>, beatMs: number, stuck: () => void): () => void {
	let silent = 0;
	let asked = false;
	// Counts heartbeats instead of time: while the page was suspended or busy itself, no time was spent waiting.
	const timer = setInterval(() => {
		if (asked) {
			if (++silent < SILENT_BEATS) return;
			clearInterval(timer);
			return stuck();
		}
		asked = true;
		const answered = (): void => {
			asked = false;
			silent = 0;
		};
		// A rejection is an answer too; the end of the kernel is reported elsewhere.
		ping().then(answered, answered);
	}, beatMs);
	return () => clearInterval(timer);
}
