import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright';
import { CHROMIUM_FLAGS, findBrowser } from '../../browser.mjs';
import { startServer } from '../../../dist/server/main.js';

/**
 * Plays the demo in the built product and saves its session as the one opened by the front page. Needed after a change
 * of the demo or the sample project. Usage: npm run build && node test/page/harness/record-demo.mjs
 */
const found = await findBrowser();
if (!found) throw new Error('No Chromium was found. Set CHROME_PATH to one.');
const server = await startServer({ env: { PORT: '0', HOST: '127.0.0.1' }, log: () => {} });
const browser = await chromium.launch({
	executablePath: found.executablePath,
	env: { ...process.env, ...found.env },
	args: CHROMIUM_FLAGS
});
try {
	const page = await browser.newPage({ locale: 'en-GB' });
	await page.goto(server.url);
	await page.getByRole('button', { name: 'Watch the demo' }).click();
	await page.getByRole('log', { name: 'Timeline' }).getByRole('group', { name: 'Task summary' }).waitFor();
	await page
		.getByRole('status', { name: 'Agent' })
		.filter({ hasText: /^Ready$/ })
		.waitFor();
	await page.locator('header').getByRole('button', { name: 'Share', exact: true }).click();
	const downloading = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Save file' }).click();
	const parts = [];
	for await (const part of await (await downloading).createReadStream()) parts.push(part);
	writeFileSync('public/demo.sandglass', Buffer.concat(parts));
} finally {
	await browser.close();
	await server.close();
}
