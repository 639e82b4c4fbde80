import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentIs, timelineOf, watchDemo } from './steps.ts';
import { openWorld, type World } from './world.ts';

/** Sixty megabytes, by two processes on a possibly busy machine. */
const KEEPING_MS = 240_000;

let world: World;
let context: BrowserContext;
let page: Page;
let errors: string[];
const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-offline-'));

beforeAll(async () => {
	cpSync('dist/page', folder, { recursive: true });
	world = await openWorld({}, [], undefined, folder);
	({ context, page, errors } = await world.newProfile({ keepsPage: true }));
});
afterAll(async () => {
	await world.close();
	rmSync(folder, { recursive: true, force: true });
});

const run = (command: string) =>
	page.evaluate(async (line) => {
		const { stdout, stderr, exitCode } = await window.sandglass!.environment!.exec(line);
		return { output: stdout + stderr, exitCode };
	}, command);

it(
	'keeps itself at the first visit, and then runs the demo to green tests without its server',
	async () => {
		await page.goto(world.url);
		await page.getByRole('button', { name: 'Settings', exact: true }).click();
		await page.getByRole('button', { name: 'This page' }).click();
		await page.getByText('Available offline.').waitFor({ timeout: KEEPING_MS });
		const kept = await page.evaluate(async () => {
			const addresses: string[] = [];
			for (const name of await caches.keys())
				for (const { url } of await (await caches.open(name)).keys()) addresses.push(new URL(url).pathname);
			return addresses;
		});
		expect(kept.filter((address) => /^\/(api|runner|preview)/.test(address))).toEqual([]);

		await world.stopServer();
		await page.reload();
		expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
		await watchDemo(page);
		const tests = await run('npm test');
		expect([tests.exitCode, /fail 0/.test(tests.output)]).toEqual([0, true]);
		// Large files that were not used while the server was available.
		expect(await run(`python3 -c 'print(6 * 7)'`)).toEqual({ output: '42\n', exitCode: 0 });
		expect(await run('npx tsc --version')).toMatchObject({ exitCode: 0 });
		expect(await page.getByRole('alert').count()).toBe(0);
		expect(errors).toEqual([]);
	},
	2 * KEEPING_MS
);

it('asks to reload when the server has a newer build, and the session is there again', async () => {
	const build = /name="build" content="([^"]+)"/.exec(readFileSync(path.join(folder, 'index.html'), 'utf8'))?.[1];
	if (build === undefined) throw new Error('The page does not name its build.');
	for (const name of ['index.html', 'sw.js']) {
		const file = path.join(folder, name);
		writeFileSync(file, readFileSync(file, 'utf8').replaceAll(build, 'next'));
	}
	await world.startServer();
	// As a browser does by itself on a visit or once a day.
	await page.evaluate(async () => void (await navigator.serviceWorker.getRegistration())?.update());
	const notice = page.getByRole('status', { name: 'Version' });
	await notice.getByRole('button', { name: 'Reload' }).click({ timeout: 60_000 });
	await expect.poll(() => page.locator('meta[name="build"]').getAttribute('content')).toBe('next');
	await agentIs(page, 'idle');
	await expect.poll(() => timelineOf(page).innerText()).toContain('replacements.ts');
	expect(errors).toEqual([]);
	await context.close();
});
