import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from './world.ts';

let world: World;
/** Each test opens a separate project in it. */
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

const SHOP = `<!doctype html><title>Shop</title><h1>Order</h1><ul><li>One</li><li>Two</li></ul>
<form id="order"><label>Name <input name="name"></label><button>Send</button></form><p id="out" data-testid="out"></p>
<button disabled>Never</button><a href="/other">Other</a>
<script>order.onsubmit = (event) => { event.preventDefault(); out.textContent = 'Sent ' + order.elements.name.value; };</script>`;

const spec = (body: string): string => `import { test, expect } from '@playwright/test';\n${body}`;

describe('the command line', () => {
	beforeAll(async () => {
		await importFiles({
			'index.html': SHOP,
			'server.cjs': SERVER,
			'playwright.config.ts': CONFIG.replace(
				'webServer',
				`retries: 0,
	projects: [{ name: 'wide' }, { name: 'narrow', use: { viewport: { width: 390, height: 844 } } }],
	webServer`
			),
			'tests/a.spec.ts': spec(`
test('sends @form', async ({ page }) => {
	await page.goto('/');
	await page.getByLabel('Name').fill('Ada');
	await page.getByRole('button', { name: 'Send' }).click();
	await expect(page.getByTestId('out')).toHaveText('Sent Ada');
});
test('knows its size', async ({ page }, info) => {
	await page.goto('/');
	expect(await page.evaluate(() => innerWidth)).toBe(info.project.name === 'wide' ? 1280 : 390);
});`)
		});
	});

	it('lists the tests of each project, and those that match', async () => {
		const all = await run('npx playwright test --list');
		expect(all.stdout).toContain('  [wide] › tests/a.spec.ts:3:1 › sends @form\n');
		expect(all.stdout).toContain('Total: 4 tests in 1 file');
		const some = await run('npx playwright test --list --grep @form --project narrow');
		expect(some.stdout).toContain('Total: 1 test in 1 file');
		expect((await run('npx playwright test --list --grep nothing')).exitCode).toBe(1);
	});

	it('runs a project at its size and passes with 0', async () => {
		const { stdout, exitCode } = await run('npx playwright test --project=narrow');
		expect(stdout).toMatch(/2 passed/);
		expect(exitCode).toBe(0);
	});

	it('names what is not there, and what a word should have been', async () => {
		expect((await run('npx playwright test --ui')).stdout).toContain(
			'--ui is not there when tests run in a browser tab.'
		);
		expect((await run('npx playwright test --nonsense')).stdout).toContain("error: unknown option '--nonsense'");
		expect((await run('npx playwright test --project=huge')).stdout).toContain('Available projects: "wide", "narrow"');
		expect((await run('npx playwright codegen')).stdout).toContain('playwright codegen is not there');
	});
});

