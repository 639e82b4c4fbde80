/** Limits for watching a document that is never idle for pauses. Milliseconds. */
interface Patience {
	quietMs: number;
	withinMs: number;
}

/** A document that never rests is waited for no longer. Milliseconds. */
const MOST_REST_MS = 1_500;
/** Time for a document that started to navigate. Milliseconds. */
const LEAVING_MS = 3_000;

let isLeaving = false;
addEventListener('beforeunload', () => {
	isLeaving = true;
});

/** Waits until the document is loaded and nothing in it has changed for a moment. False when the time was up before it was loaded. */
export async function settle({ quietMs, withinMs }: Patience): Promise<boolean> {
	const end = performance.now() + withinMs;
	const isLoaded = await loaded(withinMs);
	if (isLeaving) {
		// Where it goes there is another driver; a download leaves this one here.
		await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
		isLeaving = false;
	}
	await new Promise<void>((resolve) => {
		const over = (): void => {
			changes.disconnect();
			clearTimeout(quiet);
			clearTimeout(limit);
			resolve();
		};
		const changes = new MutationObserver(() => {
			clearTimeout(quiet);
			quiet = setTimeout(over, quietMs);
		});
		let quiet = setTimeout(over, quietMs);
		const limit = setTimeout(over, Math.min(MOST_REST_MS, Math.max(0, end - performance.now())));
		changes.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
	});
	return isLoaded;
}

function loaded(withinMs: number): Promise<boolean> {
	if (document.readyState === 'complete') return Promise.resolve(true);
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, withinMs, false);
		addEventListener(
			'load',
			() => {
				clearTimeout(timer);
				resolve(true);
			},
			{ once: true }
		);
	});
}
