import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveRepositories, type Repositories } from './repositories.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let repositories: Repositories;
let locked: Server;
let lockedHost = '';

beforeAll(async () => {
	repositories = await serveRepositories({ present: { 'a.txt': 'a\n' } });
	locked = createServer((_, response) => response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end('no'));
	await new Promise<void>((resolve) => locked.listen(0, '127.0.0.1', resolve));
	lockedHost = `127.0.0.1:${(locked.address() as AddressInfo).port}`;
	world = await openWorld({ SANDGLASS_ALLOW_HOSTS: `${repositories.host},${lockedHost}` });
});
afterAll(async () => {
	locked.close();
	await world.close();
	await repositories.close();
});

async function front(): Promise<Page> {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	return page;
}

async function alertAfterImporting(url: string, meanwhile?: (page: Page) => Promise<void>): Promise<string> {
	const page = await front();
	await page.getByRole('textbox', { name: 'Git URL' }).fill(url);
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await meanwhile?.(page);
	const text = await page.getByRole('alert').innerText();
	// Nothing is stuck: the front page is there again, with what was typed.
	expect(await page.getByRole('button', { name: 'Watch the demo' }).isEnabled()).toBe(true);
	return text;
}

describe('what goes wrong is said with a next step', () => {
	it('a wrong address', async () => {
		expect(await alertAfterImporting('not a url at all')).toMatch(/https:\/\/github\.com\/owner\/repository/);
	});

	it('a repository that does not exist', async () => {
		expect(await alertAfterImporting(`${repositories.url}/absent`)).toMatch(/no repository|not found/i);
	});

	it('a private repository, for which nobody has a token', async () => {
		const without = async (page: Page) => {
			const dialog = page.getByRole('dialog', { name: /asks for a token/ });
			await dialog.getByRole('button', { name: 'Go on without' }).click();
		};
		expect(await alertAfterImporting(`http://${lockedHost}/owner/repo`, without)).toMatch(/private/i);
	});

	it('a server that is not there', async () => {
		expect(await alertAfterImporting('http://127.0.0.1:1/owner/repo')).toMatch(
			/cannot be reached|private address|not allowed|ports/i
		);
	});

	it('a zip that is no zip', async () => {
		const page = await front();
		const chooser = page.waitForEvent('filechooser');
		await page.getByRole('button', { name: 'Upload zip' }).click();
		await (await chooser).setFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('this is text') });
		expect(await page.getByRole('alert').innerText()).toMatch(/zip/i);
	});

	it.each([
		['#s=abcdefghijkl.short', /damaged|gone|key/i],
		['#s=broken', /damaged/i],
		['#i=AAAA', /damaged/i],
		['#i=%%%', /damaged/i]
	])('a damaged share link %s', async (hash, sentence) => {
		const { page } = await world.newProfile();
		await page.goto(world.url + hash);
		expect(await page.getByRole('alert').innerText()).toMatch(sentence);
		expect(await page.getByRole('button', { name: 'Import', exact: true }).isVisible()).toBe(true);
	});

	it('a session that is not in this browser', async () => {
		const { page } = await world.newProfile();
		await page.goto(`${world.url}#session/00000000-0000-0000-0000-000000000000`);
		expect(await page.getByRole('alert').innerText()).toMatch(/no such session/i);
	});

	it('a binary file and a large file in the editor', async () => {
		const page = await front();
		await page.evaluate(() =>
			window.sandglass!.importRepository({
				files: { 'data.bin': new Uint8Array([0, 1, 2, 255]), 'large.txt': 'x'.repeat(3_000_000), 'a.txt': 'text\n' }
			})
		);
		await page.getByRole('treeitem', { name: /data\.bin/ }).click();
		await page
			.getByText(/binary/i)
			.first()
			.waitFor();
		await page.getByRole('treeitem', { name: /large\.txt/ }).click();
		await page
			.getByText(/2\.9 MB|3\.0 MB|3 MB|large/i)
			.first()
			.waitFor();
	});

	it('a file over the limit is refused by the import, and nothing is lost', async () => {
		const page = await front();
		const message = await page.evaluate(() =>
			window.sandglass!.importRepository({ files: { 'huge.bin': new Uint8Array(100 * 1024 * 1024) } }).then(
				() => 'imported',
				(error: Error) => error.message
			)
		);
		expect(message).toMatch(/more than fits|too large|64/i);
		await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'a\n' } }));
		await page.getByRole('treeitem', { name: /a\.txt/ }).waitFor();
	});
});
