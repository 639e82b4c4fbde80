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
	models = await startModelServer([
		// First: the request also contains the earlier messages.
		{
			match: ({ body }) => JSON.stringify(body).includes('without an end'),
			scenario: { name: 'endless', turns: [call('shell', { command: 'echo three > three.txt; sleep 1000' })] }
		},
		{
			match: ({ body }) => JSON.stringify(body).includes('only the second'),
			scenario: {
				name: 'other',
				turns: [call('shell', { command: 'echo two > two.txt' }), { text: 'Only the second.' }]
			}
		},
		{ match: () => true, scenario: { name: 'time', turns } }
	]);
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

	it('shows files and terminal of a past moment, and forks before it with other instructions', async () => {
		const past = page.getByRole('region', { name: /^as it was at/ });
		const names = await stops();
		await slider().fill(String(names.indexOf('Wrote one.txt')));
		await past.getByRole('group', { name: 'src/one.txt' }).getByText('1', { exact: true }).first().waitFor();
		// The present has this file, the past moment does not.
		expect(await past.getByRole('button', { name: 'two.txt' }).count()).toBe(0);
		await past.getByRole('region', { name: 'Terminal at this moment' }).getByText('false').waitFor();
		await slider().fill(String(names.indexOf('echo two > two.txt')));
		await past.getByRole('button', { name: 'two.txt added in this step' }).waitFor();
		await page.keyboard.press('Escape');
		await past.waitFor({ state: 'detached' });
		expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Checkpoints');

		await slider().fill(String(names.indexOf('Wrote one.txt')));
		await page.getByText('Fork before Wrote one.txt').waitFor();
		await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Write only the second');
		await page.getByRole('button', { name: 'Fork and run' }).click();
		await timelineOf(page).getByText('Only the second.').waitFor();
		await agentIs(page, 'idle');
		expect(await run(page, 'find . -name "*.txt" | sort')).toBe('./a.txt\n./two.txt\n');
	});

	it('shows the session and its forks as lanes, and switches between them', async () => {
		const forks = page.getByRole('navigation', { name: 'Forks' });
		await forks.getByText('This fork').waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);
		// The first fork has no message of its own yet, so it is listed by its title.
		await expect.poll(() => forks.getByRole('link').count()).toBe(2);
		await forks.getByRole('link', { name: 'Main' }).click();
		await timelineOf(page).getByText('Both are there.').waitFor();
		const other = forks.getByRole('link', { name: '“Write only the second”' });
		await other.waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);
		await other.click();
		await timelineOf(page).getByText('Only the second.').waitFor();
		await forks.getByText('This fork').waitFor();
		await agentIs(page, 'idle');
		expect(await run(page, 'find . -name "*.txt" | sort')).toBe('./a.txt\n./two.txt\n');
	});

	it('stops a working agent to go back', async () => {
		await send(page, 'Work without an end');
		await agentIs(page, 'working');
		await expect.poll(() => run(page, 'ls')).toContain('three.txt');
		const at = (await stops()).indexOf('“Write only the second”');
		await slider().fill(String(at));
		await page.getByRole('button', { name: 'Stop and go back' }).click();
		await expect.poll(() => run(page, 'find . -name "*.txt"')).toBe('./a.txt\n');
		await agentIs(page, 'idle');
	});

	it('shows the moment under the pointer, and the present when it leaves', async () => {
		const past = page.getByRole('region', { name: /^as it was at/ });
		const box = (await slider().boundingBox())!;
		await page.mouse.move(box.x + 8, box.y + box.height / 2);
		await past.waitFor();
		expect(await page.getByRole('button', { name: 'Go back to here' }).count()).toBe(0);
		await page.mouse.move(box.x + 8, box.y - 300);
		await past.waitFor({ state: 'detached' });
	});
});
