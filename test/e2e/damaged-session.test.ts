import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
	world = await openWorld();
});
afterAll(() => world.close());

/** Creates a session of three files, and goes to the front page, so that its files are released. */
async function makeSession(page: Page): Promise<string> {
	await page.goto(world.url);
	await page.evaluate(() =>
		window.sandglass!.importRepository({
			files: { 'a.txt': 'content of a\n', 'b.txt': 'content of b\n', 'c.txt': 'content of c\n' }
		})
	);
	await page.waitForURL(/#session\//);
	const id = page.url().split('#session/')[1] ?? '';
	await page.evaluate(() => window.sandglass!.environment!.exec('sync'));
	await page.goto('about:blank');
	await page.goto(world.url);
	await page
		.getByRole('link', { name: /a\.txt|files|imported/i })
		.first()
		.waitFor();
	return id;
}

/** Changes a stored file of a session in the origin private file system. */
async function damage(page: Page, id: string, name: string, text: string | null): Promise<void> {
	await page.evaluate(
		async ([session, file, marked]) => {
			const root = await navigator.storage.getDirectory();
			const folder = await (await root.getDirectoryHandle('sessions')).getDirectoryHandle(session);
			if (marked === null) return folder.removeEntry(file);
			const handle = await folder.getFileHandle(file);
			const content = new Uint8Array(await (await handle.getFile()).arrayBuffer());
			const wanted = new TextEncoder().encode(marked);
			const at = content.findIndex((_, start) => wanted.every((byte, index) => content[start + index] === byte));
			if (at < 0) throw new Error(`${file} holds no ${marked}`);
			content[at] = (content[at] ?? 0) ^ 1;
			const stream = await handle.createWritable();
			await stream.write(content);
			await stream.close();
		},
		[id, name, text] as const
	);
}

it('says which file a damaged session lost, opens the others, and hands over the raw files', async () => {
	const { page } = await world.newProfile();
	const id = await makeSession(page);
	await damage(page, id, 'blobs.pack', 'content of b');
	await page.goto(`${world.url}/#session/${id}`);
	await page.waitForFunction(() => window.sandglass?.environment);
	const alert = page.getByRole('alert').filter({ hasText: 'damaged' });
	await alert.waitFor();
	expect(await alert.innerText()).toContain('The contents of 1 file, which the project now lacks: b.txt');
	const found = await page.evaluate(() => window.sandglass!.environment!.exec('cat a.txt c.txt; ls'));
	expect(found.stdout).toBe('content of a\ncontent of c\na.txt\nc.txt\n');

	const [download] = await Promise.all([
		page.waitForEvent('download'),
		alert.getByRole('button', { name: 'Download the raw files' }).click()
	]);
	const files = unzipSync(new Uint8Array(await readFile(await download.path())));
	expect(Object.keys(files).sort()).toEqual(['blobs.pack', 'files.jsonl', 'log.jsonl']);
	expect(Buffer.from(files['blobs.pack'] ?? []).includes('bontent of b')).toBe(true);
	expect(Buffer.from(files['files.jsonl'] ?? []).includes('/workspace/b.txt')).toBe(true);
});

it('opens the files of a session that lost its conversation, and offers the raw files in the list too', async () => {
	const { page } = await world.newProfile();
	const id = await makeSession(page);
	await damage(page, id, 'log.jsonl', null);
	const [download] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name: 'Download the raw files' }).click()
	]);
	const files = unzipSync(new Uint8Array(await readFile(await download.path())));
	expect(Object.keys(files).sort()).toEqual(['blobs.pack', 'files.jsonl']);
	await page.goto(`${world.url}/#session/${id}`);
	await page.waitForFunction(() => window.sandglass?.environment);
	await page.getByRole('alert').filter({ hasText: 'The conversation is lost.' }).waitFor();
	const found = await page.evaluate(() => window.sandglass!.environment!.exec('cat a.txt b.txt c.txt'));
	expect(found.stdout).toBe('content of a\ncontent of b\ncontent of c\n');
});
