import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { violationsInBothThemes } from './axe.ts';
import { agentIs, openFiles, run, send, timelineOf } from './steps.ts';
import { SHOWN_SERVER } from './shown-server.ts';
import { openWorld, type World } from './world.ts';

const FILES = {
	'main.c': '#include <stdio.h>\nint main(void) { puts("compiled"); return 0; }\n',
	'docs/a.txt': 'one\n',
	'docs/b.txt': 'two\n'
};

const shell = (command: string): ScenarioTurn => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });
const task = (word: string, turns: ScenarioTurn[]): ScenarioRule => ({
	match: ({ body }) => JSON.stringify(body).includes(word),
	scenario: { name: word, turns }
});

/** Starts the server in the background and waits until it listens. */
const serve = (port: number): string =>
	`node server.cjs > /dev/null 2>&1 & echo $! > server.pid; until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2> /dev/null; do sleep 0.05; done`;

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

let folder: string;
let port: number;
let models: ModelServer;
let world: World;
let page: Page;
let errors: string[];

beforeAll(async () => {
	folder = mkdtempSync(path.join(tmpdir(), 'sandglass-here-'));
	port = await freePort();
	models = await startModelServer([
		task('task-serve', [shell(serve(port)), { text: 'It is served.' }]),
		task('task-compile', [shell('cc main.c -o main && ./main > said.txt; rm docs/b.txt'), { text: 'It is compiled.' }])
	]);
	world = await openWorld({
		SANDGLASS_HERE: folder,
		ANTHROPIC_API_KEY: 'sk-test',
		ANTHROPIC_BASE_URL: models.url
	});
	({ page, errors } = await world.newProfile());
	await page.goto(world.url);
	const packages = createRequire(import.meta.url).resolve('ws');
	const server = SHOWN_SERVER.replaceAll('3000', String(port)).replace("'ws'", JSON.stringify(packages));
	await openFiles(page, { ...FILES, 'server.cjs': server });
});
afterAll(async () => {
	await world.close();
	await models.close();
	rmSync(folder, { recursive: true, force: true });
});

const picker = () => page.getByRole('button', { name: /^Where this session runs/ });
const dialog = () => page.getByRole('dialog', { name: 'Where this session runs' });

async function choose(button: 'Connect' | 'Bring back'): Promise<void> {
	await picker().click();
	await dialog().getByRole('button', { name: button }).click();
}
const isAt = (where: string): Promise<void> =>
	page.getByRole('button', { name: `Where this session runs: ${where}` }).waitFor();

