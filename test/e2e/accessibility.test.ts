import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInBothThemes } from './axe.ts';
import { agentIs, watchDemo } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
	world = await openWorld();
});
afterAll(() => world.close());

// axe runs about two dozen times and uses the CPU all the while.
describe('in both themes, axe finds nothing wrong', { timeout: 240_000 }, () => {
	it('from the front page through the demo, each tab and the share dialog to the shared page', async () => {
		const { page } = await world.newProfile();
		await page.goto(world.url);
		await page.getByRole('button', { name: 'Watch the demo' }).waitFor();
		expect(await violationsInBothThemes(page), 'front page').toEqual([]);
		await page.getByRole('button', { name: 'Start from a template' }).click();
		expect(await violationsInBothThemes(page), 'templates').toEqual([]);
		await page.keyboard.press('Escape');

		await watchDemo(page);
		await page.locator('.cm-content').waitFor();
		// The terminal followed the agent's commands.
		expect(await violationsInBothThemes(page), 'last command').toEqual([]);
		await page.getByRole('tab', { name: 'Shell 1' }).click();
		await page.locator('.xterm-rows').getByText('❯').waitFor();
		expect(await violationsInBothThemes(page), 'files').toEqual([]);
		for (const [name, shown] of [
			['Changes', '.hunk'],
			['Terminal', '.xterm-rows'],
			['Preview', '#surface-preview h2'],
			['Network', '#surface-network strong']
		] as const) {
			await page.getByRole('tab', { name }).click();
			await page.locator(shown).first().waitFor();
			expect(await violationsInBothThemes(page), name).toEqual([]);
		}

		await page.getByRole('button', { name: 'Share', exact: true }).click();
		await page.getByRole('button', { name: 'Create link' }).waitFor();
		expect(await violationsInBothThemes(page), 'share dialog').toEqual([]);
		await page.getByRole('button', { name: 'Create link' }).click();
		const link = await page.getByRole('textbox', { name: 'Share link' }).inputValue();
		expect(await violationsInBothThemes(page), 'share dialog with a link').toEqual([]);

		const visitor = await world.newProfile();
		await visitor.page.goto(link);
		await visitor.page.getByRole('slider', { name: 'Replay' }).waitFor();
		expect(await violationsInBothThemes(visitor.page), 'summary of a share').toEqual([]);
		await visitor.page.getByRole('button', { name: 'All files' }).click();
		await visitor.page.getByRole('button', { name: 'changed src/replacements.ts' }).click();
		expect(await violationsInBothThemes(visitor.page), 'files of a share').toEqual([]);
		await visitor.page.getByRole('button', { name: 'At this moment' }).click();
		await visitor.page.getByRole('region', { name: 'Terminal at this moment' }).waitFor();
		expect(await violationsInBothThemes(visitor.page), 'replay').toEqual([]);
	});

	it('on a phone', async () => {
		const { page } = await world.newProfile({ viewport: { width: 390, height: 844 }, hasTouch: true });
		await page.goto(world.url);
		await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'a\n', 'index.html': '<p>Hi' } }));
		for (const name of ['Agent', 'Files', 'Changes', 'Terminal', 'Preview', 'Network']) {
			await page.getByRole('tab', { name }).click();
			expect(await violationsInBothThemes(page), name).toEqual([]);
		}
	});
});

describe('with the keyboard alone', () => {
	/** The accessible name of the focused element, as far as labels and text determine it. */
	const focused = (page: Page): Promise<string> =>
		page.evaluate(() => {
			const element = document.activeElement as HTMLElement | null;
			return element?.getAttribute('aria-label') ?? element?.innerText.trim() ?? '';
		});

	/** Presses a key until the focused element has this name; focus must be visible at every stop. */
	async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
		for (let press = 0; press < 60; press++) {
			await page.keyboard.press(key);
			expect(await focusIsVisible(page), `the focus on “${await focused(page)}” is visible`).toBe(true);
			if ((await focused(page)) === name) return;
		}
		throw new Error(`${key} does not reach “${name}”.`);
	}

	/** Tests for an outline, a shadow or a border of the element or of one that represents it. */
	const focusIsVisible = (page: Page): Promise<boolean> =>
		page.evaluate(() => {
			let element = document.activeElement;
			// An element drawn for an invisible field, or around a frameless one, is a close ancestor.
			for (let level = 0; element && level < 4; level++, element = element.parentElement) {
				const style = getComputedStyle(element);
				if (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) return true;
				if (element.matches('.cm-editor, .xterm')) return true;
			}
			return document.activeElement === document.body;
		});

	it('opens a project, moves through its tabs, and closes the share dialog that held the focus', async () => {
		const { page, errors } = await world.newProfile();
		await page.goto(world.url);
		await page.getByRole('button', { name: 'Watch the demo' }).waitFor();
		await tabTo(page, 'Git URL');
		await page.keyboard.type('not an address');
		await page.keyboard.press('Enter');
		await page.getByRole('alert').waitFor();
		await expect.poll(() => page.getByRole('textbox', { name: 'Git URL' }).inputValue()).toBe('not an address');
		for (const name of [
			'Open folder',
			'Upload zip',
			'Start from a template',
			'Import',
			'Watch the demo\nno key needed'
		])
			await tabTo(page, name);
		await tabTo(page, 'Start from a template', 'Shift+Tab');
		await page.keyboard.press('Enter');
		await tabTo(page, 'Empty\nJust a readme.');
		await page.keyboard.press('Enter');
		await agentIs(page, 'idle');

		// The button that opened the project is gone with the front page.
		await expect.poll(() => focused(page)).toBe('Message');
		await tabTo(page, 'Files');
		for (const name of ['Changes', 'Terminal', 'Preview', 'Network', 'Files']) {
			await page.keyboard.press('ArrowRight');
			expect(await page.getByRole('tab', { name, selected: true }).first().innerText()).toContain(name);
			await expect.poll(() => focused(page)).toContain(name);
			expect(await focusIsVisible(page)).toBe(true);
		}
		await page.keyboard.press('End');
		await expect.poll(() => focused(page)).toBe('Network');

		await tabTo(page, 'Share', 'Shift+Tab');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Create link' }).waitFor();
		for (let press = 0; press < 12; press++) {
			await page.keyboard.press('Tab');
			const inside = await page.evaluate(() => {
				const at = document.activeElement;
				return at === document.body || at?.closest('dialog') !== null;
			});
			expect(inside, 'the dialog keeps the focus').toBe(true);
		}
		await page.keyboard.press('Escape');
		await page.getByRole('dialog').waitFor({ state: 'hidden' });
		await expect.poll(() => focused(page)).toBe('Share');
		expect(errors).toEqual([]);
	});
});
