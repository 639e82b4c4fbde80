import { afterEach } from 'vitest';
import { openPages } from './world.ts';

/** Length of what is printed of a page. Characters. */
const MOST = 6000;

// What a test that fails on another machine only was looking at.
afterEach(async ({ task }) => {
	if (task.result?.state !== 'fail') return;
	for (const page of openPages()) {
		const snapshot = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
		console.error(`${task.name}: ${page.url()}\n${snapshot.slice(0, MOST)}`);
	}
});