/** One session on its way to the folder of this computer and back. */
describe('a machine that the server offers', () => {
	it('is shown in the header, where the session is in the tab', async () => {
		await isAt('This tab');
		await picker().click();
		await dialog().getByText('My computer').waitFor();
		await page.keyboard.press('Escape');
		await dialog().waitFor({ state: 'hidden' });
	});

	it('takes the files, and the agent works there', async () => {
		await run(page, 'echo 3 > docs/c.txt; git add -A; git -c user.name=A -c user.email=a@b.c commit -qm first');
		await choose('Connect');
		await isAt('My computer');
		await agentIs(page, 'idle');
		await timelineOf(page)
			.getByText(/^Moved to your computer · .* s, \d+ files$/)
			.waitFor();
		expect(readFileSync(path.join(folder, 'docs/a.txt'), 'utf8')).toBe('one\n');
		expect(existsSync(path.join(folder, '.git/HEAD'))).toBe(true);
		expect(await run(page, 'command -v cc > /dev/null && pwd; git log --format=%s; git status --short')).toBe(
			`${realpathSync(folder)}\nfirst\nImported\n`
		);
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption({ label: 'Run freely' });
		await send(page, 'Please task-compile');
		await timelineOf(page).getByText('It is compiled.').waitFor();
		await agentIs(page, 'idle');
		expect(readFileSync(path.join(folder, 'said.txt'), 'utf8')).toBe('compiled\n');
		expect(JSON.stringify(models.requests.at(-1)?.body)).toContain(folder);
	});

	it('has its changes in the page, and those of a terminal', async () => {
		await page.getByRole('tab', { name: 'Terminal' }).click();
		await page.locator('.xterm-screen').first().click();
		await expect.poll(() => page.locator('.xterm-rows').first().innerText()).toMatch(/\$/);
		await page.keyboard.type('echo typed > typed.txt\n');
		await page.getByRole('tab', { name: 'Changes' }).click();
		for (const name of ['said.txt', 'typed.txt'])
			await page.getByText(name, { exact: true }).filter({ visible: true }).first().waitFor();
	});

	it('has terminals of the size on the screen, with editors and Ctrl-C', async () => {
		await page.getByRole('tab', { name: 'Terminal' }).click();
		await page.locator('.xterm-screen').first().click();
		const rows = page.locator('.xterm-rows').first();
		// Ctrl-C between two programs would end neither.
		await page.keyboard.type("stty size > before.txt; sh -c 'touch sleeping.txt; exec sleep 600'\n");
		await expect.poll(() => existsSync(path.join(folder, 'sleeping.txt'))).toBe(true);
		await page.keyboard.press('Control+c');
		await page.setViewportSize({ width: 1000, height: 700 });
		const sizeIn = (name: string): number[] =>
			readFileSync(path.join(folder, name), 'utf8').trim().split(' ').map(Number);
		const before = sizeIn('before.txt');
		await expect
			.poll(async () => {
				await page.keyboard.type('stty size > after.txt\n');
				return existsSync(path.join(folder, 'after.txt')) && sizeIn('after.txt').join() !== before.join();
			})
			.toBe(true);
		expect(sizeIn('after.txt')[0]).toBeLessThan(before[0] ?? 0);
		await page.setViewportSize({ width: 1440, height: 900 });
		await page.keyboard.type('rm before.txt sleeping.txt after.txt; vi edited.txt\n');
		await expect.poll(() => rows.innerText()).toMatch(/~\s+~/);
		await page.keyboard.type('ifrom the editor');
		await page.keyboard.press('Escape');
		await page.keyboard.type(':wq\n');
		await expect.poll(() => existsSync(path.join(folder, 'edited.txt'))).toBe(true);
		expect(readFileSync(path.join(folder, 'edited.txt'), 'utf8')).toBe('from the editor\n');
		await page.keyboard.type('rm edited.txt\n');
	});

	it('has servers, which the preview displays with their requests and WebSockets', async () => {
		await page.getByRole('tab', { name: 'Preview' }).waitFor();
		await send(page, 'Please task-serve');
		await timelineOf(page).getByText('It is served.').waitFor();
		await agentIs(page, 'idle');
		expect(JSON.stringify(models.requests.at(-1)?.body)).toContain(`Serves port ${port}, shown in Preview.`);
		await page
			.getByRole('button', { name: `Open port ${port}` })
			.first()
			.click();
		const frame = page.frameLocator(`iframe[title="Server on port ${port}"]`).frameLocator('iframe');
		await frame.getByRole('heading', { name: 'From the server' }).waitFor();
		await frame.getByText('POST a body | at the end with seen=1 | one | two').waitFor();
		await frame.getByText(`hello seen=1 http://localhost:${port} | 1,2 | 4000 over true`).waitFor();
		await run(page, 'kill "$(cat server.pid)"; rm server.pid');
		await page.getByText(`The server on port ${port} stopped.`).waitFor();
	});

	it('is found again after a reload', async () => {
		await page.reload();
		await isAt('My computer');
		await agentIs(page, 'idle');
		expect(await run(page, 'cat said.txt typed.txt && command -v cc > /dev/null && pwd')).toBe(
			`compiled\ntyped\n${realpathSync(folder)}\n`
		);
	});

	it('that is gone leaves the session in the tab, with its files', async () => {
		await world.stopServer();
		await isAt('Reconnecting…');
		await world.startServer();
		await isAt('This tab');
		await page.getByText('The machine is gone, so the session continues in this tab.').waitFor();
		await timelineOf(page)
			.getByText(/^The connection to your computer was lost/)
			.waitFor();
	});

	it('asks before it replaces files over there, and keeps them if told to', async () => {
		writeFileSync(path.join(folder, 'mine.txt'), 'mine');
		await choose('Connect');
		await dialog()
			.getByText(/0 files would be replaced and 1 file removed/)
			.waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);
		await dialog().getByRole('button', { name: 'Keep them' }).click();
		await dialog().getByRole('button', { name: 'Connect' }).waitFor();
		await dialog().getByRole('button', { name: 'Close' }).click();
		await isAt('This tab');
		expect(readFileSync(path.join(folder, 'mine.txt'), 'utf8')).toBe('mine');
		await choose('Connect');
		await dialog().getByRole('button', { name: 'Replace them' }).click();
		await isAt('My computer');
		expect(existsSync(path.join(folder, 'mine.txt'))).toBe(false);
	});

	it('has one session at a time: another one is told whose it is, and may take it over', async () => {
		const second = await page.context().newPage();
		await second.goto(world.url);
		await openFiles(second, { 'second.txt': 'second' });
		const there = second.getByRole('dialog', { name: 'Where this session runs' });
		await second.getByRole('button', { name: /^Where this session runs/ }).click();
		await there.getByRole('button', { name: 'Connect' }).click();
		await there.getByText(/^The session "Please task-compile" uses this machine\./).waitFor();
		await there.getByRole('button', { name: 'Use it here instead' }).click();
		await there.getByRole('button', { name: 'Keep them' }).click();
		await there.getByRole('button', { name: 'Close' }).click();
		// The first one is back in its tab, with all of its files.
		await isAt('This tab');
		await second.close();
		await choose('Connect');
		await isAt('My computer');
		expect(await run(page, 'cat said.txt')).toBe('compiled\n');
	});

	it('stays with the session from which another one is forked', async () => {
		const first = new URL(page.url()).hash;
		await page.getByRole('button', { name: 'Fork', exact: true }).click();
		await isAt('This tab');
		await agentIs(page, 'idle');
		expect(await run(page, 'pwd; cat said.txt; git status --short docs')).toBe('/workspace\ncompiled\n D docs/b.txt\n');
		await expect.poll(() => new URL(page.url()).hash).not.toBe(first);
		await page.reload();
		await agentIs(page, 'idle');
		expect(await run(page, 'cat said.txt')).toBe('compiled\n');
		await page.goto(`${world.url}/${first}`);
		await isAt('My computer');
		await agentIs(page, 'idle');
	});

	it('gives the files back, and the tab works on', async () => {
		await run(page, 'echo last > last.txt');
		await picker().click();
		await dialog().getByText('here now').waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);
		await page.keyboard.press('Escape');
		await choose('Bring back');
		await isAt('This tab');
		await agentIs(page, 'idle');
		await timelineOf(page)
			.getByText(/^Brought back to this tab/)
			.waitFor();
		expect(await run(page, 'cat said.txt last.txt; ls docs; git log --format=%s; command -v cc || echo none')).toBe(
			'compiled\nlast\na.txt\nc.txt\nfirst\nImported\nnone\n'
		);
		writeFileSync(path.join(folder, 'later.txt'), 'not of the session');
		expect(await run(page, 'ls later.txt || echo none')).toBe('none\n');
	});

	it('is named in a share, whose visitor replays and verifies what happened on both sides', async () => {
		const { url } = await page.evaluate(() => window.sandglass!.share());
		const visitor = await world.newProfile();
		await visitor.page.goto(url);
		await visitor.page.getByRole('slider', { name: 'Replay' }).waitFor();
		await visitor.page.getByRole('button', { name: 'Verify' }).first().click();
		const dialog = visitor.page.getByRole('dialog', { name: 'Verify this session' });
		await dialog.getByRole('button', { name: /^Run \d+ command/ }).click();
		// The tab has no compiler.
		const compiled = dialog.getByRole('listitem').filter({ hasText: 'cc main.c' });
		await compiled.getByText('It ran on a machine, with programs that this tab may not have').waitFor();
		expect(await compiled.getByText('not verified').count()).toBe(0);
		expect(await violationsInBothThemes(visitor.page)).toEqual([]);
		await dialog.getByRole('button', { name: 'Stop' }).click();
		await dialog.getByRole('button', { name: 'Close' }).last().click();
		await visitor.page.getByRole('button', { name: 'Conversation' }).click();
		await timelineOf(visitor.page)
			.getByText(/^Moved to your computer/)
			.first()
			.waitFor();
		expect(visitor.errors).toEqual([]);
		await visitor.page.close();
	});

	it('is nothing that a reload returns to once the session is back', async () => {
		await page.reload();
		await isAt('This tab');
		await agentIs(page, 'idle');
		expect(await run(page, 'cat last.txt')).toBe('last\n');
		expect(errors).toEqual([]);
	});
});
