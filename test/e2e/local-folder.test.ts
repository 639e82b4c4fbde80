import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { violations } from './axe.ts';
import { agentIs, run } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let page: Page;
let errors: string[];

beforeAll(async () => {
	world = await openWorld();
	({ page, errors } = await world.newProfile());
	// A folder in the browser's own storage stands in for one on disk: the same kind of handle.
	await page.addInitScript(() => {
		window.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('picked');
	});
	await page.goto(world.url);
	await page.evaluate(async () => {
		await (await navigator.storage.getDirectory()).getDirectoryHandle('picked', { create: true });
	});
	for (const path of ['a.txt', 'b.txt', 'same.txt', 'deep/er/gone.txt']) await onDisk(path, `${path}\n`);
	await page.getByRole('button', { name: 'Open folder' }).click();
	await idle();
});
afterAll(() => world.close());

const idle = () => agentIs(page, 'idle');
const machine = (command: string) => run(page, command);
/** Writes a file of the folder as another program would. */
const onDisk = (path: string, text: string) =>
	page.evaluate(
		async ([name, content]) => {
			const parts = name!.split('/');
			let at = await (await navigator.storage.getDirectory()).getDirectoryHandle('picked');
			for (const part of parts.slice(0, -1)) at = await at.getDirectoryHandle(part, { create: true });
			const stream = await (await at.getFileHandle(parts.at(-1)!, { create: true })).createWritable();
			await stream.write(content!);
			await stream.close();
		},
		[path, text]
	);
/** Every file of the folder with its text. */
const disk = () =>
	page.evaluate(async () => {
		const found: Record<string, string> = {};
		const walk = async (folder: FileSystemDirectoryHandle, prefix: string): Promise<void> => {
			for await (const [name, handle] of folder.entries()) {
				if (handle.kind === 'directory') {
					found[`${prefix}${name}/`] = '';
					await walk(handle as FileSystemDirectoryHandle, `${prefix}${name}/`);
				} else found[prefix + name] = await (await (handle as FileSystemFileHandle).getFile()).text();
			}
		};
		await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle('picked'), '');
		return found;
	});
/** Number of session folders stored by the browser. */
const kept = () =>
	page.evaluate(async () => {
		const names = (await indexedDB.databases()).map(({ name }) => name);
		if (!names.includes('sandglass-folders')) return 0;
		return new Promise<number>((resolve) => {
			const opening = indexedDB.open('sandglass-folders');
			opening.onsuccess = () => {
				const database = opening.result;
				const count = database.transaction('folders').objectStore('folders').count();
				count.onsuccess = () => resolve(count.result);
				database.close();
			};
		});
	});
const dialog = () => page.getByRole('dialog', { name: 'Save to a folder on this computer' });
const write = () => dialog().getByRole('button', { name: 'Write', exact: true });

it('writes only what changed to the folder that was opened, over a reload, and asks where the disk changed', async () => {
	await machine(
		'echo more >> a.txt; rm -r deep; mkdir src; echo new > src/new.txt; echo mine > b.txt; mkdir node_modules'
	);
	await machine('echo node_modules > .gitignore; echo x > node_modules/x');
	await onDisk('b.txt', 'theirs\n');
	await expect.poll(kept).toBe(1);
	await page.reload();
	await idle();
	await page.getByRole('tab', { name: 'Changes' }).click();
	await page.getByRole('button', { name: 'Save to a folder…' }).click();
	await dialog().getByText('3 files to write, 1 to remove.').waitFor();
	expect(await violations(page)).toEqual([]);
	await write().click();
	await dialog().getByText('Wrote 3 files, removed 1, left 1 that changed on disk.').waitFor();
	expect(await disk()).toEqual({
		'.gitignore': 'node_modules\n',
		'a.txt': 'a.txt\nmore\n',
		'b.txt': 'theirs\n',
		'same.txt': 'same.txt\n',
		'src/': '',
		'src/new.txt': 'new\n'
	});
	await dialog().getByText('4 files are already up to date').waitFor();
	await dialog().getByRole('checkbox', { name: 'b.txt' }).check();
	await write().click();
	await dialog().getByText('Wrote 1 file, removed 0, left 0').waitFor();
	expect(await disk()).toMatchObject({ 'b.txt': 'mine\n' });
	// From now on it is compared with what was written.
	await dialog().getByText('0 files to write, 0 to remove.').waitFor();
	await expect.poll(() => write().isDisabled()).toBe(true);
	await dialog().getByRole('button', { name: 'Close' }).click();
	expect(errors).toEqual([]);
});

it('says where a browser cannot, and hands out the zip', async () => {
	await page.addInitScript(() => delete window.showDirectoryPicker);
	await page.reload();
	await idle();
	await page.getByRole('tab', { name: 'Changes' }).click();
	await page.getByRole('button', { name: 'Save to a folder…' }).click();
	await dialog().getByText('This browser doesn’t let pages write to folders').waitFor();
	const zipping = page.waitForEvent('download');
	await dialog().getByRole('button', { name: 'Save zip' }).click();
	const files = unzipSync(new Uint8Array(readFileSync(await (await zipping).path())));
	expect(Object.keys(files).sort()).toEqual(['.gitignore', 'a.txt', 'b.txt', 'same.txt', 'src/new.txt']);
	expect(errors).toEqual([]);
});
