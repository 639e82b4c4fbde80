import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { agentIs, messageBox, openFiles, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const KEY = 'sk-test-0123456789-never-in-the-page';
const BUGGY = 'exports.add = (a, b) => a - b;\n';

const edit: ScenarioTurn = {
	text: 'The sign is wrong.',
	toolCalls: [{ name: 'edit_file', arguments: { path: 'add.js', old_string: 'a - b', new_string: 'a + b' } }]
};
const patch: ScenarioTurn = {
	text: 'The sign is wrong.',
	toolCalls: [
		{
			name: 'apply_patch',
			arguments: {
				patch:
					'*** Begin Patch\n*** Update File: add.js\n@@\n-exports.add = (a, b) => a - b;\n+exports.add = (a, b) => a + b;\n*** End Patch\n'
			}
		}
	]
};
const look: ScenarioTurn = { text: 'I look first.', toolCalls: [{ name: 'read_file', arguments: { path: 'add.js' } }] };
const run = (command: string): ScenarioTurn => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });
const say = (text: string): ScenarioTurn => ({ text });
const sum: ScenarioTurn = { text: 'It adds now: **3**.', usage: { input: 1_000, output: 20_000 } };

/** Each test's task contains a unique word, by which its script is found. */
const scripts = new Map<string, ScenarioTurn[]>([
	['fix-anthropic', [look, edit, run('node -p "require(\'./add.js\').add(1, 2)"'), sum]],
	['fix-gemini', [look, edit, run('node -p "require(\'./add.js\').add(1, 2)"'), sum]],
	['fix-openai', [run('cat add.js'), patch, run('node -p "require(\'./add.js\').add(1, 2)"'), sum]],
	['deny-it', [look, edit, say('It was denied.')]],
	['always-it', [run('mkdir -p made/one'), run('ls && mkdir made/two'), say('Made both.')]],
	['again-it', [run('mkdir made/three'), say('Made a third.')]],
	['asked-again', [run('mkdir made/four'), say('Made a fourth.')]],
	['steer-it', [run('until [ -e go ]; do sleep 0.1; done'), say('I heard you.')]],
	['stop-it', [run('while true; do sleep 1; done'), say('never')]],
	['after-stop', [say('Here I am again.')]],
	['fault-429', [{ fault: { kind: 'status', status: 429, retryAfterSeconds: 1 } }, say('After the pause.')]],
	['fault-401', [{ fault: { kind: 'status', status: 401 } }]],
	['fault-500', [500, 500, 500].map((status): ScenarioTurn => ({ fault: { kind: 'status', status } }))],
	[
		'fault-garbage',
		Array.from({ length: 4 }, (): ScenarioTurn => ({ fault: { kind: 'garbage', body: '<html>nonsense</html>' } }))
	],
	['fault-nothing', Array.from({ length: 4 }, (): ScenarioTurn => ({ fault: { kind: 'cut', afterBytes: 0 } }))],
	[
		'break-it',
		[
			{
				text: `Shown before the reload. ${'And more. '.repeat(400)}`,
				pace: { chunkCharacters: 30, delayMs: 0 },
				fault: { kind: 'stall', afterBytes: 4_000 }
			}
		]
	],
	// After the others: the request also contains the earlier messages.
	['where you stopped', [say('Here I go on.')]],
	['key-again', [say('The key works again.')]]
]);

let models: ModelServer;
let world: World;
/** Each test opens a separate project in it. */
let page: Page;
let errors: string[];
const leaked: string[] = [];

