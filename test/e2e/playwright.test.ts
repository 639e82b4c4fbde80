import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from './world.ts';

let world: World;
/** Each test opens a project of its own in it. */
let page: Page;
beforeAll(async () => {
	world = await openWorld();
	({ page } = await world.newProfile());
	page.setDefaultTimeout(90_000);
	await page.goto(world.url);
});
afterAll(() => world?.close());

const importFiles = (files: Record<string, string>): Promise<void> =>
	page.evaluate((given) => window.sandglass!.importRepository({ files: given }), files);

/** Runs a command in the project's shell. */
const run = (command: string): Promise<{ stdout: string; stderr: string; exitCode: number | null }> =>
	page.evaluate((line) => window.sandglass!.environment!.exec(line, { timeoutMs: 100_000 }), command);

const SERVER = `require('http').createServer((request, response) => {
	response.setHeader('Content-Type', 'text/html');
	response.end(require('fs').readFileSync('index.html'));
}).listen(4600);`;
const CONFIG = `import { defineConfig } from '@playwright/test';
export default defineConfig({
	testDir: 'tests',
	timeout: 20_000,
	expect: { timeout: 1_000 },
	use: { baseURL: 'http://localhost:4600' },
	webServer: { command: 'node server.cjs', url: 'http://localhost:4600' }
});`;

describe('npx playwright test', () => {
	it('passes and fails with the right verdicts over a page that a server of the project has', async () => {
		await importFiles({
			'index.html': '<!doctype html><title>Shop</title><h1>Order</h1>',
			'server.cjs': SERVER,
			'playwright.config.ts': CONFIG,
			'tests/shop.spec.ts': `import { test, expect } from '@playwright/test';

test('is called Order', async ({ page }) => {
	await page.goto('/');
	await expect(page.getByRole('heading')).toHaveText('Order');
});

test('is called otherwise', async ({ page }) => {
	await page.goto('/');
	await expect(page.getByRole('heading')).toHaveText('Ordr');
});
`
		});
		const { stdout, stderr, exitCode } = await run('npx playwright test');
		expect(stderr).toBe('');
		expect(stdout).toContain('Running 2 tests using 1 worker');
		expect(stdout).toMatch(/ ✓ {3}1 tests\/shop\.spec\.ts:3:\d+ › is called Order \(/);
		expect(stdout).toMatch(/ ✘ {3}2 tests\/shop\.spec\.ts:8:\d+ › is called otherwise \(/);
		expect(stdout).toContain(`    Error: expect(locator).toHaveText(expected) failed

    Locator:  getByRole('heading')
    Expected: "Ordr"
    Received: "Order"
    Timeout:  1000ms

    Call log:
      - Expect "toHaveText" getByRole('heading') with timeout 1000ms
      - waiting for getByRole('heading')
`);
		expect(stdout).toContain("    > 10 | \tawait expect(page.getByRole('heading')).toHaveText('Ordr');");
		expect(stdout).toContain('  1 failed\n');
		expect(stdout).toMatch(/ {2}1 passed \(/);
		expect(exitCode).toBe(1);
	});
});
