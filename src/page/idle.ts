import { savesData } from './saves-data.ts';

/** How long the front page stands before anything is made ready: whoever clicks at once should not wait for that. */
const STANDING_MS = 1_000;

/**
 * Runs `work` when the page has stood for a moment, has nothing else to do and is looked at.
 * Not at all for people who asked for little traffic.
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
