import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { writeStaticSite } from '#server/page/static-site.ts';
import { CHROMIUM_FLAGS } from '#test/browser.mjs';
import { startStaticHost } from '#test/server/deploy/static-host.ts';
import { watchDemo } from './steps.ts';

it('runs the demo from a host that has files and no server of ours', async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-static-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const { host, close } = await startStaticHost(() => folder);
	onTestFinished(close);
	await writeStaticSite(path.resolve('dist/page'), folder, host);
	const executablePath = process.env['CHROME_PATH'] ?? '/usr/bin/chromium';
	const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
	onTestFinished(() => browser.close());
	const page = await browser.newPage({ reducedMotion: 'reduce' });
	const errors: string[] = [];
	page.on('pageerror', (error) => errors.push(error.message));
	await page.goto(`http://${host}/`);
	expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
	await watchDemo(page);
	const { exitCode, stdout } = await page.evaluate(async () => window.sandglass!.environment!.exec('npm test'));
	expect([exitCode, /fail 0/.test(stdout)]).toEqual([0, true]);
	expect(errors).toEqual([]);
});
