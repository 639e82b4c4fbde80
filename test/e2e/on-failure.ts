import { afterEach } from 'vitest';
import { openPages } from './world.ts';

/** Maximum length of a page's text to print. Characters. */
const MOST = 6000;

// Prints the state of the page if a test fails, for failures on other machines.
afterEach(async ({ task }) => {
	if (task.result?.state !== 'fail') return;
	for (const page of openPages()) {
		const snapshot = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
		console.error(`${task.name}: ${page.url()}\n${snapshot.slice(0, MOST)}`);
	}
});
