import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import { agentIs, openFiles, run, storedState } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
	world = await openWorld();
});
afterAll(() => world.close());

const FILES = { 'a.txt': 'from a\n', 'b.txt': 'from b\n', 'lib/a.txt': 'from lib\n' };

async function start(options: Parameters<World['newProfile']>[0] = {}): Promise<{ page: Page; errors: string[] }> {
	const { page, errors } = await world.newProfile(options);
	await page.goto(world.url);
	await openFiles(page, FILES);
	return { page, errors };
}

const tabs = (page: Page) => page.getByRole('tablist', { name: 'Open files' });
const tab = (page: Page, name: string) => tabs(page).getByRole('tab', { name, exact: true });
const text = async (page: Page): Promise<string> => (await page.locator('.cm-line').allTextContents()).join('\n');
const read = (page: Page, path: string) => page.evaluate((name) => window.sandglass!.environment!.readFile(name), path);

async function choose(page: Page, path: string): Promise<void> {
	await page.locator(`[role=treeitem][data-path="${path}"]`).click();
	await page.locator(`.cm-content[aria-label="${path}"]`).waitFor();
}

/** Writes at the start of the file that is open. */
async function type(page: Page, words: string): Promise<void> {
	await page.locator('.cm-content').focus();
	await page.keyboard.press('Control+Home');
	await page.keyboard.type(words);
	await page.getByText('not saved', { exact: true }).waitFor();
}

describe('what is typed and not saved', () => {
	it('stays where the file was still being read a second time', async () => {
		const { page, errors } = await start();
		await page.evaluate(() => {
			const environment = window.sandglass!.environment!;
			const readBytes = environment.readBytes.bind(environment);
			let reads = 0;
			const late = new Promise<void>((resolve) => Object.assign(window, { readOn: resolve }));
			environment.readBytes = async (path) => {
				const isFirst = path.endsWith('a.txt') && ++reads === 1;
				const bytes = await readBytes(path);
				if (isFirst) await late;
				return bytes;
			};
		});
		await page.locator('[role=treeitem][data-path="a.txt"]').click();
		await page.evaluate(() => window.sandglass!.environment!.writeFile('a.txt', 'from a, again\n'));
		await page.locator('.cm-content[aria-label="a.txt"]').waitFor();
		await type(page, 'mine ');
		await page.evaluate(() => (window as unknown as { readOn(): void }).readOn());
		await page.keyboard.type('and mine ');
		expect(await text(page)).toContain('mine and mine from a, again');
		expect(errors).toEqual([]);
	}, 60_000);

	it('is there again after another file, after a reload, and after the page has crashed', async () => {
		const { page, errors } = await start();
		await choose(page, 'a.txt');
		await type(page, 'mine ');
		await choose(page, 'b.txt');
		expect(await text(page)).toContain('from b');
		await tab(page, 'a.txt, not saved').click();
		await expect.poll(() => text(page)).toContain('mine from a');
		expect(await read(page, 'a.txt')).toBe('from a\n');

		await type(page, 'still ');
		await page.reload();
		await agentIs(page, 'idle');
		await expect.poll(() => text(page)).toContain('still mine from a');
		await tab(page, 'b.txt').waitFor();

		await tab(page, 'b.txt').click();
		await expect.poll(() => text(page)).toContain('from b');
		await type(page, 'also mine ');
		await expect.poll(() => storedState(page)).toContain('also mine from b');
		const url = page.url();
		const after = await page.context().newPage();
		await page.goto('chrome://crash').catch(() => undefined);
		await after.goto(url);
		await after.getByRole('status', { name: 'Agent' }).waitFor();
		await expect.poll(() => text(after)).toContain('also mine from b');
		await tab(after, 'a.txt, not saved').click();
		await expect.poll(() => text(after)).toContain('still mine from a');
		await after.keyboard.press('Control+s');
		await expect.poll(() => read(after, 'a.txt')).toBe('still mine from a\n');
		await tab(after, 'a.txt').waitFor();
		expect(errors).toEqual([]);
	});

	it('is asked about when its tab is closed: kept, given up, or saved', async () => {
		const { page } = await start();
		await choose(page, 'a.txt');
		await type(page, 'mine ');
		await page.getByRole('button', { name: 'Close a.txt' }).click();
		const question = page.getByRole('dialog', { name: 'Save changes to a.txt?' });
		expect(await violations(page)).toEqual([]);
		await question.getByRole('button', { name: 'Cancel' }).click();
		await expect.poll(() => text(page)).toContain('mine from a');
		await page.locator('.cm-content').focus();
		await page.keyboard.press('Alt+w');
		await question.getByRole('button', { name: 'Don’t save' }).click();
		await tabs(page).waitFor({ state: 'hidden' });
		expect(await read(page, 'a.txt')).toBe('from a\n');
		await choose(page, 'a.txt');
		expect(await text(page)).not.toContain('mine');
		await type(page, 'again ');
		await tab(page, 'a.txt, not saved').focus();
		await page.keyboard.press('Delete');
		await question.getByRole('button', { name: 'Save and close' }).click();
		await expect.poll(() => read(page, 'a.txt')).toBe('again from a\n');
		await tabs(page).waitFor({ state: 'hidden' });
	});

	it('meets a file that changed below: both are shown, and either can be taken', async () => {
		const { page } = await start();
		const conflict = page.getByRole('group', { name: 'Conflict' });
		await choose(page, 'a.txt');
		await type(page, 'mine ');
		await choose(page, 'b.txt');
		await run(page, 'echo theirs > a.txt');
		// Closing it in the background overwrites nothing either.
		await tab(page, 'a.txt, not saved').click({ button: 'middle' });
		await page.getByRole('button', { name: 'Save and close' }).click();
		await conflict.getByText('This file changed while you were editing.').waitFor();
		await conflict.getByRole('button', { name: 'Compare' }).click();
		const difference = conflict.getByRole('group', { name: 'From the new version to yours' });
		await difference.getByText('theirs').waitFor();
		await difference.getByText('mine from a').waitFor();
		expect(await violations(page)).toEqual([]);
		// The question survives a reload, like the unsaved text.
		await page.reload();
		await agentIs(page, 'idle');
		await conflict.getByRole('button', { name: 'Keep mine' }).click();
		await expect.poll(() => text(page)).toContain('mine from a');
		await run(page, 'echo theirs again > a.txt');
		await conflict.getByRole('button', { name: 'Use the new version' }).click();
		await expect.poll(() => text(page)).toContain('theirs again');
		await tab(page, 'a.txt').waitFor();

		await type(page, 'mine ');
		await run(page, 'rm a.txt');
		await conflict.getByText('This file was removed while you were editing.').waitFor();
		await expect.poll(() => text(page)).toContain('mine theirs again');
		await conflict.getByRole('button', { name: 'Keep mine' }).click();
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await expect.poll(() => read(page, 'a.txt')).toBe('mine theirs again\n');
	});
});

