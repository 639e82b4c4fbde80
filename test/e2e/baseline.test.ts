import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { agentIs, openFiles, run, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const shell = (command: string): ScenarioTurn => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });

const twoSteps = (name: string) => ({
	match: ({ body }: { body: unknown }) => JSON.stringify(body).includes(name),
	scenario: {
		name,
		turns: [shell('echo one > one.txt'), shell('echo two > two.txt'), { text: 'Both are there.' }]
	}
});

let models: ModelServer;
let world: World;
beforeAll(async () => {
	// The last words of a conversation are matched, so they come first.
	models = await startModelServer(['visitor-steps', 'shared-steps', 'two-steps'].map(twoSteps));
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
});
afterAll(async () => {
	await world.close();
	await models.close();
});

/** Waits until the list of changes and the letters in the tree have exactly these paths. */
async function shows(page: Page, changed: readonly string[]): Promise<void> {
	const listed = () =>
		page.evaluate(async () => (await window.sandglass!.workspace!.changes()).map(({ path }) => path));
	await expect.poll(listed).toEqual(changed);
	const marked = () =>
		page
			.getByRole('tree', { name: 'Project tree' })
			.getByRole('treeitem')
			.evaluateAll((items) =>
				items.filter((item) => /[AMD]$/.test(item.textContent ?? '')).map((item) => item.getAttribute('data-path'))
			);
	await page.getByRole('tab', { name: 'Files' }).click();
	await expect.poll(marked).toEqual(changed);
	await page.getByRole('tab', { name: 'Changes' }).click();
	await expect.poll(() => page.getByText('No changes yet').count()).toBe(changed.length ? 0 : 1);
	for (const path of changed) await page.getByRole('button', { name: path }).first().waitFor();
}

const status = async (page: Page): Promise<string[]> =>
	(await run(page, 'git status --porcelain -uall')).split('\n').flatMap((line) => line.slice(3) || []);

async function commit(page: Page, message: string): Promise<void> {
	await page.getByRole('tab', { name: 'Changes' }).click();
	await page.getByRole('textbox', { name: 'Commit message' }).fill(message);
	await page.getByRole('button', { name: 'Commit', exact: true }).click();
	await page
		.getByText(/^Committed/)
		.first()
		.waitFor();
}

/** Goes to a moment of the history by its index on the line, counted from 0. */
async function goTo(page: Page, index: number): Promise<void> {
	const slider = page.getByRole('slider', { name: 'Checkpoints' });
	await slider.fill(String(index));
	await page.getByRole('button', { name: 'Go back to here' }).click();
	await page.getByRole('button', { name: 'Go back to here' }).waitFor({ state: 'hidden' });
}

/** Index of the last moment before the present. The line omits checkpoints identical to the previous one. */
const lastMoment = async (page: Page) =>
	Number(await page.getByRole('slider', { name: 'Checkpoints' }).getAttribute('max')) - 1;

describe('a commit made in the page', () => {
	it('counts for the changes only while git stands on it: back, forward, reset, reload, fork', async () => {
		const { page, errors } = await world.newProfile();
		await page.goto(world.url);
		await openFiles(page, { 'a.txt': 'one\n', 'b.txt': 'b\n' });
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
		await run(page, 'echo two > a.txt');
		await shows(page, ['a.txt']);
		await commit(page, 'Two');
		await shows(page, []);
		await run(page, 'echo new > b.txt');
		await shows(page, ['b.txt']);

		await goTo(page, 0);
		await shows(page, []);
		expect(await status(page)).toEqual([]);
		await page.reload();
		await agentIs(page, 'idle');
		await shows(page, []);

		// Forward: to the state before going back.
		await goTo(page, await lastMoment(page));
		await shows(page, ['b.txt']);
		expect(await status(page)).toEqual(['b.txt']);
		await page.reload();
		await agentIs(page, 'idle');
		await shows(page, ['b.txt']);

		// git in a shell moves HEAD too.
		await run(page, 'git reset -q --hard HEAD~1');
		await shows(page, await status(page));
		await run(page, 'git reset -q --hard HEAD@{1}');
		await shows(page, []);
		expect(await status(page)).toEqual([]);

		// A fork starts at git's current commit, and can return.
		await page.getByRole('button', { name: 'Fork', exact: true }).click();
		await expect.poll(() => page.title(), { timeout: 30_000 }).toContain('Fork: ');
		await agentIs(page, 'idle');
		await shows(page, []);
		await goTo(page, 0);
		await shows(page, []);
		expect(await status(page)).toEqual([]);
		expect(errors).toEqual([]);
	});
});

describe('going back into the middle of a task', () => {
	it('says that you went back, here and in a fork, and not that the page was closed', async () => {
		const { page } = await world.newProfile();
		await page.goto(world.url);
		await openFiles(page, { 'a.txt': 'one\n' });
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
		await send(page, 'Please take two-steps');
		await timelineOf(page).getByText('Both are there.').waitFor();
		await agentIs(page, 'idle');
		// Between the commands: the last moment is before the answer.
		const middle = (await lastMoment(page)) - 1;
		await goTo(page, middle);
		await timelineOf(page).getByText('You went back to this point.').waitFor();
		expect(await timelineOf(page).getByText('page was closed').count()).toBe(0);
		expect(await run(page, 'ls')).toBe('a.txt\none.txt\n');

		// Forward again, and into a fork from the same moment.
		await goTo(page, await lastMoment(page));
		await timelineOf(page).getByText('Both are there.').waitFor();
		await page.getByRole('slider', { name: 'Checkpoints' }).fill(String(middle));
		await page.getByRole('button', { name: 'Fork from here' }).click();
		await timelineOf(page).getByText('You went back to this point.').waitFor();
		expect(await timelineOf(page).getByText('page was closed').count()).toBe(0);
	});

	it('says so to the visitor of a share too, who starts in the middle of a run', async () => {
		const { page } = await world.newProfile();
		await page.goto(world.url);
		await openFiles(page, { 'a.txt': 'one\n' });
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
		await send(page, 'Please take shared-steps');
		await timelineOf(page).getByText('Both are there.').waitFor();
		await agentIs(page, 'idle');
		const { url } = await page.evaluate(() => window.sandglass!.share());

		const visitor = (await world.newProfile()).page;
		await visitor.goto(url);
		const replay = visitor.getByRole('slider', { name: 'Replay' });
		await replay.fill(String(Math.floor(Number(await replay.getAttribute('max')) / 2)));
		await visitor.getByRole('textbox', { name: 'Other instructions' }).fill('Please take visitor-steps');
		await visitor.getByRole('button', { name: /^Run from/ }).click();
		await timelineOf(visitor).getByText('You went back to this point.').waitFor();
		expect(await timelineOf(visitor).getByText('page was closed').count()).toBe(0);
	});
});
