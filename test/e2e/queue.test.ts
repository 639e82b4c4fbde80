import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { violations } from './axe.ts';
import { agentIs, messageBox, openFiles, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const long = 'many words '.repeat(3000);
const say = (text: string): ScenarioTurn => ({ text });
const refuse = (message: string): ScenarioTurn => ({
	fault: {
		kind: 'status',
		status: 400,
		body: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })
	}
});

/** By a word in the request; the last match answers. */
const scripts: [word: string, turns: ScenarioTurn[]][] = [
	['wait-long', [{ toolCalls: [{ name: 'shell', arguments: { command: 'while true; do sleep 1; done' } }] }]],
	['steer-words', [say('Steered.')]],
	['other-words', [say('Other done.')]],
	['later-words', [say('Later done.')]],
	['first-words', [say('First answer.')]],
	['too-much', [refuse('prompt is too long: 213462 tokens > 200000 maximum')]],
	['after-it', [say('It fits again.')]],
	['go-wrong', [refuse('The prompt is invalid')]],
	// The first summary, requested automatically on overflow, fails.
	['Summarize the conversation', [refuse('Not now'), say('## Goal\nThe short of it.')]]
];

let models: ModelServer;
let world: World;
let page: Page;

beforeAll(async () => {
	const rules = scripts.map(([word, turns]): ScenarioRule => ({
		match: ({ body }) => JSON.stringify(body).includes(word),
		scenario: { name: word, turns }
	}));
	models = await startModelServer([
		{
			match: ({ path }) => path === '/v1/responses',
			scenario: { name: 'other', turns: [say('The other model goes on.')] }
		},
		...rules.reverse()
	]);
	const keys = { ANTHROPIC_API_KEY: 'sk-test', OPENAI_API_KEY: 'sk-test' };
	world = await openWorld({ ...keys, ANTHROPIC_BASE_URL: models.url, OPENAI_BASE_URL: `${models.url}/v1` });
});
afterAll(async () => {
	await world.close();
	await models.close();
});

async function openProject(): Promise<void> {
	({ page } = await world.newProfile());
	await page.goto(world.url);
	await openFiles(page, { 'a.txt': 'one\n' });
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
}

const queue = () => page.getByRole('list', { name: 'Queue' });
const entry = (text: string) => queue().getByRole('listitem').filter({ hasText: text });
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
const picture = async (name: string): Promise<void> => {
	const directory = process.env['SCREENSHOTS'];
	if (!directory) return;
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await page.screenshot({ path: `${directory}/${name}-${colorScheme}.png` });
	}
};

describe('messages that wait when the agent is stopped', () => {
	it('stay, each to be sent, edited or removed by keyboard too, and over a reload', async () => {
		await openProject();
		await send(page, 'wait-long');
		await timelineOf(page).getByText('while true').first().waitFor();
		await send(page, 'steer-words');
		await entry('steer-words').getByText('Sends after this step').waitFor();
		for (const text of ['later-words', 'other-words', 'unwanted']) {
			await messageBox(page).fill(text);
			await page.keyboard.press('Alt+Enter');
			await entry(text).getByRole('button', { name: 'Send now' }).waitFor();
		}
		await page.getByRole('button', { name: 'Stop' }).click();
		await agentIs(page, 'idle');
		for (const text of ['steer-words', 'later-words', 'other-words', 'unwanted'])
			for (const name of ['Send now', 'Edit', 'Remove from queue'])
				await entry(text).getByRole('button', { name }).waitFor();
		await page.getByText('Not sent yet.').waitFor();
		await picture('queue');
		expect(await violations(page)).toEqual([]);

		await page.reload();
		await agentIs(page, 'idle');
		await entry('unwanted').getByRole('button', { name: 'Remove from queue' }).focus();
		await page.keyboard.press('Enter');
		await entry('unwanted').waitFor({ state: 'detached' });
		expect(await focused()).toBe('Remove from queue');
		await entry('steer-words').getByRole('button', { name: 'Edit' }).press('Enter');
		await entry('steer-words').waitFor({ state: 'detached' });
		expect(await messageBox(page).inputValue()).toBe('steer-words');
		expect(await focused()).toBe('Message');
		await messageBox(page).fill('');
		expect(await queue().getByRole('listitem').count()).toBe(2);

		await entry('other-words').getByRole('button', { name: 'Send now' }).press('Enter');
		await timelineOf(page).getByText('Other done.').waitFor();
		// The rest of the queue follows automatically.
		await timelineOf(page).getByText('Later done.').waitFor();
		await queue().waitFor({ state: 'detached' });
		await agentIs(page, 'idle');
	});
});

describe('a conversation that no longer fits', () => {
	it('says so in a card whose “Compact now” makes room, and the session goes on', async () => {
		await openProject();
		await send(page, `first-words ${long}`);
		await timelineOf(page).getByText('First answer.').waitFor();
		await agentIs(page, 'idle');
		await send(page, 'too-much');
		const card = page.getByRole('alert').filter({ hasText: 'too long for the model' });
		await card.getByRole('button', { name: 'Compact now' }).waitFor();
		await agentIs(page, 'idle');
		expect(await page.getByText('context window overflowed').count()).toBe(0);
		await picture('overflow');
		expect(await violations(page)).toEqual([]);
		await card.getByRole('button', { name: 'Choose a model' }).click();
		await page.getByRole('menuitem', { name: 'All models…' }).click();
		await expect.poll(focused).toBe('Model');
		await card.getByRole('button', { name: 'Compact now' }).click();
		await timelineOf(page).getByText('Summarized earlier messages').waitFor();
		await send(page, 'after-it');
		await timelineOf(page).getByText('It fits again.').waitFor();
		await card.getByRole('button', { name: 'Start over with these files' }).click();
		await timelineOf(page).getByText('It fits again.').waitFor({ state: 'detached' });
		await agentIs(page, 'idle');
	});
});

describe('a model that fails', () => {
	it('is switched in the card of its error, by keyboard too, and the other one goes on', async () => {
		await openProject();
		await send(page, 'go-wrong');
		const card = page.getByRole('alert').filter({ hasText: 'The prompt is invalid' });
		await timelineOf(page).getByText('Stopped after').waitFor();
		await card.getByRole('button', { name: 'Switch model' }).press('Enter');
		const menu = page.getByRole('menu', { name: 'Switch model' });
		await menu.waitFor();
		await picture('switch-model');
		expect(await violations(page)).toEqual([]);
		const items = menu.getByRole('menuitem');
		await expect.poll(() => items.first().evaluate((item) => item === document.activeElement)).toBe(true);
		expect(await items.first().innerText()).toMatch(/^Claude .*\nSame key · (about|same) /);
		expect(await items.last().innerText()).toBe('Add a key');
		await page.keyboard.press('Escape');
		await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Switch model');
		await page.keyboard.press('Enter');
		await menu
			.getByRole('menuitem', { name: /^GPT-.*This server’s OpenAI key/ })
			.first()
			.press('Enter');
		await expect.poll(() => page.getByRole('combobox', { name: 'Model' }).inputValue()).toMatch(/^openai\//);
		await card.getByRole('button', { name: 'Try again' }).click();
		await timelineOf(page).getByText('The other model goes on.').waitFor();
	});
});
