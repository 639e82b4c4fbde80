import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openFiles, openTerminal } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let page: Page;
let errors: string[];

beforeAll(async () => {
	world = await openWorld();
	({ page, errors } = await world.newProfile());
	await page.goto(world.url);
	// One project for all: each test uses separate files in it.
	await openFiles(page, {
		'package.json': JSON.stringify({ name: 'x', scripts: { test: 'node --test' } }),
		'sum.test.ts':
			"import { test } from 'node:test';\nimport assert from 'node:assert';\nconst add = (a: number, b: number): number => a + b;\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
		'main.mjs':
			"import { readFileSync } from 'node:fs';\nconst lines = readFileSync('main.mjs', 'utf8').split('\\n');\nconsole.log('lines', lines.length);\n"
	});
});
afterAll(() => world.close());
afterEach(() => {
	expect(errors).toEqual([]);
});

describe('the computer in the tab', () => {
	it('runs what is typed into the terminal, and streams it', async () => {
		const terminal = await openTerminal(page);
		await terminal.type('node main.mjs\n');
		await terminal.shows(/lines 4/);
		await terminal.type('npm test\n');
		await terminal.shows(/pass 1[\s\S]*fail 0/);
		await terminal.type('for i in 1 2 3; do echo item-$i; done | tail -1; git status --short\n');
		await terminal.shows(/item-3/);
	});

	it('stops an endless loop with Ctrl-C and goes on, every earlier write in place', async () => {
		const terminal = await openTerminal(page);
		await terminal.type(
			`node -e "require('fs').writeFileSync('before.txt', 'kept'); console.log('looping'); while (true);"\n`
		);
		await terminal.shows(/\nlooping|looping\s*$/);
		await page.keyboard.press('Control+c');
		await terminal.type('cat before.txt; echo; echo still-here-$((40 + 2))\n');
		await terminal.shows(/kept[\s\S]*still-here-42/);
	});

	it('shows what a command wrote in the file tree, and saves what is typed in the editor', async () => {
		await page.evaluate(() => window.sandglass!.environment!.exec('mkdir -p made && echo content > made/by-shell.txt'));
		await page.getByRole('tab', { name: 'Files' }).click();
		await page.getByRole('treeitem', { name: /^made/ }).click();
		await page.getByRole('treeitem', { name: /by-shell\.txt/ }).click();
		const editor = page.locator('.cm-content').first();
		await editor.getByText('content').waitFor();
		await editor.click();
		await page.keyboard.press('Control+End');
		await page.keyboard.type('and more');
		await page.keyboard.press('Control+s');
		await expect
			.poll(() => page.evaluate(() => window.sandglass!.environment!.readFile('made/by-shell.txt')))
			.toBe('content\nand more');
		await page.getByRole('tab', { name: /Changes/ }).click();
		await page
			.getByRole('tabpanel', { name: /Changes/ })
			.getByText('by-shell.txt')
			.first()
			.waitFor();
	});

	it('ends a command at its time limit, and on abort, with what it printed so far', async () => {
		const results = await page.evaluate(async () => {
			const environment = window.sandglass!.environment!;
			const timed = await environment.exec('echo early; sleep 30; echo late', { timeoutMs: 3_000 });
			const stop = new AbortController();
			const aborted = await environment.exec('echo first; while true; do :; done', {
				signal: stop.signal,
				onOutput: () => stop.abort()
			});
			return { timed, aborted };
		});
		expect(results.timed).toMatchObject({ stdout: 'early\n', exitCode: 124, timedOut: true });
		expect(results.aborted).toMatchObject({ stdout: 'first\n', exitCode: 130, timedOut: false });
	});
});
