import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** Actions of a user in the page. Each waits for a lasting state. */

export const messageBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
export const timelineOf = (page: Page): Locator => page.getByRole('log', { name: 'Timeline' });

const WORDS = { idle: 'Ready', working: 'Working', 'waiting for you': 'Waiting for you', closed: 'Stopped' };

/** Waits until the page shows this state of the agent in words. */
export const agentIs = (page: Page, state: keyof typeof WORDS): Promise<void> =>
	page
		.getByRole('status', { name: 'Agent' })
		.filter({ hasText: new RegExp(`^${WORDS[state]}$`) })
		.waitFor({ timeout: 90_000 });

export async function send(page: Page, text: string): Promise<void> {
	await messageBox(page).fill(text);
	await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Opens these files as a new project. */
export async function openFiles(page: Page, files: Record<string, string>): Promise<void> {
	await page.evaluate((all) => window.sandglass!.importRepository({ files: all }), files);
	await agentIs(page, 'idle');
}

/** Clicks the demo and waits for its end. */
export async function watchDemo(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Watch the demo' }).click();
	// The summary appears once the task has ended, and stays.
	await timelineOf(page).getByRole('group', { name: 'Task summary' }).waitFor({ timeout: 90_000 });
	await agentIs(page, 'idle');
}

/** Output of a command in the open project. */
export const run = (page: Page, command: string): Promise<string> =>
	page.evaluate(async (line) => (await window.sandglass!.environment!.exec(line)).stdout, command);

export interface OpenTerminal {
	type(text: string): Promise<void>;
	shows(pattern: RegExp): Promise<void>;
}

/** Opens the terminal at its prompt. Its rows are read, since xterm's own accessible tree is incomplete. */
export async function openTerminal(page: Page): Promise<OpenTerminal> {
	await page.getByRole('tab', { name: 'Terminal' }).click();
	const screen = page.locator('.xterm-screen').first();
	await screen.waitFor();
	const rows = page.locator('.xterm-rows').first();
	const shows = async (pattern: RegExp) => {
		await expect
			.poll(async () => (await rows.innerText()).replaceAll('\u00a0', ' '), { timeout: 20_000 })
			.toMatch(pattern);
	};
	await screen.click();
	await shows(/❯|\$/);
	return { type: (text) => page.keyboard.type(text), shows };
}

/** Pages' state that is already stored in the browser's database, as one text. */
export const storedState = (page: Page): Promise<string> =>
	page.evaluate(async () => {
		const found: unknown[] = [];
		for (const { name } of await indexedDB.databases()) {
			const open = indexedDB.open(name!);
			await new Promise((done) => (open.onsuccess = done));
			if (open.result.objectStoreNames.contains('page')) {
				const all = open.result.transaction('page').objectStore('page').getAll();
				await new Promise((done) => (all.onsuccess = done));
				found.push(all.result);
			}
			open.result.close();
		}
		return JSON.stringify(found);
	});
