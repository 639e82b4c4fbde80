import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { violationsInBothThemes } from './axe.ts';
import { agentIs, openFiles, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const run = (command: string): ScenarioTurn => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });
const scripts = new Map<string, ScenarioTurn[]>([
	['first-way', [run('echo first > way.txt'), run('npm test'), { text: 'It fails.' }]],
	['second-way', [run('echo second > way.txt; echo ok > good'), run('npm test'), { text: 'It passes.' }]]
]);

let models: ModelServer;
let world: World;
let page: Page;
let errors: string[];

beforeAll(async () => {
	const rules = [...scripts].map(([word, turns]): ScenarioRule => ({
		match: ({ body }) => JSON.stringify(body).includes(word),
		scenario: { name: word, turns }
	}));
	models = await startModelServer(rules);
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
	({ page, errors } = await world.newProfile());
	await page.goto(world.url);
	const files = { 'package.json': '{ "scripts": { "test": "test -f good" } }', 'same.txt': 'same\n' };
	await openFiles(page, files);
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
});
afterAll(async () => {
	await world.close();
	await models.close();
});

async function ask(text: string, answer: string): Promise<void> {
	await send(page, text);
	await timelineOf(page).getByText(answer).waitFor();
	await agentIs(page, 'idle');
}

it('compares what a fork came to with where it came from: files, tests, cost', async () => {
	expect(await page.getByRole('button', { name: 'Compare' }).count()).toBe(0);
	await ask('Please go the first-way', 'It fails.');
	const summary = timelineOf(page).getByRole('group', { name: 'Task summary' });
	await summary.getByRole('button', { name: 'Commit…' }).click();
	const words = page.getByRole('textbox', { name: 'Commit message' });
	await expect.poll(() => words.evaluate((field) => field === document.activeElement)).toBe(true);
	await summary.getByRole('button', { name: 'Share this session' }).click();
	await page.getByRole('dialog', { name: 'Share' }).getByRole('button', { name: 'Close' }).first().click();
	await page.getByRole('slider', { name: 'Checkpoints' }).fill('0');
	await page.getByRole('button', { name: 'Fork from here' }).click();
	await timelineOf(page)
		.getByText(/^Forked here at \d\d:\d\d$/)
		.waitFor();
	await page.getByRole('button', { name: 'Compare' }).waitFor();
	await ask('Please go the second-way', 'It passes.');
	await page.getByRole('button', { name: 'Compare' }).click();
	const view = page.getByRole('region', { name: 'Compare', exact: true });
	await view.getByText('2 files differ.').waitFor();
	expect(await violationsInBothThemes(page)).toEqual([]);
	const fact = (side: string, name: string) =>
		view
			.getByRole('region', { name: side })
			.getByRole('term')
			.filter({ hasText: new RegExp(`^${name}$`) })
			.locator('+ dd')
			.innerText();
	await expect.poll(() => fact('Main', 'Tests')).toBe('npm test: exit 1');
	expect(await fact('This fork', 'Tests')).toBe('npm test: exit 0');
	expect([await fact('Main', 'Files changed'), await fact('This fork', 'Files changed')]).toEqual(['1', '2']);
	for (const side of ['Main', 'This fork']) expect(await fact(side, 'Cost')).toMatch(/^\$0\.\d+$/);
	const files = (side: string) => view.getByRole('list', { name: `Files changed in ${side}` });
	await files('Main').getByText('first', { exact: true }).waitFor();
	await files('This fork').getByText('second', { exact: true }).waitFor();
	expect(await files('This fork').getByText('first', { exact: true }).count()).toBe(0);
	expect(await view.getByRole('button', { name: /Comment on|Revert|Accept/ }).count()).toBe(0);
	await page.keyboard.press('Escape');
	await view.waitFor({ state: 'detached' });
	expect(errors).toEqual([]);
});

it('makes a fork main: it takes the title, and the other is a fork from then on', async () => {
	const forks = page.getByRole('navigation', { name: 'Forks' });
	const header = page.locator('header').first();
	await header.getByRole('link', { name: /^Fork of/ }).waitFor();
	await page.getByRole('button', { name: 'Compare' }).click();
	await page.getByRole('button', { name: 'Make this fork main' }).click();
	await header.getByRole('link', { name: /^Fork of/ }).waitFor({ state: 'detached' });
	await page.getByRole('button', { name: 'Make this fork main' }).waitFor({ state: 'detached' });
	await page.getByRole('link', { name: 'Go to “Please go the first-way”' }).click();
	await timelineOf(page).getByText('It fails.').waitFor();
	await agentIs(page, 'idle');
	await header.getByRole('link', { name: /^Fork of/ }).waitFor();
	await forks.getByText('This fork').waitFor();
	await forks.getByRole('link', { name: 'Main' }).click();
	await timelineOf(page).getByText('It passes.').waitFor();
	await page.getByRole('link', { name: 'Sandglass' }).click();
	const titles = page.getByRole('list', { name: 'Recent sessions' }).getByRole('listitem');
	await expect.poll(() => titles.count()).toBe(2);
	expect(errors).toEqual([]);
});
