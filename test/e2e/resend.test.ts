import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { violationsInBothThemes } from './axe.ts';
import { agentIs, openFiles, run, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const write = (path: string): ScenarioTurn => ({
	toolCalls: [{ name: 'write_file', arguments: { path, content: `${path}\n` } }]
});
/** The first rule whose word is in the request is played. */
const scripts: [string, ScenarioTurn[]][] = [
	['try-differently', [write('other.txt'), { text: 'Done differently.' }]],
	['second-task', [write('second.txt'), { text: 'Second is there.' }]],
	['first-task', [write('first.txt'), { text: 'First is there.' }]]
];

let models: ModelServer;
let world: World;
let page: Page;
beforeAll(async () => {
	models = await startModelServer(
		scripts.map(([word, turns]): ScenarioRule => ({
			match: ({ body }) => JSON.stringify(body).includes(word),
			scenario: { name: word, turns }
		}))
	);
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
	({ page } = await world.newProfile());
	await page.goto(world.url);
	await openFiles(page, { 'a.txt': 'a\n' });
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
});
afterAll(async () => {
	await world.close();
	await models.close();
});

it('edits an earlier message and sends it on a fork that begins before it', async () => {
	await send(page, 'Please first-task');
	await timelineOf(page).getByText('First is there.').waitFor();
	await agentIs(page, 'idle');
	await send(page, 'Now second-task');
	await timelineOf(page).getByText('Second is there.').waitFor();
	await agentIs(page, 'idle');
	const address = page.url();

	await timelineOf(page).getByRole('button', { name: 'Edit and resend' }).nth(1).click();
	const box = timelineOf(page).getByRole('textbox', { name: 'Edited message' });
	await expect.poll(() => box.inputValue()).toBe('Now second-task');
	await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
	expect(await violationsInBothThemes(page)).toEqual([]);
	await box.fill('No, try-differently');
	await timelineOf(page).getByRole('button', { name: 'Fork and run' }).click();

	await timelineOf(page).getByText('Done differently.').waitFor({ timeout: 60_000 });
	await agentIs(page, 'idle');
	await page.getByRole('link', { name: /^Fork of / }).waitFor();
	expect(page.url()).not.toBe(address);
	// Files and conversation are those from before the message: the previous task remains.
	expect(await run(page, 'ls')).toBe('a.txt\nfirst.txt\nother.txt\n');
	await timelineOf(page).getByText('First is there.').waitFor();
	expect(await timelineOf(page).getByText('second-task').count()).toBe(0);
	expect(JSON.stringify(models.requests.at(-1)?.body)).not.toContain('second-task');
});
