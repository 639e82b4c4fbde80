import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { violations } from './axe.ts';
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
	const dialog = page.getByRole('dialog', { name: 'Compare two outcomes' });
	await dialog.getByText('2 files differ.').waitFor();
	expect(await violations(page)).toEqual([]);
	const row = (name: string) => dialog.getByRole('row', { name: new RegExp(`^${name}`) });
	await expect.poll(() => row('Last tests').innerText()).toMatch(/npm test: exit 1\s+npm test: exit 0/);
	await expect.poll(() => row('Cost').innerText()).toMatch(/\$0\.\d+\s+\$0\.\d+/);
	await expect.poll(() => row('Turns').innerText()).toMatch(/3\s+3/);
	const paths = dialog.getByRole('list', { name: 'Paths that differ' });
	await paths.getByText('first', { exact: true }).waitFor();
	await paths.getByText('second', { exact: true }).waitFor();
	expect(await paths.getByRole('button', { name: /Comment on|Revert|Accept/ }).count()).toBe(0);
	await dialog.getByRole('button', { name: 'Close' }).click();
	expect(errors).toEqual([]);
});
