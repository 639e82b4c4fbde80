/**
 * Runs `work` at most once per frame. A hidden tab gets no frames, so a timer replaces them and the page continues to
 * work in the background.
 */
export function oncePerFrame(work: () => void): { request(): void; cancel(): void } {
	let frame: number | null = null;
	let timer: ReturnType<typeof setTimeout> | null = null;

	function run(): void {
		cancel();
		work();
	}

	function cancel(): void {
		if (frame !== null) cancelAnimationFrame(frame);
		if (timer !== null) clearTimeout(timer);
		frame = null;
		timer = null;
	}

	return {
		request() {
			if (timer !== null) return;
			if (!document.hidden) frame = requestAnimationFrame(run);
			// Also while visible: a covered window may stop rendering without reporting that it is hidden.
			timer = setTimeout(run, 250);
		},
		cancel
	};
}
