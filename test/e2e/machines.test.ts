import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentIs, openFiles, run } from './steps.ts';
import { openWorld, type World } from './world.ts';

const FILES = {
	'main.c': '#include <stdio.h>\nint main(void) { puts("compiled"); return 0; }\n',
	'docs/a.txt': 'one\n',
	'docs/b.txt': 'two\n'
};

let folder: string;
let world: World;
let page: Page;

beforeAll(async () => {
	folder = mkdtempSync(path.join(tmpdir(), 'sandglass-here-'));
	world = await openWorld({ SANDGLASS_HERE: folder });
	({ page } = await world.newProfile());
	await page.goto(world.url);
	await openFiles(page, FILES);
});
afterAll(async () => {
	await world.close();
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

	it('takes the files, and commands run there', async () => {
		await run(page, 'echo 3 > docs/c.txt; git add -A; git -c user.name=A -c user.email=a@b.c commit -qm first');
		await choose('Connect');
		await isAt('My computer');
		await agentIs(page, 'idle');
		expect(readFileSync(path.join(folder, 'docs/a.txt'), 'utf8')).toBe('one\n');
		expect(existsSync(path.join(folder, '.git/HEAD'))).toBe(true);
		expect(await run(page, 'command -v cc > /dev/null && pwd; git log --format=%s; git status --short')).toBe(
			`${realpathSync(folder)}\nfirst\nImported\n`
		);
		expect(await run(page, 'cc main.c -o main && ./main > said.txt && rm docs/b.txt && cat said.txt')).toBe(
			'compiled\n'
		);
	});

	it('gives the files back, and the tab works on', async () => {
		await choose('Bring back');
		await isAt('This tab');
		await agentIs(page, 'idle');
		expect(await run(page, 'cat said.txt; ls docs; git log --format=%s')).toBe(
			'compiled\na.txt\nc.txt\nfirst\nImported\n'
		);
		expect(await run(page, 'command -v cc || echo none')).toBe('none\n');
		writeFileSync(path.join(folder, 'later.txt'), 'not of the session');
		expect(await run(page, 'ls later.txt || echo none')).toBe('none\n');
	});
});
