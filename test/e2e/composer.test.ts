import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '../../src/llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '../model-server/server.ts';
import { violations } from './axe.ts';
import { openWorld, type World } from './world.ts';

const say = (text: string): ScenarioTurn => ({ text });
const run = (command: string): ScenarioTurn => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });
const long = 'many words '.repeat(3000);

const scripts = new Map<string, ScenarioTurn[]>([
	['first-words', [say('First answer.')]],
	['second-words', [say('Second answer.')]],
	['see-picture', [say('A picture of one dot.')]],
	['wait-long', [run('while true; do sleep 1; done'), say('never')]],
	['anew-words', [say('Answer of a new conversation.')]],
	['Summarize the conversation', [say('## Goal\nThe short of it.')]]
]);
/** One red dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

let models: ModelServer;
let world: World;
let page: Page;

beforeAll(async () => {
	const rules = [...scripts].map(([word, turns]): ScenarioRule => ({
		match: ({ body }) => JSON.stringify(body).includes(word),
		scenario: { name: word, turns }
	}));
	models = await startModelServer(rules.reverse());
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
	({ page } = await world.newProfile());
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'one\n' } }));
	await state('idle');
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const box = () => page.getByRole('textbox', { name: 'Message' });
const timeline = () => page.getByRole('log', { name: 'Timeline' });
const state = (text: string) =>
	page
		.getByRole('status', { name: 'Agent' })
		.filter({ hasText: new RegExp(`^${text}$`) })
		.waitFor();
const send = async (text: string): Promise<void> => {
	await box().fill(text);
	await page.getByRole('button', { name: 'Send' }).click();
};
/** As if these files were on the clipboard. */
const paste = (files: { name: string; base64: string }[]) =>
	box().evaluate((element, given) => {
		const data = new DataTransfer();
		for (const { name, base64 } of given) {
			const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
			data.items.add(new File([bytes], name, { type: 'image/png' }));
		}
		element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
	}, files);

describe('the composer', () => {
	it('walks through earlier messages', async () => {
		await send(`first-words ${long}`);
		await timeline().getByText('First answer.').waitFor();
		await send(`second-words ${long}`);
		await timeline().getByText('Second answer.').waitFor();
		await state('idle');
		await box().focus();
		await page.keyboard.press('ArrowUp');
		expect(await box().inputValue()).toMatch(/^second-words/);
		await page.keyboard.press('ArrowUp');
		expect(await box().inputValue()).toMatch(/^first-words/);
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		expect(await box().inputValue()).toBe('');
	});

	it('completes a command and runs it; the timeline opens what the compaction dropped', async () => {
		await box().pressSequentially('/co');
		await page.getByRole('option', { name: '/compact' }).waitFor();
		await page.keyboard.press('Tab');
		expect(await box().inputValue()).toBe('/compact ');
		await page.keyboard.press('Enter');
		await timeline().getByRole('button', { name: 'Show what was dropped' }).click();
		await timeline().getByText('The short of it.').waitFor();
		await timeline().getByText('first-words').last().waitFor();
	});

	it('takes pictures by what they are, and sends them along', async () => {
		await paste([{ name: 'lie.png', base64: btoa('no picture') }]);
		await page.getByRole('alert').getByText('“lie.png” is no PNG').waitFor();
		await page.getByRole('button', { name: 'Dismiss' }).click();
		await paste([{ name: 'dot.png', base64: PNG }]);
		await page.getByRole('img', { name: 'Picture 1' }).waitFor();
		await send('see-picture');
		await timeline().getByText('A picture of one dot.').waitFor();
		expect(JSON.stringify(models.requests.at(-1)?.body)).toContain(PNG);
		expect(await page.getByRole('img', { name: 'Picture 1' }).count()).toBe(0);
	});

	it('keeps the queue over Stop and a reload, and lets it be edited', async () => {
		await send('wait-long');
		await timeline().getByText('while true').first().waitFor();
		await box().fill('queued for later');
		await page.keyboard.press('Alt+Enter');
		const queue = page.getByRole('list', { name: 'Waiting messages' });
		await queue.getByText('queued for later').waitFor();
		await page.getByRole('button', { name: 'Stop' }).click();
		await state('idle');
		await box().fill('a draft');
		await page.reload();
		await state('idle');
		await queue.getByText('queued for later').waitFor();
		expect(await box().inputValue()).toBe('a draft');
		await queue.getByRole('button', { name: 'Edit' }).click();
		expect(await box().inputValue()).toBe('queued for later\n\na draft');
		expect(await queue.count()).toBe(0);
		await box().fill('');
	});

	it('does by keyboard what the page can do: palette, shortcuts, help', async () => {
		await page.keyboard.press('Control+k');
		await page.getByRole('combobox', { name: 'What do you want to do?' }).fill('changes');
		expect(await violations(page)).toEqual([]);
		await page.keyboard.press('Enter');
		await page.getByRole('tab', { name: 'Changes', selected: true }).waitFor();
		await page.keyboard.press('Alt+1');
		await page.getByRole('tab', { name: 'Files', selected: true }).waitFor();
		await timeline().focus();
		await page.keyboard.press('?');
		await page.getByRole('dialog', { name: 'Shortcuts' }).getByText('Queue the message').waitFor();
		await page.keyboard.press('Escape');
	});

	it('begins a new conversation over the same files', async () => {
		await send('/clear');
		await page.getByText('What shall be done?').waitFor();
		expect(await page.evaluate(() => window.sandglass!.environment!.readFile('a.txt'))).toBe('one\n');
		await send('anew-words');
		await timeline().getByText('Answer of a new conversation.').waitFor();
		expect(JSON.stringify(models.requests.at(-1)?.body)).not.toContain('second-words');
	});
});
