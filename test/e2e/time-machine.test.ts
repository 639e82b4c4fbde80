import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { violationsInBothThemes } from './axe.ts';
import { agentIs, openFiles, run, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const call = (name: string, args: Record<string, unknown>): ScenarioTurn => ({
	toolCalls: [{ name, arguments: args }]
});
const turns: ScenarioTurn[] = [
	call('shell', { command: 'false' }),
	call('write_file', { path: 'src/one.txt', content: '1\n' }),
	call('shell', { command: 'echo two > two.txt' }),
	{ text: 'Both are there.' }
];

let models: ModelServer;
let world: World;
let page: Page;
beforeAll(async () => {
	models = await startModelServer([{ match: () => true, scenario: { name: 'time', turns } }]);
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
	({ page } = await world.newProfile());
	await page.goto(world.url);
	await openFiles(page, { 'a.txt': 'a\n' });
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const slider = () => page.getByRole('slider', { name: 'Checkpoints' });
/** Names of the stops, from the import to the present. */
async function stops(): Promise<string[]> {
	const names: string[] = [];
	const last = Number(await slider().getAttribute('max'));
	for (let at = 0; at <= last; at += 1) {
		await slider().fill(String(at));
		names.push((await slider().getAttribute('aria-valuetext')) ?? '');
	}
	return names.map((name) => name.replace(/, \d+ of \d+$/, ''));
}

describe('the time machine', () => {
	it('names its stops by what happened, and forks from one; the fork names its parent', async () => {
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
		await send(page, 'Please write both files');
		await timelineOf(page).getByText('Both are there.').waitFor();
		await agentIs(page, 'idle');
		let names: string[] = [];
		await expect
			.poll(async () => [...new Set((names = await stops()))], { timeout: 30_000 })
			.toEqual(['Import', '“Please write both files”', 'false failed', 'Wrote one.txt', 'echo two > two.txt', 'Now']);

		await slider().fill(String(names.indexOf('Wrote one.txt')));
		await page.getByText(/Wrote one\.txt\. Nothing has changed yet\./).waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);
		expect(await run(page, 'ls')).toBe('a.txt\nsrc\ntwo.txt\n');
		await page.getByRole('button', { name: 'Fork from here' }).click();

		const parent = page.getByRole('link', { name: 'Fork of Please write both files' });
		await parent.waitFor();
		await agentIs(page, 'idle');
		expect(await run(page, 'ls; cat src/one.txt')).toBe('a.txt\nsrc\n1\n');
		expect(await violationsInBothThemes(page)).toEqual([]);

		await page.reload();
		await parent.click();
		await timelineOf(page).getByText('Both are there.').waitFor();
		await parent.waitFor({ state: 'detached' });
		expect(await run(page, 'ls')).toBe('a.txt\nsrc\ntwo.txt\n');
	});
});
