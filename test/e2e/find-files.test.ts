import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInBothThemes } from './axe.ts';
import { openFiles } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
	world = await openWorld();
});
afterAll(() => world.close());

const FILES = {
	'.gitignore': 'ignored/\n',
	'readme.md': 'A table of `locale` pairs.\n',
	'src/index.ts': 'export interface Options {\n\tlocale?: Locale;\n}\n// Ü: locale\nexport const a = 1;\n',
	'src/replacements.ts': "export type Locale = 'de';\r\nexport const locales = ['de'];\r\n",
	'src/words.ts': 'export const words = 1;\n',
	'ignored/locale.txt': 'locale\n',
	'node_modules/other/index.js': 'locale\n'
};

async function start(options: Parameters<World['newProfile']>[0] = {}): Promise<{ page: Page; errors: string[] }> {
	const { page, errors } = await world.newProfile(options);
	await page.goto(world.url);
	await openFiles(page, FILES);
	return { page, errors };
}

const read = (page: Page, path: string) => page.evaluate((name) => window.sandglass!.environment!.readFile(name), path);
const picker = (page: Page) => page.getByRole('dialog', { name: 'Go to file' });
const options = async (page: Page): Promise<string[]> =>
	(await picker(page).getByRole('option').allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
/** The line with the caret. */
const activeLine = (page: Page) => page.locator('.cm-activeLine').textContent();
const search = (page: Page) => page.getByRole('region', { name: 'Find in files' });
const hits = (page: Page) => search(page).getByRole('button', { name: /^\d+ ?\D/ });

describe('quick open', () => {
	it('finds a file by some of its letters, goes to a line, and lists recent files first', async () => {
		const { page, errors } = await start();
		await page.keyboard.press('Control+p');
		await picker(page).waitFor();
		await page.keyboard.type('srepl');
		await expect.poll(async () => (await options(page))[0]).toBe('replacements.ts src');
		expect((await options(page)).join('\n')).not.toMatch(/ignored/);
		expect(await violationsInBothThemes(page)).toEqual([]);
		await page.keyboard.press('Enter');
		await page.locator('.cm-content[aria-label="src/replacements.ts"]').waitFor();
		expect(await picker(page).count()).toBe(0);

		await page.keyboard.press('Control+p');
		await picker(page).waitFor();
		await page.keyboard.type('index:4');
		await expect.poll(async () => (await options(page))[0]).toBe('index.ts src');
		await page.keyboard.press('Enter');
		await page.locator('.cm-content[aria-label="src/index.ts"]').waitFor();
		await expect.poll(() => activeLine(page)).toBe('// Ü: locale');
		// The editor has keyboard focus at once.
		await page.keyboard.type('/');
		await expect.poll(() => activeLine(page)).toBe('/// Ü: locale');

		await page.keyboard.press('Control+p');
		await picker(page).getByText('Recent').waitFor();
		expect((await options(page)).slice(0, 2)).toEqual(['index.ts src', 'replacements.ts src']);
		await page.keyboard.press('Escape');
		await picker(page).waitFor({ state: 'hidden' });
		expect(errors).toEqual([]);
	});

	it('has the actions, alone after >, and says when nothing matches', async () => {
		const { page } = await start();
		await page.getByRole('button', { name: 'Go to file' }).click();
		await picker(page).getByRole('combobox').fill('> find in');
		await picker(page).getByRole('option', { name: 'Find in files' }).waitFor();
		await picker(page).getByRole('combobox').fill('qqqqzz');
		await picker(page).getByRole('status').filter({ hasText: 'No matches' }).waitFor();
		await picker(page).getByRole('combobox').fill('> find in');
		await picker(page).getByRole('option', { name: 'Find in files' }).click();
		await search(page).waitFor();
	});
});

describe('find in files', () => {
	it('lists matching lines by file, and opens the line that is chosen', async () => {
		const { page, errors } = await start();
		await page.keyboard.press('Control+Shift+F');
		await search(page).getByRole('searchbox', { name: 'Find' }).fill('locale');
		await search(page).getByRole('status').filter({ hasText: '5 results in 3 files' }).waitFor();
		expect(await hits(page).allTextContents()).toEqual([
			'1A table of `locale` pairs.',
			'2locale?: Locale;',
			'4// Ü: locale',
			"1export type Locale = 'de';",
			"2export const locales = ['de'];"
		]);
		// Two matches in one line, and one after a two-byte character.
		expect(await search(page).locator('mark').allTextContents()).toEqual([
			'locale',
			'locale',
			'Locale',
			'locale',
			'Locale',
			'locale'
		]);
		expect(await violationsInBothThemes(page)).toEqual([]);
		await page.keyboard.press('ArrowDown');
		for (const _ of [1, 2, 3, 4]) await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await page.locator('.cm-content[aria-label="src/index.ts"]').waitFor();
		await expect.poll(() => activeLine(page)).toBe('// Ü: locale');
		expect(await page.evaluate(() => String(getSelection()))).toBe('locale');

		await search(page).getByRole('button', { name: 'Match case' }).click();
		await search(page).getByRole('button', { name: 'Whole word' }).click();
		await search(page).getByRole('status').filter({ hasText: '3 results in 2 files' }).waitFor();
		await search(page).getByRole('button', { name: 'Regular expression' }).click();
		await search(page).getByRole('searchbox', { name: 'Find' }).fill('(');
		await search(page).getByText('unclosed group').waitFor();
		await search(page).getByRole('searchbox', { name: 'Find' }).fill('wor.s');
		await search(page).getByRole('textbox', { name: 'Files to include' }).fill('*.md');
		await search(page).getByRole('status').filter({ hasText: 'No results' }).waitFor();
		await page.keyboard.press('Escape');
		await page.getByRole('tree', { name: 'Project tree' }).waitFor();
		expect(errors).toEqual([]);
	});

	it('replaces all matches, line ends as they were, but not below unsaved text', async () => {
		const { page } = await start();
		await page.locator('[role=treeitem][data-path="src/index.ts"]').click();
		await page.locator('.cm-content[aria-label="src/index.ts"]').focus();
		await page.keyboard.type('// mine\n');
		await page.getByText('not saved', { exact: true }).waitFor();
		await page.keyboard.press('Control+Shift+F');
		await search(page).getByRole('searchbox', { name: 'Find' }).fill('locale');
		await search(page).getByRole('status').filter({ hasText: '5 results in 3 files' }).waitFor();
		await search(page).getByRole('textbox', { name: 'Replace' }).fill('$1 region');
		await search(page).getByRole('button', { name: 'Replace all' }).click();
		await search(page).getByText('Replaced 3 matches in 2 files').waitFor();
		await search(page).getByText('unsaved edits: src/index.ts').waitFor();
		expect(await read(page, 'src/replacements.ts')).toBe(
			"export type $1 region = 'de';\r\nexport const $1 regions = ['de'];\r\n"
		);
		expect(await read(page, 'src/index.ts')).toBe(FILES['src/index.ts']);
	});

	it('fits a phone: the results, then the file, then back', async () => {
		const { page } = await start({ viewport: { width: 390, height: 760 } });
		await page.getByRole('tab', { name: 'Files' }).click();
		await page.keyboard.press('Control+Shift+F');
		await search(page).getByRole('searchbox', { name: 'Find' }).fill('words');
		await hits(page).first().click();
		await page.locator('.cm-content[aria-label="src/words.ts"]').waitFor();
		expect(await search(page).isVisible()).toBe(false);
		await page.getByRole('button', { name: 'All files' }).click();
		await search(page).waitFor();
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	});
});
