import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { violations } from './axe.ts';
import { agentIs, messageBox, openFiles, send as sendIn, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const say = (text: string): ScenarioTurn => ({ text });
const run = (command: string): ScenarioTurn => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });
const long = 'many words '.repeat(3000);

const scripts = new Map<string, ScenarioTurn[]>([
	['first-words', [say('First answer.')]],
	['second-words', [say('Second answer.')]],
	['ask-words', [run('touch asked.txt'), say('Asked and done.')]],
	['see-picture', [say('A picture of one dot.')]],
	['wait-long', [run('while true; do sleep 1; done'), say('never')]],
	['anew-words', [say('Answer of a new conversation.')]],
	['Summarize the conversation', [say('## Goal\nThe short of it.')]]
]);
/** One red dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** Lasting states are waited for; the machine may be busy. */
const PATIENT = { timeout: 30_000 };

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
	await openFiles(page, { 'a.txt': 'one\n' });
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const box = () => messageBox(page);
const written = () => expect.poll(() => box().inputValue(), PATIENT);
const timeline = () => timelineOf(page);
const state = (text: 'idle' | 'waiting for you') => agentIs(page, text);
const send = (text: string) => sendIn(page, text);
/** Simulates these files on the clipboard. */
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
		await written().toMatch(/^second-words/);
		await page.keyboard.press('ArrowUp');
		await written().toMatch(/^first-words/);
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		await written().toBe('');
	});

	it('sends nothing at the Enter that chooses a word of an input method, as Safari reports it too', async () => {
		await box().fill('にほん');
		for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
			await box().dispatchEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init });
			expect(await box().inputValue()).toBe('にほん');
		}
		await box().fill('');
	});

	it('copies a step and the link to it, which leads there after a reload and from within', async () => {
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		const answer = timeline().locator('.row', { hasText: 'First answer.' });
		const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
		await answer.getByRole('button', { name: 'Copy the text' }).click();
		await expect.poll(clipboard, PATIENT).toBe('First answer.');
		await answer.getByRole('button', { name: 'Copy the link' }).click();
		await expect.poll(clipboard, PATIENT).toMatch(/#session\/[\w-]+\/\d+$/);
		const marked = timeline().locator('.row.marked', { hasText: 'First answer.' });
		const address = await clipboard();
		await page.evaluate((link) => void (location.href = link), address);
		await marked.waitFor();
		await page.reload();
		await state('idle');
		await marked.waitFor();
	});

	it('calls a person back who allowed it and looks elsewhere: when it waits, and when it is done', async () => {
		await page.context().grantPermissions(['notifications']);
		await page.evaluate(() => {
			localStorage.setItem('sandglass:notify', 'yes');
		});
		await page.reload();
		await state('idle');
		await page.evaluate(() => {
			const told: string[] = Reflect.set(globalThis, 'told', []) && Reflect.get(globalThis, 'told');
			globalThis.Notification = class extends Notification {
				constructor(title: string, options?: NotificationOptions) {
					super(title, options);
					told.push(`${title}: ${options?.body}`);
				}
			};
			Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
			document.dispatchEvent(new Event('visibilitychange'));
		});
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('ask');
		await send('ask-words');
		await state('waiting for you');
		const told = () => page.evaluate(() => Reflect.get(globalThis, 'told'));
		await expect.poll(told, PATIENT).toEqual([expect.stringMatching(/Sandglass: The agent is waiting for you\.$/)]);
		await expect.poll(() => page.title(), PATIENT).toMatch(/^● /);
		await page.getByRole('button', { name: 'Apply', exact: true }).click();
		await timeline().getByText('Asked and done.').waitFor();
		await expect
			.poll(told, PATIENT)
			.toEqual([expect.anything(), expect.stringMatching(/Sandglass: The agent is done\.$/)]);
		await page.evaluate(() => {
			Reflect.deleteProperty(document, 'hidden');
			document.dispatchEvent(new Event('visibilitychange'));
		});
		await expect.poll(() => page.title(), PATIENT).not.toMatch(/^● /);
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
	});

	it('completes a command and runs it; the timeline opens what the compaction dropped', async () => {
		await box().pressSequentially('/co');
		await page.getByRole('option', { name: '/compact' }).waitFor();
		await page.keyboard.press('Tab');
		await written().toBe('/compact ');
		await page.keyboard.press('Enter');
		await timeline().getByRole('button', { name: 'Show what was dropped' }).click();
		await timeline().getByText('The short of it.').waitFor();
		await timeline().getByText('first-words').last().waitFor();
	});

	it('takes pictures by what they are, and sends them along', async () => {
		await paste([{ name: 'lie.png', base64: btoa('no picture') }]);
		await page.getByRole('button', { name: 'Remove lie.png' }).click();
		await paste([{ name: 'dot.png', base64: PNG }]);
		await page.getByRole('img', { name: 'Image 1' }).waitFor();
		await send('see-picture');
		await timeline().getByText('A picture of one dot.').waitFor();
		expect(JSON.stringify(models.requests.at(-1)?.body)).toContain(PNG);
		await page.getByRole('img', { name: 'Image 1' }).waitFor({ state: 'detached' });
	});

	it('keeps the queue over Stop and a reload, and lets it be edited', async () => {
		await send('wait-long');
		await timeline().getByText('while true').first().waitFor();
		await box().fill('queued for later');
		await page.keyboard.press('Alt+Enter');
		const queue = page.getByRole('list', { name: 'Queue' });
		await queue.getByText('queued for later').waitFor();
		await page.getByRole('button', { name: 'Stop' }).click();
		await state('idle');
		await box().fill('a draft');
		await page.reload();
		await state('idle');
		await queue.getByText('queued for later').waitFor();
		await written().toBe('a draft');
		await queue.getByRole('button', { name: 'Edit' }).click();
		await written().toBe('queued for later\n\na draft');
		await queue.waitFor({ state: 'detached' });
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
		await page.keyboard.press('Alt+f');
		await page.getByRole('searchbox', { name: 'Find in the conversation' }).fill('second answer');
		await page.getByRole('status', { name: 'Found' }).getByText('1 of 1').waitFor();
		expect(await violations(page)).toEqual([]);
		await page.keyboard.press('Escape');
		await page.keyboard.press('Control+k');
		await page.getByRole('combobox', { name: 'What do you want to do?' }).fill('show the shortcuts');
		await page.keyboard.press('Enter');
		await page.getByRole('combobox', { name: 'What do you want to do?' }).waitFor({ state: 'hidden' });
		await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
		await page.keyboard.press('Escape');
		// A shell receives Tab, but keyboard users must be able to leave it.
		await page.keyboard.press('Alt+3');
		await page.locator('.xterm-helper-textarea').first().focus();
		await page.keyboard.press('Alt+m');
		await expect
			.poll(() => page.getByRole('textbox', { name: 'Message', exact: true }).evaluate((box) => box.matches(':focus')))
			.toBe(true);
		await timeline().focus();
		await page.keyboard.press('?');
		await page.getByRole('dialog', { name: 'Shortcuts' }).getByText('Queue the message').waitFor();
		await page.keyboard.press('Escape');
	});

	it('begins a new conversation over the same files', async () => {
		await send('/clear');
		await page.getByText('What do you want to build or fix?').waitFor();
		expect(await page.evaluate(() => window.sandglass!.environment!.readFile('a.txt'))).toBe('one\n');
		await send('anew-words');
		await timeline().getByText('Answer of a new conversation.').waitFor();
		expect(JSON.stringify(models.requests.at(-1)?.body)).not.toContain('second-words');
	});
});
