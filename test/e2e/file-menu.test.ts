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
	'a.txt': 'from a\n',
	'lib/deep/b.txt': 'from b\n',
	'notes.md': '# Notes\n\n<img src=x onerror="document.title = 1">\n',
	'data.csv': 'name;size\n"one; two";1\nthree;2\n',
	'drawing.svg':
		'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>document.title = 1</script></svg>\n',
	'book.ipynb': JSON.stringify({
		cells: [
			{ cell_type: 'markdown', source: ['# A *title*'] },
			{ cell_type: 'code', source: 'print(6 * 7)', outputs: [{ output_type: 'stream', text: ['42\n'] }] }
		]
	})
};

async function start(options: Parameters<World['newProfile']>[0] = {}): Promise<{ page: Page; errors: string[] }> {
	const { page, errors } = await world.newProfile(options);
	await page.goto(world.url);
	await openFiles(page, FILES);
	return { page, errors };
}

const row = (page: Page, path: string) => page.locator(`[role=treeitem][data-path="${path}"]`);
const item = (page: Page, name: string) => page.getByRole('menu').getByRole('menuitem', { name });
const exists = (page: Page, path: string) =>
	page.evaluate((name) => window.sandglass!.environment!.fileExists(name), path);
const rendered = (page: Page, path: string) => page.getByRole('region', { name: `${path}, rendered` });

async function show(page: Page, path: string, view: string): Promise<void> {
	await row(page, path).click();
	await page.locator(`.cm-content[aria-label="${path}"]`).waitFor();
	await page.getByRole('button', { name: view, exact: true }).click();
	await rendered(page, path).waitFor();
}

describe('the menu of a file', () => {
	it('creates, renames, copies and deletes, by keyboard alone', async () => {
		const { page, errors } = await start();
		await row(page, 'a.txt').focus();
		await page.keyboard.press('Shift+F10');
		await item(page, 'Rename…').waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);
		await page.keyboard.press('Escape');
		await page.getByRole('menu').waitFor({ state: 'hidden' });
		await expect.poll(() => row(page, 'a.txt').evaluate((each) => each === document.activeElement)).toBe(true);

		await page.keyboard.press('F2');
		await page.getByRole('dialog', { name: 'Rename a.txt' }).getByRole('textbox', { name: 'Name' }).fill('../out.txt');
		await page.keyboard.press('Enter');
		await page.getByRole('alert').filter({ hasText: 'Use a name without' }).waitFor();
		await page.getByRole('textbox', { name: 'Name' }).fill('notes.md');
		await page.keyboard.press('Enter');
		await page.getByRole('alert').filter({ hasText: 'notes.md already exists.' }).waitFor();
		await page.getByRole('textbox', { name: 'Name' }).fill('c.txt');
		await page.keyboard.press('Enter');
		await row(page, 'c.txt').waitFor();
		expect(await exists(page, 'a.txt')).toBe(false);

		await row(page, 'c.txt').click({ button: 'right' });
		await item(page, 'Duplicate').click();
		await row(page, 'c-copy.txt').waitFor();
		await row(page, 'lib').click({ button: 'right' });
		await item(page, 'New file…').click();
		await page.getByRole('dialog', { name: 'New file' }).getByRole('textbox', { name: 'Name' }).fill('more/d.txt');
		await page.keyboard.press('Enter');
		await page.locator('.cm-content[aria-label="lib/more/d.txt"]').waitFor();

		await row(page, 'lib').focus();
		await page.keyboard.press('Delete');
		await page.getByRole('dialog', { name: 'Delete lib?' }).getByRole('button', { name: 'Delete' }).click();
		await row(page, 'lib').waitFor({ state: 'hidden' });
		expect(await exists(page, 'lib/deep/b.txt')).toBe(false);
		expect(await page.locator('.cm-content[aria-label="lib/more/d.txt"]').count()).toBe(0);
		expect(errors).toEqual([]);
	});

	it('keeps what is typed in a file that is renamed, and its path leads to its folders', async () => {
		const { page } = await start();
		// `lib` is open from the start.
		await row(page, 'lib/deep').click();
		await row(page, 'lib/deep/b.txt').click();
		await page.locator('.cm-content[aria-label="lib/deep/b.txt"]').focus();
		await page.keyboard.type('mine ');
		await page.getByText('not saved', { exact: true }).waitFor();
		await row(page, 'lib').focus();
		await page.keyboard.press('F2');
		await page.getByRole('textbox', { name: 'Name' }).fill('src');
		await page.keyboard.press('Enter');
		await page.locator('.cm-content[aria-label="src/deep/b.txt"]').waitFor();
		await expect.poll(() => page.locator('.cm-line').first().textContent()).toBe('mine from b');
		await page.getByRole('navigation', { name: 'Path of the open file' }).getByRole('button', { name: 'src' }).click();
		await expect.poll(() => row(page, 'src').evaluate((each) => each === document.activeElement)).toBe(true);
	});

	it('takes files of the user’s computer, and gives a folder as a zip', async () => {
		const { page } = await start();
		await page.getByRole('button', { name: 'More for the project' }).click();
		const chooser = page.waitForEvent('filechooser');
		await item(page, 'Upload files…').click();
		await (await chooser).setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('uploaded\n') });
		await row(page, 'a-copy.txt').waitFor();
		await row(page, 'lib').click({ button: 'right' });
		const saved = page.waitForEvent('download');
		await item(page, 'Download').click();
		expect((await saved).suggestedFilename()).toBe('lib.zip');
	});
});

describe('a file is also shown', () => {
	it('as a document, a table, an image or a notebook, without running anything of it', async () => {
		const { page, errors } = await start();
		const title = await page.title();
		await show(page, 'notes.md', 'Rendered');
		await rendered(page, 'notes.md').getByRole('heading', { name: 'Notes' }).waitFor();
		await show(page, 'data.csv', 'Table');
		expect(await rendered(page, 'data.csv').getByRole('cell').allTextContents()).toEqual([
			'one; two',
			'1',
			'three',
			'2'
		]);
		expect(await violationsInBothThemes(page)).toEqual([]);
		await show(page, 'drawing.svg', 'Image');
		const image = rendered(page, 'drawing.svg').getByRole('img');
		await expect.poll(() => image.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBe(40);
		await show(page, 'book.ipynb', 'Notebook');
		await rendered(page, 'book.ipynb').getByRole('heading', { name: 'A title' }).waitFor();
		await rendered(page, 'book.ipynb').getByText('42').waitFor();
		expect(await page.title()).toBe(title);
		await page.getByRole('button', { name: 'Notebook', exact: true }).click();
		await page.locator('.cm-content[aria-label="book.ipynb"]').waitFor();
		expect(errors).toEqual([]);
	});
});
