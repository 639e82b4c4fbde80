import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Screenshots that stand-ins cannot produce: of the built product, with a model that plays a script. Each opens a
 * separate project.
 */
export const LIVE_SHOTS = [
	// Copied to docs/screenshot-light.png and docs/screenshot-dark.png.
	{ name: 'readme', act: watchDemo },
	{ name: 'fork-review', act: reviewFork },
	{ name: 'lanes', act: showLanes },
	{ name: 'compare', act: compareOutcomes },
	{ name: 'machine', act: showMachine, offersFolder: true }
];

const FILES = {
	'package.json': '{ "name": "greeting", "type": "module", "scripts": { "test": "node --test" } }\n',
	'greet.js': 'export const greet = (name) => `Hello ${name}`;\n',
	'greet.test.js':
		"import { equal } from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { greet } from './greet.js';\n\ntest('greets', () => equal(greet('Ada'), 'Hello, Ada!'));\n",
	'notes.txt': 'Say hello.\n'
};

const shell = (command) => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });
const SCRIPTS = {
	'Work on a fork': [
		shell("sed -i 's/Hello /Hello, /; s/}`/}!`/' greet.js; echo 'A comma.' >> notes.txt; echo done > log.txt"),
		{ text: 'A comma, and an exclamation mark.' }
	],
	'the quick way': [shell("sed -i 's/Hello /Hello, /' greet.js"), shell('npm test'), { text: 'One test still fails.' }],
	'the right way': [
		shell("sed -i 's/Hello /Hello, /; s/}`/}!`/' greet.js"),
		shell('npm test'),
		{ text: 'All tests pass.' }
	]
};

/**
 * Starts the product, and its model, which plays each script once.
 *
 * @param vite loads TypeScript
 * @param offersFolder whether a folder of this computer is offered as a machine
 * @returns `null` if the product is not built
 */
export async function startLive(vite, offersFolder = false) {
	if (!existsSync('dist/server/main.js')) return null;
	const { startModelServer } = await vite.ssrLoadModule('/test/model-server/server.ts');
	const models = await startModelServer(
		Object.entries(SCRIPTS).map(([words, turns]) => ({
			match: ({ body }) => JSON.stringify(body).includes(words),
			scenario: { name: words, turns }
		}))
	);
	const { startServer } = await import('../../../dist/server/main.js');
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-pictures-'));
	const env = { PORT: '0', HOST: '127.0.0.1', ANTHROPIC_API_KEY: 'sk-pictures', ANTHROPIC_BASE_URL: models.url };
	if (offersFolder) env.SANDGLASS_HERE = folder;
	const server = await startServer({ env, log: () => {} });
	return {
		url: server.url,
		async close() {
			await server.close();
			await models.close();
			rmSync(folder, { recursive: true });
		}
	};
}

async function open(page, mode) {
	await page.evaluate((files) => window.sandglass.importRepository({ files }), FILES);
	await idle(page);
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption({ label: mode });
}

async function ask(page, task, answer) {
	await showTimeline(page);
	await page.getByRole('textbox', { name: 'Message', exact: true }).fill(task);
	await page.getByRole('button', { name: 'Send' }).click();
	await page.getByRole('log', { name: 'Timeline' }).getByText(answer).waitFor();
	await idle(page);
}

const idle = (page) =>
	page
		.getByRole('status', { name: 'Agent' })
		.filter({ hasText: /^Ready$/ })
		.waitFor();

/** On a phone it is one of several views. */
async function showTimeline(page) {
	const tab = page.getByRole('tab', { name: 'Agent' });
	if (await tab.isVisible()) await tab.click();
}

async function watchDemo(page) {
	await page.getByRole('button', { name: 'Watch the demo' }).click();
	const timeline = page.getByRole('log', { name: 'Timeline' });
	await timeline.getByRole('group', { name: 'Task summary' }).waitFor({ timeout: 90_000 });
	await idle(page);
	await timeline.getByRole('button', { name: /^Worked for/ }).click();
	const edit = timeline.getByRole('button', { name: 'Edited src/replacements.ts' });
	await edit.click();
	await page.mouse.move(0, 0);
	await edit.evaluate((row) => row.scrollIntoView({ block: 'center' }));
}

async function reviewFork(page) {
	await open(page, 'On a copy');
	await ask(page, 'Work on a fork: greet as the test wants it.', 'A comma, and an exclamation mark.');
	await page.getByRole('button', { name: 'Review', exact: true }).click();
	await page.getByRole('list', { name: 'Files changed on the copy' }).getByText('log.txt', { exact: true }).waitFor();
}

async function showLanes(page) {
	await open(page, 'Run freely');
	await ask(page, 'Mend it the quick way.', 'One test still fails.');
	const slider = page.getByRole('slider', { name: 'Checkpoints' });
	if (!(await slider.isVisible())) await page.getByRole('tab', { name: 'Files' }).click();
	await slider.fill('0');
	await page.getByRole('button', { name: 'Fork from here' }).click();
	await showTimeline(page);
	await ask(page, 'Mend it the right way.', 'All tests pass.');
	if (!(await slider.isVisible())) await page.getByRole('tab', { name: 'Files' }).click();
	await page.getByRole('link', { name: 'Main' }).waitFor();
}

async function compareOutcomes(page) {
	await showLanes(page);
	const slider = page.getByRole('slider', { name: 'Checkpoints' });
	if (!(await slider.isVisible())) await page.getByRole('tab', { name: 'Files' }).click();
	await page.getByRole('button', { name: 'Compare' }).click();
	await page
		.getByRole('list', { name: /^Files changed in/ })
		.first()
		.waitFor();
}

/** Opens the session on a folder of this computer, with the choice of machines open. */
async function showMachine(page) {
	await open(page, 'Run freely');
	const picker = page.getByRole('button', { name: /^Where this session runs/ });
	await picker.click();
	await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
	await page.getByRole('button', { name: 'Where this session runs: My computer' }).waitFor();
	await ask(page, 'Mend it the right way.', 'All tests pass.');
	await picker.click();
	await page.getByRole('dialog').getByRole('button', { name: 'Bring back' }).waitFor();
}
