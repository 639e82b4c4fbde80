/** Limits, in milliseconds, for waiting until a document is quiet. */
interface Patience {
	quietMs: number;
	withinMs: number;
}

/** Maximum milliseconds to wait for a document that never settles. */
const MOST_REST_MS = 1_500;
/** Milliseconds to wait for a document that started to navigate. */
const LEAVING_MS = 3_000;

let isLeaving = false;
addEventListener('beforeunload', () => {
	isLeaving = true;
});

/**
 * Waits until the document is loaded and has not changed for a moment. Returns false if it was not loaded within the
 * time limit.
 */
export async function settle({ quietMs, withinMs }: Patience): Promise<boolean> {
	const end = performance.now() + withinMs;
	const isLoaded = await loaded(withinMs);
	if (isLeaving) {
		// After a navigation there is a new driver; after a download, this one continues.
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
