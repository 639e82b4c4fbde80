import { savesData } from './saves-data.ts';

/** Delay before anything is prepared on the front page, so that an immediate click does not wait for it. */
const STANDING_MS = 1_000;

/**
 * Runs `work` once the page has been visible for a moment and is idle. Never runs it if the user wants to save data.
 */
export function whenIdle(work: () => void): void {
	if (savesData()) return;
	const look = (): void => {
		if (document.visibilityState !== 'visible')
			return document.addEventListener('visibilitychange', look, { once: true });
		// WebKit has no idle callback.
		if (typeof requestIdleCallback === 'function') requestIdleCallback(work);
		else work();
	};
	setTimeout(look, STANDING_MS);
}
