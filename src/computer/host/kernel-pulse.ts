/** Beats without an answer after which a kernel counts as stuck. Its longest operations take a few seconds. */
const SILENT_BEATS = 30;

/**
 * Detects a kernel that exists but hangs, for which there is no event.
 *
 * @param ping resolves with the kernel's answer
 * @param stuck called once, when it has not answered for {@link SILENT_BEATS} beats
 * @returns stops watching
 */
export function watchPulse(ping: () => Promise<unknown>, beatMs: number, stuck: () => void): () => void {
	let silent = 0;
	let asked = false;
	// Beats are counted instead of time: a page that was asleep or busy itself has not waited.
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
		// A refusal is an answer too; the end of the kernel is reported elsewhere.
		ping().then(answered, answered);
	}, beatMs);
	return () => clearInterval(timer);
}
