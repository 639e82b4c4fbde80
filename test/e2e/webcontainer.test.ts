import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from './world.ts';

const LIVE = process.env['SANDGLASS_LIVE_WEBCONTAINER'] === '1';

let world: World;

beforeAll(async () => {
	world = await openWorld({ SANDGLASS_WEBCONTAINER: '1' });
});
afterAll(() => world.close());

/** Opens a project of a user who chose WebContainer. */
async function openProject(): Promise<Page> {
	const { page } = await world.newProfile();
	await page.addInitScript(() => localStorage.setItem('sandglass:environment', 'webcontainer'));
	if (!LIVE) await page.context().route(/stackblitz\.com|webcontainer-api\.io/, (route) => route.abort());
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'a\n' } }));
	await page.getByRole('tab', { name: 'Files' }).waitFor();
	return page;
}

const run = (page: Page, command: string): Promise<{ stdout: string; stderr: string; exitCode: number }> =>
	page.evaluate((text) => window.sandglass!.environment!.exec(text), command);

describe('a project whose person chose WebContainer', () => {
	it.skipIf(LIVE)('runs on the built-in computer where its host cannot be reached, and says so', async () => {
		const page = await openProject();
		await page.getByText(/runs on the built-in computer\. WebContainer did not start within 10 s\./).waitFor();
		expect(await page.evaluate(() => window.sandglass!.environment!.platform())).toBe('wasm');
		expect(await run(page, 'cat a.txt')).toMatchObject({ stdout: 'a\n', exitCode: 0 });
	});

	it.skipIf(!LIVE)(
		'runs there (skipped: set SANDGLASS_LIVE_WEBCONTAINER=1 where stackblitz.com can be reached)',
		async () => {
			const page = await openProject();
			await page.getByText(/runs on WebContainer/).waitFor();
			expect(await run(page, 'cat a.txt')).toMatchObject({ stdout: 'a\n', exitCode: 0 });
			expect(await run(page, 'node -e "console.log(6 * 7); console.error(1); process.exit(3)"')).toMatchObject({
				stdout: '42\n',
				stderr: '1\n',
				exitCode: 3
			});
			const kinds = await page.evaluate(async () => {
				const environment = window.sandglass!.environment!;
				await environment.writeFile('run.sh', 'echo x');
				await environment.setMode('run.sh', 0o755);
				await environment.symlink('run.sh', 'link');
				const [file, link] = [await environment.stat('run.sh'), await environment.stat('link')];
				const { entries } = await environment.snapshot();
				const timedOut = (await environment.exec('sleep 30', { timeoutMs: 500 })).timedOut;
				return { mode: file.mode, kind: link.kind, size: entries.size, timedOut };
			});
			expect(kinds).toEqual({ mode: 0o755, kind: 'symlink', size: 3, timedOut: true });
		}
	);
});
