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
const test = (expected: number): string =>
	`const { test } = require('node:test');\nconst assert = require('node:assert');\ntest('adds', () => assert.equal(require('../src/add.js')(1, 2), ${expected}));\n`;
const files = {
	'src/add.js': 'module.exports = (a, b) => a - b;\n',
	'test/add.test.js': test(3),
	'package.json': JSON.stringify({ name: 'sums', scripts: { test: 'node --test test/*.test.js' } })
};

/** It changes the test to match the bug. */
const wrong: ScenarioTurn[] = [
	call('shell', { command: 'npm test' }),
	call('read_file', { path: 'test/add.test.js' }),
	call('write_file', { path: 'test/add.test.js', content: test(-1) }),
	call('shell', { command: 'npm test' }),
	{ text: 'The test expects what the code returns now.' }
];
const right: ScenarioTurn[] = [
	call('read_file', { path: 'src/add.js' }),
	call('write_file', { path: 'src/add.js', content: 'module.exports = (a, b) => a + b;\n' }),
	call('shell', { command: 'npm test' }),
	{ text: 'The sum is right, with the test as it was.' }
];

let models: ModelServer;
let world: World;
let link: string;
beforeAll(async () => {
	models = await startModelServer([
		{ match: ({ body }) => JSON.stringify(body).includes('Leave the test'), scenario: { name: 'right', turns: right } },
		{ match: () => true, scenario: { name: 'wrong', turns: wrong } }
	]);
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
});
afterAll(async () => {
	await world.close();
	await models.close();
});

/** Moves through the replay until the handle is at this stop. */
async function dragTo(page: Page, stop: string): Promise<void> {
	const slider = page.getByRole('slider', { name: 'Replay' });
	const last = Number(await slider.getAttribute('max'));
	for (let at = last; at >= 0; at -= 1) {
		await slider.fill(String(at));
		if ((await page.getByText(`Fork before ${stop}`).count()) > 0) return;
	}
	throw new Error(`The replay has no stop “${stop}”.`);
}

describe('the story of a link', () => {
	it('shares a session', async () => {
		const { page } = await world.newProfile();
		await page.goto(world.url);
		await openFiles(page, files);
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
		await send(page, 'The sum is wrong. Find out why and fix it.');
		await timelineOf(page).getByText('The test expects what').waitFor();
		await agentIs(page, 'idle');
		await page.getByRole('button', { name: 'Share', exact: true }).click();
		await page.getByRole('button', { name: 'Create link' }).click();
		link = await page.getByRole('textbox', { name: 'Share link' }).inputValue();
	});

	it('shows the result, plays it, goes back, and runs other instructions from there in a new profile', async () => {
		const { page, errors } = await world.newProfile();
		await page.goto(link);
		// The summary first: task, answer, tests, commands, changes.
		await page.getByText('“The sum is wrong. Find out why and fix it.”').waitFor();
		const facts = page.getByRole('list', { name: 'Result' });
		await facts.getByText('Tests pass').waitFor();
		await facts.getByText('1 pass, 1 failed before').waitFor();
		await facts.getByText('2 commands').waitFor();
		await facts.getByText('1 file changed').waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);

		await page.getByRole('button', { name: 'Play', exact: true }).first().click();
		const terminal = page.getByRole('region', { name: 'Terminal at this moment' });
		await terminal.getByText('npm test').first().waitFor();
		await timelineOf(page).getByText('The test expects what').waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);

		await dragTo(page, 'Wrote add.test.js');
		await page.getByRole('group', { name: 'test/add.test.js' }).getByText('-1').first().waitFor();
		await page.getByRole('button', { name: 'add.test.js changed in this step' }).waitFor();

		await page.getByRole('textbox', { name: 'Other instructions' }).fill('Leave the test as it is. Look at the sum.');
		await page.getByRole('button', { name: /^Run from/ }).click();
		await timelineOf(page).waitFor({ timeout: 90_000 });
		// The visitor's session asks for permission before any change; the tests change nothing.
		await page.getByRole('group', { name: 'Permission' }).waitFor();
		await page.getByRole('group', { name: 'Permission' }).press('y');
		await timelineOf(page).getByText('with the test as it was').waitFor();
		await agentIs(page, 'idle');
		expect(await run(page, 'npm test 2>&1 | grep -E "pass|fail"')).toContain('pass 1');
		expect(await run(page, 'cat test/add.test.js')).toBe(files['test/add.test.js']);
		expect(errors).toEqual([]);
	});
});