describe('the editor’s tabs', () => {
	it('are a tab list for the keyboard and for a screen reader, and tell files of one name apart', async () => {
		const { page } = await start();
		await choose(page, 'a.txt');
		await choose(page, 'b.txt');
		await choose(page, 'lib/a.txt');
		const names = () => tabs(page).getByRole('tab').allTextContents();
		await expect.poll(async () => (await names()).map((name) => name.trim())).toEqual(['a.txt', 'b.txt', 'lib/a.txt']);
		await tab(page, 'lib/a.txt').focus();
		await page.keyboard.press('ArrowRight');
		await expect.poll(() => text(page)).toContain('from a');
		await page.keyboard.press('End');
		await page.keyboard.press('ArrowLeft');
		await expect.poll(() => text(page)).toContain('from b');
		expect(await tab(page, 'b.txt').getAttribute('aria-selected')).toBe('true');
		expect(await page.getByRole('tabpanel', { name: 'b.txt' }).count()).toBe(1);
		expect(await violations(page)).toEqual([]);
		await page.keyboard.press('Delete');
		await tab(page, 'b.txt').waitFor({ state: 'hidden' });
		await expect.poll(() => text(page)).toContain('from lib');
	});

	it('work on a phone: all files, and back to what was typed', async () => {
		const { page } = await start({ viewport: { width: 390, height: 760 } });
		await page.getByRole('tab', { name: 'Files' }).click();
		await choose(page, 'a.txt');
		await type(page, 'mine ');
		await page.getByRole('button', { name: 'All files' }).click();
		await choose(page, 'b.txt');
		await tab(page, 'a.txt, not saved').click();
		await expect.poll(() => text(page)).toContain('mine from a');
	});
});

it('gives the conversation the width that is dragged or set by key, over a reload, and the usual one on request', async () => {
	const { page, errors } = await start({ viewport: { width: 1400, height: 800 } });
	const divider = page.getByRole('separator', { name: 'Width of the conversation' });
	const width = async (): Promise<number> => (await page.locator('#surface-agent').boundingBox())!.width;
	const usual = await width();
	await divider.focus();
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('ArrowLeft');
	expect(await width()).toBeCloseTo(usual - 0.04 * 1400, 0);
	expect(await divider.getAttribute('aria-valuenow')).toBe('35');
	const { x, y, height } = (await divider.boundingBox())!;
	await page.mouse.move(x + 4, y + height / 2);
	await page.mouse.down();
	await page.mouse.move(700, y + height / 2, { steps: 4 });
	await page.mouse.up();
	expect(await width()).toBeCloseTo(700, -1);
	expect(await violations(page)).toEqual([]);
	await page.reload();
	await agentIs(page, 'idle');
	expect(await width()).toBeCloseTo(700, -1);
	// Both columns keep their minimum width.
	await divider.focus();
	await page.keyboard.press('Home');
	expect(await width()).toBe(360);
	await page.keyboard.press('End');
	expect(await width()).toBeLessThanOrEqual(1400 - 380);
	await divider.dblclick();
	expect(await width()).toBeCloseTo(usual, 0);
	expect(errors).toEqual([]);
});
