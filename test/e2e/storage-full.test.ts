import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMortalBrowser, type MortalBrowser } from './kills/mortal-browser.ts';
import { startProduct } from './world.ts';

let world: Awaited<ReturnType<typeof startProduct>>;
let profile: string;
let browser: MortalBrowser;
beforeAll(async () => {
	world = await startProduct();
	// A profile on disk: in-memory storage has no quota.
	profile = await mkdtemp(path.join(tmpdir(), 'sandglass-full-'));
	browser = await startMortalBrowser(profile);
});
afterAll(async () => {
	await browser.kill();
	await world.close();
	await rm(profile, { recursive: true, force: true });
});

it('says when the browser has no room left, goes on, and stores everything once there is room again', async () => {
	const { page } = browser;
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'imported\n' } }));
	const run = (command: string) =>
		page.evaluate(async (line) => (await window.sandglass!.environment!.exec(line)).stdout, command);
	const protocol = await page.context().newCDPSession(page);
	await protocol.send('Storage.overrideQuotaForOrigin', { origin: world.url, quotaSize: 1 });

	await run('head -c 3000000 /dev/urandom > big; sha1sum < big > sum');
	const alert = page.getByRole('alert').filter({ hasText: 'storage' });
	await alert.waitFor();
	expect(await alert.innerText()).toMatch(/full.*Delete sessions/s);
	expect(await run('echo goes on > b.txt; cat a.txt b.txt')).toBe('imported\ngoes on\n');

	await protocol.send('Storage.overrideQuotaForOrigin', { origin: world.url });
	await run('echo room > c.txt');
	await alert.waitFor({ state: 'detached' });
	await page.reload();
	await page.waitForFunction(() => window.sandglass?.environment);
	expect(await run('cat a.txt b.txt c.txt; sha1sum < big | cmp - sum && echo the same')).toBe(
		'imported\ngoes on\nroom\nthe same\n'
	);
});
