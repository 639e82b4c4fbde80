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
/** Shows its front page again after each failure. */
let page: Page;

beforeAll(async () => {
	repositories = await serveRepositories({ present: { 'a.txt': 'a\n' } });
	locked = createServer((_, response) => response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end('no'));
	await new Promise<void>((resolve) => locked.listen(0, '127.0.0.1', resolve));
	lockedHost = `127.0.0.1:${(locked.address() as AddressInfo).port}`;
	world = await openWorld({ SANDGLASS_ALLOW_HOSTS: `${repositories.host},${lockedHost}` });
	({ page } = await world.newProfile());
	await page.goto(world.url);
});
afterAll(async () => {
	locked.close();
	await world.close();
	await repositories.close();
});

const alert = (sentence: RegExp) => page.getByRole('alert').filter({ hasText: sentence });

async function alertAfterImporting(url: string, sentence: RegExp, meanwhile?: () => Promise<void>): Promise<void> {
	await page.getByRole('textbox', { name: 'Git URL' }).fill(url);
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await meanwhile?.();
	await alert(sentence).waitFor();
	// Nothing is stuck: the front page is shown again, with the text typed.
	await expect.poll(() => page.getByRole('button', { name: 'Watch the demo' }).isEnabled()).toBe(true);
	await expect.poll(() => page.getByRole('textbox', { name: 'Git URL' }).inputValue()).toBe(url);
}

describe('what goes wrong is said with a next step', () => {
	it('a wrong address', async () => {
		await alertAfterImporting('not a url at all', /github\.com\/owner\/repo/);
	});

	it('a repository that does not exist', async () => {
		await alertAfterImporting(`${repositories.url}/absent`, /No repository was found/);
	});

	it('a private repository, for which no one has a token', async () => {
		await alertAfterImporting(`http://${lockedHost}/owner/repo`, /private/i, async () => {
			const dialog = page.getByRole('dialog', { name: /^Sign in to/ });
			await dialog.getByRole('button', { name: 'Continue without it' }).click();
		});
	});

	it('a server that is not there', async () => {
		const sentence = /can’t be reached|private address|not allowed|ports/i;
		await alertAfterImporting('http://127.0.0.1:1/owner/repo', sentence);
	});

	it('a zip that is no zip', async () => {
		const chooser = page.waitForEvent('filechooser');
		await page.getByRole('button', { name: 'Upload zip' }).click();
		await (await chooser).setFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('this is text') });
		await alert(/zip/i).waitFor();
	});

	it.each([
		['#s=abcdefghijkl.short', /damaged|gone|key/i],
		['#s=broken', /damaged/i],
		['#i=AAAA', /damaged/i],
		['#i=%%%', /damaged/i]
	])('a damaged share link %s', async (hash, sentence) => {
		await page.goto('about:blank');
		await page.goto(world.url + hash);
		await alert(sentence).waitFor();
		await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
	});

	it('a session that is not in this browser', async () => {
		await page.goto('about:blank');
		await page.goto(`${world.url}#session/00000000-0000-0000-0000-000000000000`);
		await alert(/doesn’t have this session/).waitFor();
	});

	it('a binary file and a large file in the editor', async () => {
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
