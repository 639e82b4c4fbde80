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
	'tsconfig.json': JSON.stringify({
		compilerOptions: { strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] },
		include: ['src']
	}),
	'src/add.ts': '/** Adds two numbers. */\nexport const add = (a: number, b: number): number => a + b;\n',
	'src/use.ts': "import { add } from './add';\nexport const sum = add(1, 2);\n",
	'src/wrong.ts': "export const wrong: number = 'text';\n"
};

/** The compiler is loaded with the first answer. */
const PATIENT = { timeout: 100_000 };
const read = (page: Page, path: string) => page.evaluate((name) => window.sandglass!.environment!.readFile(name), path);
const text = async (page: Page): Promise<string> => (await page.locator('.cm-line').allTextContents()).join('\n');

async function start(path: string): Promise<{ page: Page; errors: string[] }> {
	const { page, errors } = await world.newProfile();
	await page.goto(world.url);
	await openFiles(page, FILES);
	await choose(page, path);
	return { page, errors };
}

async function choose(page: Page, path: string): Promise<void> {
	await page.locator(`[role=treeitem][data-path="${path}"]`).click();
	await page.locator(`.cm-content[aria-label="${path}"]`).waitFor();
	await page.getByRole('button', { name: 'Format' }).waitFor();
}

describe('the editor with TypeScript’s language service', () => {
	it('completes with an import, goes to the definition, and renames in all files', async () => {
		const { page, errors } = await start('src/wrong.ts');
		await page.locator('.cm-content').focus();
		await page.keyboard.press('Control+End');
		await page.keyboard.type('export const three = ad');
		await page.keyboard.press('Control+Space');
		const option = page.locator('.cm-tooltip-autocomplete').getByRole('option', { name: /^add\.\/add/ });
		await option.waitFor(PATIENT);
		expect(await violationsInBothThemes(page)).toEqual([]);
		await option.click();
		await expect.poll(() => text(page), PATIENT).toMatch(/import \{ add \} from ["']\.\/add["'];?/);
		expect(await text(page)).toContain('export const three = add');

		await page.keyboard.press('F12');
		await page.locator('.cm-content[aria-label="src/add.ts"]').waitFor(PATIENT);
		await expect.poll(() => page.locator('.cm-activeLine').textContent()).toContain('export const add');
		// The other file has unsaved text.
		await page.keyboard.press('F2');
		const dialog = page.getByRole('dialog', { name: 'Rename add' });
		await dialog.getByRole('textbox', { name: 'New name' }).fill('plus');
		await page.keyboard.press('Enter');
		await expect.poll(() => text(page), PATIENT).toContain('export const plus');
		await expect
			.poll(() => read(page, 'src/use.ts'))
			.toBe("import { plus } from './add';\nexport const sum = plus(1, 2);\n");
		await page.getByText('Renamed 3 places in 2 files').first().waitFor();
		expect(errors).toEqual([]);
	});

	it('marks problems as they are typed, and lists those of the whole project', async () => {
		const { page, errors } = await start('src/use.ts');
		await page.locator('.cm-content').focus();
		await page.keyboard.press('Control+End');
		await page.keyboard.type('missing();');
		await page.locator('.cm-lintRange-error').filter({ hasText: 'missing' }).waitFor(PATIENT);
		await page.getByRole('button', { name: 'Problems: 1 error, 0 warnings' }).click();
		const list = page.getByRole('region', { name: 'Problems' });
		await list.getByRole('button', { name: /src\/use\.ts:3:1/ }).waitFor(PATIENT);
		await list.getByRole('button', { name: /TS2322 src\/wrong\.ts:1:14/ }).waitFor(PATIENT);
		await list.getByRole('status').filter({ hasText: '2 errors, 0 warnings' }).waitFor(PATIENT);
		expect(await violationsInBothThemes(page)).toEqual([]);
		await list.getByRole('button', { name: /src\/wrong\.ts/ }).click();
		await page.locator('.cm-content[aria-label="src/wrong.ts"]').waitFor();
		await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('wrong');
		await list.getByRole('button', { name: 'Ask the agent to fix' }).click();
		expect(await page.getByRole('textbox', { name: 'Message', exact: true }).inputValue()).toContain(
			'src/wrong.ts:1:14 Type'
		);
		expect(errors).toEqual([]);
	});

	it('shows what a name is under the pointer, and formats on request', async () => {
		const { page } = await start('src/use.ts');
		await page.locator('.cm-line').nth(1).getByText('add', { exact: true }).hover();
		const tip = page.locator('.cm-code-hover');
		await tip.getByText('Adds two numbers.').waitFor(PATIENT);
		await page.locator('.cm-content').focus();
		await page.keyboard.press('Control+End');
		await page.keyboard.type('export   const x={a:1}');
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Format' }).click();
		await expect.poll(() => text(page), PATIENT).toContain('export const x = { a: 1 }');
		await page.getByText('not saved', { exact: true }).waitFor();
	});
});