describe('failures', () => {
	beforeAll(() => importFiles({ 'index.html': SHOP, 'server.cjs': SERVER, 'playwright.config.ts': CONFIG }));
	const write = (body: string): Promise<void> =>
		page.evaluate((text) => window.sandglass!.environment!.writeFile('tests/a.spec.ts', text), spec(body));

	it('of actions are said in Playwright’s words', async () => {
		await write(`
test.beforeEach(async ({ page }) => { await page.goto('/'); });
test('missing', async ({ page }) => { await page.getByRole('button', { name: 'Nope' }).click({ timeout: 300 }); });
test('disabled', async ({ page }) => { await page.getByText('Never').click({ timeout: 300 }); });
test('several', async ({ page }) => { await page.locator('li').click(); });
test('late', async ({ page }) => { test.setTimeout(2_000); await page.getByText('Nope').click(); });
test('elsewhere', async ({ page }) => { await page.goto('https://example.com/'); });
test('intercepted', async ({ page }) => { await page.route('**/*', () => {}); });`);
		const { stdout, exitCode } = await run('npx playwright test');
		expect(exitCode).toBe(1);
		expect(stdout).toContain(
			"TimeoutError: locator.click: Timeout 300ms exceeded.\n    Call log:\n      - waiting for getByRole('button', { name: 'Nope' })\n"
		);
		expect(stdout).toContain(
			"- waiting for getByText('Never')\n        - locator resolved to <button disabled>Never</button>\n        - element is not enabled"
		);
		expect(stdout).toContain("strict mode violation: locator('li') resolved to 2 elements:");
		expect(stdout).toContain(
			'    Test timeout of 2000ms exceeded.\n\n    Error: locator.click: Test timeout of 2000ms exceeded.'
		);
		expect(stdout).toContain('https://example.com/ is not on this computer.');
		expect(stdout).toContain('page.route() is not there when tests run in a browser tab.');
	});

	it('are tried again, with hooks and fixtures, and written into a report that opens in the preview', async () => {
		await write(`
const named = test.extend<{ greeting: string }>({ greeting: async ({ page }, use) => { await page.goto('/'); await use('Order'); } });
test.beforeAll(() => console.log('set up once'));
test.afterAll(() => console.log('cleared once'));
named('uses a fixture', async ({ page, greeting }) => { await expect(page.getByText(greeting)).toBeVisible(); });
test('is flaky', async ({}, info) => { expect(info.retry).toBe(1); });
test('fails <b>always</b>', async ({ page }) => { await page.goto('/'); await test.step('a step', async () => { expect.soft(1).toBe(2); expect.soft(3).toBe(4); }); });
test.skip('is left out', async () => {});
test('is expected to fail', async () => { test.fail(); expect(1).toBe(2); });
test.describe.serial('in turn', () => {
	test('first', async () => { expect(1, 'one is two').toBe(2); });
	test('second', async () => {});
});`);
		const { stdout, exitCode } = await run('npx playwright test --retries=1 --reporter=list,html');
		expect(exitCode).toBe(1);
		expect(stdout).toMatch(/is flaky \(retry #1\)/);
		expect(stdout).toContain('  2 failed\n');
		expect(stdout).toContain('  1 flaky\n');
		expect(stdout).toContain('  1 skipped\n  1 did not run\n');
		expect(stdout).toMatch(/ {2}2 passed \(/);
		expect(stdout).toContain('Error: one is two\n\n    expect(received).toBe(expected) // Object.is equality');
		const report = await page.evaluate(async () => {
			const { preview } = window.sandglass!;
			const { signal } = new AbortController();
			await preview!.open({ target: { path: 'playwright-report/index.html' } }, signal);
			return (await preview!.snapshot(undefined, signal)).tree;
		});
		expect(report).toContain('heading "Playwright Test Report"');
		expect(report).toContain('fails <b>always</b>');
	});
});

describe('a hostile page under test', () => {
	beforeAll(() => importFiles({ 'server.cjs': SERVER, 'playwright.config.ts': CONFIG }));
	const verdict = async (script: string): Promise<string> => {
		await page.evaluate(
			([html, tests]) =>
				Promise.all([
					window.sandglass!.environment!.writeFile('index.html', html!),
					window.sandglass!.environment!.writeFile('tests/a.spec.ts', tests!)
				]),
			[
				`<!doctype html><head><script>${script}</script></head><h1>Real</h1><button onclick="this.textContent = 'Clicked'">Press</button>`,
				spec(`test('acts', async ({ page }) => {
	await page.goto('/');
	await page.getByRole('button').click();
	await expect(page.getByRole('button')).toHaveText('Clicked');
	await expect(page.getByRole('heading')).toHaveText('Real');
});`)
			]
		);
		const { stdout } = await run('npx playwright test');
		return /\d (passed|failed)/.exec(stdout)?.[0] ?? stdout;
	};

	it('that plays the driver or floods its port changes no verdict', async () => {
		const forged = `{ ok: true, json: '{"count":1,"element":"","isMatch":true}' }`;
		expect(
			await verdict(
				`const { port1, port2 } = new MessageChannel(); port1.onmessage = ({ data }) => port1.postMessage({ id: data.id, ...${forged} }); parent.postMessage({ sandglassDriver: 'guess' }, '*', [port2]);`
			)
		).toBe('1 passed');
		expect(await verdict('MessagePort.prototype.postMessage = () => {}; Reflect.apply = () => { throw 1; };')).toBe(
			'1 passed'
		);
	});
});
