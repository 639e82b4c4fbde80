import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import { serveRepositories, type Repositories } from './repositories.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let repositories: Repositories;
/** Sends the start of an archive and then nothing. */
let slow: Server;
let slowHost = '';
/** Its first request has arrived. */
let asked: Promise<void>;
/** Its first request was aborted. */
let left: Promise<void>;

const files = {
	'README.md': '# Served\n',
	'bin/run.sh': '#!/bin/sh\necho run\n',
	'ünï/ß.txt': 'letters\n',
	'logo.bin': new Uint8Array([0, 255, 7])
};

beforeAll(async () => {
	repositories = await serveRepositories({ served: files });
	slow = createServer((_, response) => {
		response.writeHead(200, { 'Content-Type': 'application/gzip' });
		response.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
	});
	const response = once(slow, 'request').then(([, first]) => first as ServerResponse);
	asked = response.then(() => undefined);
	left = response.then((first) => once(first, 'close')).then(() => undefined);
	await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
	slowHost = `127.0.0.1:${(slow.address() as AddressInfo).port}`;
	const archives = [repositories.host, slowHost].map((host) => `${host}=http://${host}/{path}/archive/{ref}.tar.gz`);
	world = await openWorld({
		SANDGLASS_ALLOW_HOSTS: `${repositories.host},${slowHost}`,
		SANDGLASS_ARCHIVE_HOSTS: archives.join(',')
	});
});
afterAll(async () => {
	slow.closeAllConnections();
	slow.close();
	await world.close();
	await repositories.close();
});

/** Writes another unpacked size into the zip's central directory. */
function claimSize(zip: Uint8Array, name: string, bytes: number): void {
	const at = Buffer.from(zip.buffer).lastIndexOf(name);
	// The name is at offset 46 of its entry, the unpacked size at 24.
	new DataView(zip.buffer).setUint32(at - 46 + 24, bytes, true);
}

describe('an import', () => {
	it('through the host’s archive has every file, and a git tree equal to the host’s', async () => {
		const { page, errors } = await world.newProfile();
		await page.goto(world.url);
		await page.getByRole('textbox', { name: 'Git URL' }).fill(`${repositories.url}/served`);
		await page.getByRole('button', { name: 'Import', exact: true }).click();
		await page.getByRole('status', { name: 'Agent' }).waitFor();
		const there = await page.evaluate(async () => {
			const { environment } = window.sandglass!;
			const tree = await environment!.exec("git rev-parse 'HEAD^{tree}' && git status --porcelain");
			return { output: tree.stdout, logo: [...(await environment!.readBytes('logo.bin'))] };
		});
		expect(there).toEqual({ output: `${repositories.tree('served')}\n`, logo: [0, 255, 7] });
		expect(world.log.some(({ route, status }) => route === '/api/archive' && status === 200)).toBe(true);
		expect(errors).toEqual([]);
	});

	it('of a picked folder keeps its tree', async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'picked-'));
		mkdirSync(path.join(folder, 'src'));
		writeFileSync(path.join(folder, 'src/index.js'), 'console.log("picked")\n');
		const { page } = await world.newProfile();
		await page.goto(world.url);
		const chooser = page.waitForEvent('filechooser');
		await page.getByRole('button', { name: 'Open folder' }).click();
		await (await chooser).setFiles(folder);
		await page.getByRole('status', { name: 'Agent' }).waitFor();
		const result = await page.evaluate(() =>
			window.sandglass!.environment!.exec('node src/index.js && git log --format=%s')
		);
		expect(result.stdout).toBe('picked\nImported\n');
		rmSync(folder, { recursive: true });
	});

	it('of a dropped folder keeps its tree', async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'dropped-'));
		mkdirSync(path.join(folder, 'src/deep'), { recursive: true });
		writeFileSync(path.join(folder, 'src/deep/index.js'), 'console.log("dropped")\n');
		const { context, page } = await world.newProfile();
		await page.goto(world.url);
		await page.getByRole('button', { name: 'Open folder' }).waitFor();
		const input = await context.newCDPSession(page);
		const data = { items: [], files: [folder], dragOperationsMask: 1 };
		for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
			await input.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
		await page.getByRole('status', { name: 'Agent' }).waitFor();
		const result = await page.evaluate(() =>
			window.sandglass!.environment!.exec('node src/deep/index.js; git ls-files')
		);
		expect(result.stdout).toBe('dropped\nsrc/deep/index.js\n');
		rmSync(folder, { recursive: true });
	});

	it('of more than fits offers its folders, and brings those that were chosen', async () => {
		const zip = zipSync({
			'repo/package.json': strToU8('{}'),
			'repo/assets/film.bin': strToU8('as large as its entry says'),
			'repo/src/index.js': strToU8('console.log("a part")\n')
		});
		claimSize(zip, 'repo/assets/film.bin', 700_000_000);
		const { page, errors } = await world.newProfile();
		await page.goto(world.url);
		const chooser = page.waitForEvent('filechooser');
		await page.getByRole('button', { name: 'Upload zip' }).click();
		await (await chooser).setFiles({ name: 'repo.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) });
		const dialog = page.getByRole('dialog', { name: 'Choose folders to import' });
		await dialog.waitFor();
		expect(await violations(page)).toEqual([]);
		await expect.poll(() => dialog.getByRole('checkbox', { name: /^assets/ }).isDisabled()).toBe(true);
		await dialog.getByRole('checkbox', { name: /^src/ }).check();
		await dialog.getByRole('button', { name: /^Import \d+ folder/ }).click();
		await page.getByRole('status', { name: 'Agent' }).waitFor();
		await page.getByText('Only a part was imported: src.').waitFor();
		const { stdout } = await page.evaluate(() => window.sandglass!.environment!.exec('git ls-files'));
		expect(stdout).toBe('package.json\nsrc/index.js\n');
		expect(errors).toEqual([]);
	});

	it('can be cancelled while it waits, lets go of the host, and keeps the address; a reload cuts it off and says so', async () => {
		const { page } = await world.newProfile();
		await page.goto(world.url);
		const address = `http://${slowHost}/owner/repo`;
		await page.getByRole('textbox', { name: 'Git URL' }).fill(address);
		await page.getByRole('button', { name: 'Import', exact: true }).click();
		// A host that was not contacted yet cannot be aborted.
		await asked;
		await page
			.getByText(/received|Downloading/)
			.first()
			.waitFor();
		await page.getByRole('button', { name: 'Cancel' }).click();
		await page.getByRole('textbox', { name: 'Git URL' }).waitFor();
		await left;
		await expect.poll(() => page.getByRole('textbox', { name: 'Git URL' }).inputValue()).toBe(address);
		expect(await page.evaluate(() => window.sandglass!.environment)).toBeNull();

		await page.getByRole('button', { name: 'Import', exact: true }).click();
		await page.getByRole('button', { name: 'Cancel' }).waitFor();
		await page.reload();
		await page.getByRole('alert').getByText('The import stopped when this page was reloaded').waitFor();
		await expect.poll(() => page.getByRole('textbox', { name: 'Git URL' }).inputValue()).toBe(address);
		await page.getByRole('button', { name: 'Try again' }).click();
		await page.getByRole('button', { name: 'Cancel' }).click();
		await page.getByRole('textbox', { name: 'Git URL' }).waitFor();
	});
});
