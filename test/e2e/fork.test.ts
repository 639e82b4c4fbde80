import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { agentIs, run, send as sendIn, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const say = (text: string): ScenarioTurn => ({ text });
const shell = (command: string): ScenarioTurn => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });
const write = (path: string, content: string): ScenarioTurn => ({
	toolCalls: [{ name: 'write_file', arguments: { path, content } }]
});

/** Each step's task contains a unique word, by which its script is found. */
const scripts = new Map<string, ScenarioTurn[]>([
	['fork-first', [write('made.txt', 'by a tool\n'), shell('echo shell >> a.txt; rm gone.txt'), say('Three changes.')]],
	['fork-more', [shell('cat made.txt; echo more > more.txt'), say('One more.')]],
	['fork-after', [say('On the main machine again.')]],
	['fork-stop', [shell('echo begun > begun.txt; echo so-far-$((40 + 2)); while true; do sleep 1; done'), say('never')]]
]);

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
	await page.evaluate(() =>
		window.sandglass!.importRepository({ files: { 'a.txt': 'one\n', 'b.txt': 'b\n', 'gone.txt': 'gone\n' } })
	);
	await state('idle');
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const state = (text: 'idle') => agentIs(page, text);
const timeline = () => timelineOf(page);
const machine = (command: string) => run(page, command);
const send = (text: string) => sendIn(page, text);
const onFork = () => page.getByRole('list', { name: 'Files changed on the copy' });

/** One session from the first task on a fork to the last decision about it. */
describe('on a fork', () => {
	it('the agent works without asking, shell writes included, and the project stays as it is', async () => {
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption({ label: 'On a copy' });
		await send('Please fork-first');
		await timeline().getByText('Three changes.').waitFor();
		await state('idle');
		expect(await machine('ls; cat a.txt')).toBe('a.txt\nb.txt\ngone.txt\none\n');
		await page.getByRole('button', { name: 'Review', exact: true }).click();
		for (const path of ['a.txt', 'gone.txt', 'made.txt']) await onFork().getByText(path, { exact: true }).waitFor();
		await onFork().getByText('by a tool').waitFor();
		await page.getByRole('tab', { name: 'Terminal' }).click();
		await page.getByText('This shell works on your files.').waitFor();
	});

	it('comes back after a reload, and goes on with more', async () => {
		await page.reload();
		await state('idle');
		await page.getByText('3 changes to approve').waitFor();
		await send('Please fork-more');
		await timeline().getByText('One more.').waitFor();
		await page.getByText('4 changes to approve').waitFor();
		// The fork from before the reload: the command read what the tool had written there.
		expect(JSON.stringify(models.requests.at(-1)?.body)).toContain('by a tool');
		expect(await machine('ls')).toBe('a.txt\nb.txt\ngone.txt\n');
	});

	it('some paths are approved alone, one is taken back, and what both changed is asked about', async () => {
		await page.getByRole('button', { name: 'Review', exact: true }).click();
		await page.getByRole('button', { name: 'Approve this file: made.txt' }).click();
		await page.getByText('3 changes to approve').waitFor();
		expect(await machine('cat made.txt')).toBe('by a tool\n');
		await page.getByRole('button', { name: 'Discard this file: gone.txt' }).click();
		await page.getByText('2 changes to approve').waitFor();
		await machine('echo mine > a.txt');
		await onFork().getByText('You changed this file too.').waitFor();
		await page.getByRole('button', { name: 'Approve all' }).click();
		await timeline().getByText('because you changed them too: a.txt').waitFor();
		expect(await machine('cat more.txt a.txt; ls gone.txt')).toBe('more\nmine\ngone.txt\n');
		await page.getByRole('button', { name: 'Use the agent’s version' }).click();
		await onFork().waitFor({ state: 'detached' });
		expect(await machine('cat a.txt')).toBe('one\nshell\n');
		await send('Please fork-after');
		await timeline().getByText('On the main machine again.').waitFor();
		expect(JSON.stringify(models.requests.at(-1)?.body)).toContain('The fork is closed');
	});

	it('Stop keeps what was done so far; thrown away, it is a checkpoint', async () => {
		await send('Please fork-stop');
		await timeline().getByText('so-far-42').first().waitFor();
		await page.getByRole('button', { name: 'Stop' }).click();
		await state('idle');
		await page.getByText('1 change to approve').waitFor();
		await page.getByRole('button', { name: 'Review', exact: true }).click();
		await page.getByRole('button', { name: 'Discard all' }).click();
		await page.getByRole('button', { name: 'Discard everything' }).click();
		await timeline().getByText('You discarded the copy').waitFor();
		expect(await machine('ls begun.txt 2>&1 | wc -l; git status --porcelain | grep begun')).not.toContain('?? begun');
		const thrown = await page.evaluate(async () => {
			const { workspace } = window.sandglass!;
			const point = workspace!.checkpoints.findLast(({ label }) => label.startsWith('Discarded copy'));
			await workspace!.goTo(point!.id);
			return window.sandglass!.environment!.readFile('begun.txt');
		});
		expect(thrown).toBe('begun\n');
	});
});
