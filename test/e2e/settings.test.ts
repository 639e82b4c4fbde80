import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startNotesServer } from '#test/agent/extensions/notes-server.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { violations } from './axe.ts';
import { agentIs, openFiles, send as sendIn, storedState, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const OWN_KEY = 'sk-of-my-own-0123456789';
const usage = { input: 1000, output: 1000 };
const look: ScenarioTurn = { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }], usage };

const scripts = new Map<string, ScenarioTurn[]>([
	['capped-task', [look, { text: 'Read it.', usage }]],
	['go-further', [{ text: 'Gone further.', usage }]],
	[
		'ask-notes',
		[{ toolCalls: [{ name: 'notes__find', arguments: { words: 'hourglass' } }] }, { text: 'Found in notes.' }]
	]
]);

let models: ModelServer;
let notes: Awaited<ReturnType<typeof startNotesServer>>;
let world: World;
let page: Page;

beforeAll(async () => {
	const rules = [...scripts].map(([word, turns]): ScenarioRule => ({
		match: ({ body }) => JSON.stringify(body).includes(word),
		scenario: { name: word, turns }
	}));
	models = await startModelServer(rules.reverse());
	notes = await startNotesServer();
	// The server has no key: everything here works with the user's own.
	world = await openWorld({ SANDGLASS_CONNECT_HOSTS: `${models.url},${new URL(notes.url).origin}` });
	({ page } = await world.newProfile());
	await page.goto(world.url);
});
afterAll(async () => {
	await world.close();
	await models.close();
	notes.http.closeAllConnections();
	notes.http.close();
});

const dialog = () => page.getByRole('dialog', { name: 'Settings' });
const timeline = () => timelineOf(page);
const state = (text: 'idle') => agentIs(page, text);
const send = (text: string) => sendIn(page, text);

async function open(section: string): Promise<void> {
	await page.getByRole('button', { name: 'Settings', exact: true }).click();
	await dialog().getByRole('button', { name: section }).click();
}

describe('settings', () => {
	it('a key of one’s own goes to its provider and nowhere else, and is gone with the tab unless kept', async () => {
		await open('Providers and keys');
		await dialog().getByLabel('Your key for OpenAI').fill(OWN_KEY);
		await dialog().getByLabel('Address of OpenAI').fill('https://models.example.org/v1');
		await dialog().getByRole('button', { name: 'Use this key' }).nth(1).click();
		await dialog().getByText('SANDGLASS_CONNECT_HOSTS').waitFor();
		await dialog().getByLabel('Your key for Anthropic').fill(OWN_KEY);
		await dialog().getByLabel('Address of Anthropic').fill(models.url);
		await dialog().getByRole('button', { name: 'Use this key' }).first().click();
		await dialog().getByText('Using your key').waitFor();
		expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(OWN_KEY);
		expect(await violations(page)).toEqual([]);
		await page.keyboard.press('Escape');
		await openFiles(page, { 'a.txt': 'one\n' });
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
		// An earlier reload finds the previous mode.
		await expect.poll(() => storedState(page)).toContain('"full"');
		await page.reload();
		await state('idle');
	});

	it('the spending cap stops the agent with a sentence, and raising it goes on', async () => {
		await open('This session');
		const cap = dialog().getByLabel('Spending cap, in US dollars');
		await cap.fill('-1');
		await cap.press('Enter');
		await dialog().getByRole('alert').getByText('Enter an amount above 0').waitFor();
		await cap.fill('0.01');
		await cap.press('Tab');
		await dialog().getByLabel('Reasoning effort').selectOption('low');
		await page.keyboard.press('Escape');
		await send('Please capped-task');
		await timeline().getByText('The spending cap of $0.01 is reached.').waitFor();
		await state('idle');
		expect(models.requests).toHaveLength(1);
		expect(JSON.stringify(models.requests[0]?.headers)).toContain(OWN_KEY);
		expect(JSON.stringify(models.requests[0]?.body)).toContain('"effort":"low"');
		expect(world.log.filter(({ route }) => String(route).includes('/api/llm'))).toEqual([]);
		await timeline().getByRole('button', { name: 'Change limit' }).click();
		await dialog().getByLabel('Spending cap, in US dollars').fill('');
		await dialog().getByLabel('Spending cap, in US dollars').press('Tab');
		await page.keyboard.press('Escape');
		await send('Now go-further');
		await timeline().getByText('Gone further.').waitFor();
	});

	it('an MCP server’s tools are there for the agent; one that cannot be used says why', async () => {
		await open('Tool servers');
		await dialog().getByLabel('Short name').fill('far');
		await dialog().getByLabel('Address of the server').fill('https://mcp.example.org/mcp');
		await dialog().getByRole('button', { name: 'Add server' }).click();
		await dialog().getByText('This page may not reach https://mcp.example.org.').waitFor();
		await dialog().getByRole('button', { name: 'Remove far' }).click();
		await dialog().getByLabel('Short name').fill('notes');
		await dialog().getByLabel('Address of the server').fill(notes.url);
		await dialog().getByLabel('Token, if it needs one').fill('secret-token');
		await dialog().getByRole('button', { name: 'Add server' }).click();
		await dialog().getByText('3 tools').waitFor();
		expect(notes.headers).toContain('Bearer secret-token');
		expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('secret-token');
		await page.keyboard.press('Escape');
		await send('Please ask-notes');
		await timeline().getByText('Found in notes.').waitFor();
		expect(JSON.stringify(models.requests.at(-1)?.body)).toContain('Found hourglass');
	});

	it('speaks Chinese when asked to, and English again, with the session as it was', async () => {
		const message = page.getByRole('textbox', { name: '消息' });
		await open('This page');
		await dialog().getByLabel('Language').selectOption('zh-Hans');
		await page.getByRole('log', { name: '时间线' }).getByText('Found in notes.').waitFor();
		await message.waitFor();
		await page.getByRole('button', { name: '发送', exact: true }).waitFor();
		await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-Hans');
		await page.getByRole('link', { name: 'Sandglass' }).click();
		await page.getByRole('textbox', { name: 'Git 地址' }).waitFor();
		await page.getByRole('button', { name: '观看演示' }).waitFor();
		await page.getByRole('list', { name: '最近的会话' }).waitFor();
		await page.goBack();
		await message.waitFor();
		await page.getByRole('button', { name: '设置' }).click();
		const settings = page.getByRole('dialog', { name: '设置' });
		await settings.getByRole('button', { name: '本页面' }).click();
		await settings.getByLabel('语言').selectOption('en');
		await state('idle');
		await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
	});

	it('erases everything', async () => {
		await open('This page');
		await dialog().getByRole('button', { name: 'Erase everything' }).click();
		await dialog().getByRole('button', { name: 'Delete everything' }).click();
		await page.getByText('Everything was erased.').waitFor({ state: 'attached' });
		await page.getByText('Your sessions stay in this browser and appear here.').waitFor();
		expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
		await page.reload();
		await page.getByText('Your sessions stay in this browser and appear here.').waitFor();
	});
});
