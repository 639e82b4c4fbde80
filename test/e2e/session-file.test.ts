import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { violations } from './axe.ts';
import { agentIs, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const run = (command: string): ScenarioTurn => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });
const turns: ScenarioTurn[] = [
	run('cat a.txt && echo made > made.txt'),
	run('date +%s%N > /dev/null; sort a.txt made.txt; exit 3'),
	run('node -e "console.log(Math.random())"'),
	{ text: 'All three have run.' }
];

let models: ModelServer;
let world: World;
let page: Page;
let errors: string[];
/** The session's file without a passphrase. */
let saved: Buffer;

beforeAll(async () => {
	models = await startModelServer([
		{ match: ({ body }) => JSON.stringify(body).includes('three commands'), scenario: { name: 'three', turns } }
	]);
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
	({ page, errors } = await world.newProfile());
	await page.goto(world.url);
	await page.evaluate(() =>
		window.sandglass!.importRepository({
			files: { 'a.txt': 'one\n', '.env': 'API_KEY=sk-proj-a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1\n' }
		})
	);
	await idle(page);
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
	await send(page, '# Run *three commands*\nand tell me');
	await timelineOf(page).getByText('All three have run.').waitFor();
	await idle(page);
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const idle = (of: Page) => agentIs(of, 'idle');

async function save(passphrase: string): Promise<{ name: string; bytes: Buffer }> {
	await page.getByRole('button', { name: 'Share', exact: true }).click();
	const dialog = page.getByRole('dialog', { name: 'Share this session' });
	await dialog.getByText('3 commands that anyone can verify').waitFor();
	await dialog.getByLabel('Passphrase').fill(passphrase);
	const begun = page.waitForEvent('download');
	await dialog.getByRole('button', { name: 'Save file' }).click();
	const download = await begun;
	const bytes = await readFile(await download.path());
	await page.keyboard.press('Escape');
	return { name: download.suggestedFilename(), bytes };
}

const choose = (of: Page, bytes: Buffer, name = 'some.sandglass') =>
	of.locator('input[accept=".sandglass"]').setInputFiles({ name, mimeType: '', buffer: bytes });

describe('a session as a file', () => {
	it('is saved with its checkpoints and without its secrets, opens in another browser, and goes on there', async () => {
		const { name, bytes } = await save('');
		expect(name).toBe('Run-three-commands.sandglass');
		saved = bytes;
		const visitor = await world.newProfile();
		await visitor.page.goto(world.url);
		await choose(visitor.page, bytes);
		await visitor.page.getByRole('slider', { name: 'Replay' }).waitFor();
		await visitor.page.getByRole('button', { name: 'Continue in your tab' }).click();
		await idle(visitor.page);
		const there = await visitor.page.evaluate(async () => {
			const { environment, workspace } = window.sandglass!;
			const { stdout } = await environment!.exec('cat a.txt made.txt .env');
			return { stdout, checkpoints: workspace!.checkpoints.length };
		});
		expect(there.stdout).toContain('one\nmade\nAPI_KEY=[taken out');
		expect(there.checkpoints).toBe(await page.evaluate(() => window.sandglass!.workspace!.checkpoints.length));
		// The files of an earlier checkpoint are included.
		await visitor.page.evaluate(async () => {
			const { workspace } = window.sandglass!;
			await workspace!.goTo(workspace!.checkpoints[1]!.id);
		});
		const back = await visitor.page.evaluate(async () => (await window.sandglass!.environment!.exec('ls')).stdout);
		expect(back).toBe('a.txt\n');
		await visitor.page.getByRole('log', { name: 'Timeline' }).getByText('All three have run.').waitFor();
		expect([...errors, ...visitor.errors]).toEqual([]);
	});

	it('asks for the passphrase it was saved with, as often as it takes, also when it was dropped', async () => {
		const { bytes } = await save('mine');
		const visitor = await world.newProfile();
		await visitor.page.goto(world.url);
		await visitor.page.getByRole('button', { name: 'Open a saved session' }).waitFor();
		const transfer = await visitor.page.evaluateHandle(
			(data) => {
				const transfer = new DataTransfer();
				transfer.items.add(new File([new Uint8Array(data)], 'some.sandglass'));
				return transfer;
			},
			[...bytes]
		);
		await visitor.page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
		const dialog = visitor.page.getByRole('dialog', { name: 'This session is encrypted' });
		await dialog.getByLabel('Passphrase').fill('yours');
		await dialog.getByRole('button', { name: 'Open' }).click();
		await dialog.getByRole('alert').getByText('Wrong passphrase').waitFor();
		expect(await violations(visitor.page)).toEqual([]);
		await dialog.getByLabel('Passphrase').fill('mine');
		await dialog.getByRole('button', { name: 'Open' }).click();
		await visitor.page.getByRole('slider', { name: 'Replay' }).waitFor();
	});

	it('runs its commands again only when asked to, and tells which match its receipt', async () => {
		const visitor = await world.newProfile();
		await visitor.page.goto(world.url);
		await choose(visitor.page, saved);
		await visitor.page.getByRole('button', { name: 'Verify' }).click();
		const dialog = visitor.page.getByRole('dialog', { name: 'Verify this session' });
		expect(await dialog.getByRole('listitem').count()).toBe(0);
		await dialog.getByRole('button', { name: 'Run 3 commands' }).click();
		await dialog.getByText('Verified 2 of 3 commands.').waitFor();
		// The command that prints a random number.
		await dialog.getByRole('listitem').nth(2).getByText('Its output differs:').waitFor();
		expect(await violations(visitor.page)).toEqual([]);
		expect(visitor.errors).toEqual([]);
	});

	it('says what is wrong with a file that is none, is cut, or was made by a newer version', async () => {
		const visitor = await world.newProfile();
		await visitor.page.goto(world.url);
		const alert = visitor.page.getByRole('alert');
		await choose(visitor.page, Buffer.from('PK not this'));
		await alert.getByText('This file isn’t a Sandglass session.').waitFor();
		await choose(visitor.page, saved.subarray(0, saved.length / 2));
		await alert.getByText('This session file is damaged').waitFor();
		const newer = Buffer.from(saved);
		newer[9] = 2;
		await choose(visitor.page, newer);
		await alert.getByText('made by a newer version').waitFor();
	});

	it('its session is listed by what was asked first, until it is renamed', async () => {
		await page.getByRole('link', { name: 'Sandglass' }).click();
		const recent = page.getByRole('list', { name: 'Recent sessions' });
		await recent.getByText('Run three commands').waitFor();
		await recent.getByRole('button', { name: 'Rename' }).click();
		await page.getByLabel('Name of the session').fill('My commands');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await recent.getByText('My commands').waitFor();
		await expect.poll(() => recent.getByRole('listitem').count()).toBe(1);
		await page.goBack();
		await idle(page);
		await page.waitForFunction(() => document.title.startsWith('My commands'));
	});
});
