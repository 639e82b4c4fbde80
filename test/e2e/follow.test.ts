import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { violationsInBothThemes } from './axe.ts';
import { agentIs, openFiles, send } from './steps.ts';
import { openWorld, type World } from './world.ts';

const write = (path: string): ScenarioTurn => ({
	toolCalls: [{ name: 'write_file', arguments: { path, content: `This is ${path}.\n` } }]
});
const turns: ScenarioTurn[] = [
	{ toolCalls: [{ name: 'shell', arguments: { command: 'echo first-$((40 + 2))' } }] },
	...[write('one.txt'), write('two.txt'), write('three.txt')],
	{ text: 'Three files.' }
];

let models: ModelServer;
let world: World;
let page: Page;
beforeAll(async () => {
	models = await startModelServer([{ match: () => true, scenario: { name: 'follow', turns } }]);
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
	({ page } = await world.newProfile());
	await page.goto(world.url);
	await openFiles(page, { 'readme.md': '# Follow\n' });
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const permission = () => page.getByRole('group', { name: 'Permission' });
const isSelected = (name: string | RegExp) =>
	page.getByRole('tab', { name, selected: true }).first().waitFor({ timeout: 30_000 });
/** Answers the open question, and waits for the one about the next file. */
async function allowUntil(next: string): Promise<void> {
	await permission().getByRole('button', { name: 'Allow', exact: true }).click();
	await permission().filter({ hasText: next }).waitFor();
}

describe('the right side', () => {
	it('follows the command and the file, until the user takes the wheel, and again at Follow', async () => {
		await send(page, 'Write three files');
		// Each question holds the agent where it is.
		await permission().filter({ hasText: 'one.txt' }).waitFor();
		await page.getByRole('tabpanel', { name: 'Last command' }).getByText('first-42').waitFor();
		await page.getByRole('button', { name: 'Following the agent', pressed: true }).waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);

		await allowUntil('two.txt');
		await isSelected('Files');
		await isSelected(/^one\.txt/);

		await page.getByRole('tab', { name: 'Changes' }).click();
		await page.getByRole('button', { name: 'Follow', exact: true, pressed: false }).waitFor();
		await allowUntil('three.txt');
		await isSelected('Changes');

		await page.getByRole('button', { name: 'Follow', exact: true }).click();
		await isSelected('Files');
		await isSelected(/^two\.txt/);
		// A tab that it opened by itself is reused: one tab, not one per file.
		expect(await page.getByRole('tab', { name: /^one\.txt/ }).count()).toBe(0);

		await permission().getByRole('button', { name: 'Allow', exact: true }).click();
		await page.getByRole('group', { name: 'Task summary' }).waitFor();
		await agentIs(page, 'idle');
		await isSelected(/^three\.txt/);
		// With nothing to follow, there is no choice.
		expect(await page.getByRole('button', { name: 'Following the agent' }).count()).toBe(0);
	});
});