beforeAll(async () => {
	const rules = [...scripts].map(([word, turns]): ScenarioRule => ({
		match: ({ body }) => JSON.stringify(body).includes(word),
		scenario: { name: word, turns }
	}));
	models = await startModelServer(rules.reverse());
	world = await openWorld({
		ANTHROPIC_API_KEY: KEY,
		ANTHROPIC_BASE_URL: models.url,
		OPENAI_API_KEY: KEY,
		OPENAI_BASE_URL: `${models.url}/v1`,
		GEMINI_API_KEY: KEY,
		GOOGLE_GEMINI_BASE_URL: models.url,
		SANDGLASS_DAILY_USD: '50'
	});
	({ page, errors } = await world.newProfile());
	page.on('request', (request) => {
		if (JSON.stringify(request.headers()).includes(KEY) || request.postData()?.includes(KEY))
			leaked.push(request.url());
	});
	await page.goto(world.url);
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const MODELS = { anthropic: /claude|opus|sonnet/i, openai: /gpt-5\.5/i, gemini: /gemini/i };

/** Opens a new project in this page, with a model of that provider. */
async function openProject(provider: keyof typeof MODELS, of: Page = page): Promise<Page> {
	await openFiles(of, { 'add.js': BUGGY });
	const picker = of.getByRole('combobox', { name: 'Model', exact: true });
	const wanted = picker.locator('option').filter({ hasText: MODELS[provider] }).first();
	await wanted.waitFor({ state: 'attached' });
	await picker.selectOption({ label: await wanted.innerText() });
	return of;
}

const inFullMode = () => page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
const read = (of: Page, path: string) => of.evaluate((name) => window.sandglass!.environment!.readFile(name), path);

describe.each(['anthropic', 'openai', 'gemini'] as const)('with a model of %s', (provider) => {
	it('works with its own tools, asks before each step and shows it; the key stays in the server', async () => {
		const before = models.requests.length;
		await openProject(provider);
		await send(page, `Please fix-${provider}`);
		const allow = page.getByRole('group', { name: 'Permission' }).getByRole('button', { name: 'Allow', exact: true });
		const answer = timelineOf(page).getByText('It adds now');
		// Either may come next, and between two questions there is neither: the state in words is too early to decide.
		for (let asked = 0; ; asked++) {
			await allow.or(answer).first().waitFor();
			if (await answer.isVisible()) break;
			await allow.click();
			await timelineOf(page).getByText('You allowed it once.').nth(asked).waitFor();
		}
		await agentIs(page, 'idle');
		// The rest of the server's budget, which this task has reduced.
		const cost = page.getByRole('status', { name: 'Cost' });
		await cost.filter({ hasText: /^\$\d+\.\d+ · \$49\.\d\d left$/ }).waitFor();
		expect(await read(page, 'add.js')).toContain('a + b');
		expect(leaked).toEqual([]);
		expect(await page.content()).not.toContain(KEY);
		expect(JSON.stringify(await page.evaluate(() => ({ ...localStorage })))).not.toContain(KEY);
		// The provider received the key from the server.
		const received = models.requests.slice(before);
		expect(received.length).toBeGreaterThanOrEqual(4);
		for (const { headers } of received) expect(JSON.stringify(headers)).toContain(KEY);
		expect(errors).toEqual([]);
	});
});

describe('while the agent works', () => {
	it('a message steers it', async () => {
		await openProject('anthropic');
		await inFullMode();
		await send(page, 'Please steer-it');
		await agentIs(page, 'working');
		await send(page, 'Mind the gap');
		// Its command may end only now.
		await page.evaluate(() => window.sandglass!.environment!.writeFile('go', ''));
		await timelineOf(page).getByText('I heard you.').waitFor();
		expect(JSON.stringify(models.requests.at(-1)?.body)).toContain('Mind the gap');
	});

	it('Stop ends the command at once, keeps the queue, and the session goes on', async () => {
		await openProject('anthropic');
		await inFullMode();
		await send(page, 'Please stop-it');
		await timelineOf(page).getByText('while true').first().waitFor();
		await messageBox(page).fill('Then after-stop');
		await page.keyboard.press('Alt+Enter');
		await page.getByRole('button', { name: 'Stop' }).click();
		await agentIs(page, 'idle');
		await page.getByText('Then after-stop').first().waitFor();
		expect(await page.evaluate(() => window.sandglass!.session!.queues.followUps.length)).toBe(1);
		await page.evaluate(() => window.sandglass!.session!.setFollowUps([]));
		await send(page, 'Now after-stop');
		await timelineOf(page).getByText('Here I am again.').waitFor();
	});

	it('Always allow says what it covers and holds for that, after a reload too', async () => {
		await openProject('openai');
		await send(page, 'Please always-it');
		const permission = page.getByRole('group', { name: 'Permission' });
		await permission.getByText('Remembered: Writing to made/**').waitFor();
		await permission.getByText('made/one', { exact: true }).waitFor();
		await permission.getByRole('radio', { name: 'Always' }).check();
		await permission.getByRole('button', { name: 'Apply', exact: true }).click();
		await timelineOf(page).getByText('Made both.').waitFor();
		await agentIs(page, 'idle');
		await page.reload();
		await timelineOf(page).getByText('Made both.').waitFor();
		await send(page, 'Please again-it');
		await timelineOf(page).getByText('Made a third.').waitFor();
		await page.getByRole('button', { name: 'Expand steps' }).click();
		await timelineOf(page).getByText('You allowed it always.').waitFor();
		expect(await timelineOf(page).getByText('You allowed it always.').count()).toBe(1);
		// It is listed with its origin, and can be removed.
		await page.getByRole('button', { name: 'Settings', exact: true }).click();
		const settings = page.getByRole('dialog', { name: 'Settings' });
		await settings.getByRole('button', { name: 'Permissions' }).click();
		await settings.getByText('Writing to made/**').waitFor();
		await settings.getByText(/Allowed for “Run `mkdir -p made\/one`” in “Please always-it”/).waitFor();
		await settings.getByRole('button', { name: 'Remove: Writing to made/**' }).click();
		await settings.getByText('Nothing is allowed without asking.').waitFor();
		await settings.getByRole('button', { name: 'Close' }).click();
		await send(page, 'Please asked-again');
		await permission.getByRole('button', { name: 'Apply', exact: true }).click();
		await timelineOf(page).getByText('Made a fourth.').waitFor();
	});

	it('Deny ends the run and changes nothing', async () => {
		await openProject('gemini');
		await send(page, 'Please deny-it');
		const permission = page.getByRole('group', { name: 'Permission' });
		await permission.getByRole('button', { name: 'Deny', exact: true }).click();
		await agentIs(page, 'idle');
		expect(await read(page, 'add.js')).toBe(BUGGY);
	});
});

describe('a reload in the middle of an answer', () => {
	it('loses nothing that was shown, and says why the agent no longer works', async () => {
		await openProject('anthropic');
		await send(page, 'Please break-it');
		await timelineOf(page).getByText('Shown before the reload.').waitFor();
		await page.reload();
		await timelineOf(page).getByText('closed or reloaded here').waitFor();
		await timelineOf(page).getByText('Shown before the reload.').waitFor();
		await timelineOf(page).getByRole('button', { name: 'Continue', exact: true }).click();
		await timelineOf(page).getByText('Here I go on.').waitFor();
		await agentIs(page, 'idle');
		// The button to continue belongs to the task that ended last.
		expect(await timelineOf(page).getByRole('button', { name: 'Continue', exact: true }).count()).toBe(0);
	});
});

describe('a model that fails', () => {
	it('429 is tried again after the pause it asks for', async () => {
		await openProject('anthropic');
		await send(page, 'Please fault-429');
		await timelineOf(page).getByText('After the pause.').waitFor();
	});

	it('each failure is a sentence with a next step, and nothing is lost', async () => {
		// In parallel: most of the time is the wait before the model is asked again.
		const failures = [
			['fault-401', /OpenAI rejected your key/],
			['fault-500', /OpenAI is overloaded or has a problem/],
			['fault-garbage', /was cut off|has a problem|didn’t/],
			['fault-nothing', /connection to OpenAI was lost|was cut off|didn’t answer/]
		] as const;
		const pages = await Promise.all(failures.map(() => world.newProfile()));
		await Promise.all(
			failures.map(async ([word, sentence], index) => {
				const { page: own } = pages[index]!;
				await own.goto(world.url);
				await openProject('openai', own);
				await own.evaluate(() => window.sandglass!.environment!.writeFile('mine.txt', 'kept'));
				await send(own, `Please ${word}`);
				await own.getByRole('alert').filter({ hasText: sentence }).first().waitFor({ timeout: 90_000 });
				if (word === 'fault-401') {
					// That ended the session; the page continues in a new one with the same conversation.
					await send(own, 'Please key-again');
					await timelineOf(own).getByText('The key works again.').waitFor();
				}
				await own.reload();
				await timelineOf(own).getByText(`Please ${word}`).first().waitFor();
				expect(await read(own, 'mine.txt')).toBe('kept');
			})
		);
	});
});
