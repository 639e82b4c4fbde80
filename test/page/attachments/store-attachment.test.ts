import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import {
	carryAttachments,
	MOST_ATTACHMENT_BYTES,
	readAttachments,
	removeAttachment,
	storeAttachment
} from '#page/attachments/store-attachment.ts';
import { withAttachments } from '#page/attachments/attachment.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

let environment: LocalExecutionEnvironment;
beforeEach(async () => {
	environment = await createTemporary();
});
afterEach(async () => {
	await environment.cleanup();
	await removeTemporary();
});

const file = (name: string, content: string | Uint8Array<ArrayBuffer>): File => new File([content], name);
const at = (name: string): string => path.join(environment.workingDirectory(), name);

describe('storeAttachment', () => {
	it('writes the bytes into a folder that git ignores', async () => {
		await environment.exec('git init -q .');
		const bytes = Uint8Array.of(0, 1, 2, 255);
		expect(await storeAttachment(environment, file('my data.bin', bytes))).toEqual({
			path: 'attachments/my-data.bin',
			size: 4
		});
		expect(await environment.readBytes('attachments/my-data.bin')).toEqual(bytes);
		expect((await environment.exec('git status --porcelain')).stdout).toBe('');
	});

	it('gives a taken name a number, also one taken by a link that leads nowhere', async () => {
		await storeAttachment(environment, file('a.txt', 'one'));
		await symlink('/nowhere/at/all', at('attachments/a-2.txt'));
		expect((await storeAttachment(environment, file('a.txt', 'two'))).path).toBe('attachments/a-3.txt');
		expect(await environment.readFile('attachments/a.txt')).toBe('one');
	});

	it('leaves the rules of a folder that the project brought along', async () => {
		await environment.writeFile('attachments/theirs.txt', 'x');
		await storeAttachment(environment, file('a.txt', 'one'));
		expect(await environment.fileExists('attachments/.gitignore')).toBe(false);
	});

	it('writes through no link in place of the folder, and over no file', async () => {
		await environment.makeDirectory('src');
		await symlink('src', at('attachments'));
		await expect(storeAttachment(environment, file('a.txt', 'one'))).rejects.toThrow(/file or link of that name/);
		expect(await environment.listDirectory('src', 1)).toEqual([]);
		await environment.remove('attachments');
		await writeFile(at('attachments'), 'a file');
		await expect(storeAttachment(environment, file('a.txt', 'one'))).rejects.toThrow(/file or link of that name/);
		expect(await readFile(at('attachments'), 'utf8')).toBe('a file');
	});

	it('says what is too large, before it is read', async () => {
		const large = Object.defineProperty(file('big.zip', 'x'), 'size', { value: MOST_ATTACHMENT_BYTES * 2 });
		large.arrayBuffer = () => Promise.reject(new Error('was read'));
		await expect(storeAttachment(environment, large)).rejects.toThrow('“big.zip” is 100 MB. Attach files up to 50 MB.');
	});

	it('says that a folder cannot be read', async () => {
		const folder = file('src', '');
		folder.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
		await expect(storeAttachment(environment, folder)).rejects.toThrow('“src” couldn’t be read.');
	});
});

describe('removeAttachment', () => {
	it('deletes the file, and needs none', async () => {
		const stored = await storeAttachment(environment, file('a.txt', 'one'));
		await removeAttachment(environment, stored);
		expect(await environment.fileExists(stored.path)).toBe(false);
		await removeAttachment(environment, stored);
	});
});

describe('carryAttachments', () => {
	it('brings what a message names to where it is missing, and overwrites nothing', async () => {
		const files = [
			await storeAttachment(environment, file('a.txt', 'a')),
			await storeAttachment(environment, file('b.txt', 'b'))
		];
		const missing = { path: 'attachments/gone.txt', size: 1 };
		const carried = await readAttachments(environment, withAttachments('use them', [...files, missing]));
		const fork = await createTemporary();
		try {
			await fork.writeFile('attachments/b.txt', 'other');
			await carryAttachments(fork, carried);
			expect(await fork.readFile('attachments/a.txt')).toBe('a');
			expect(await fork.readFile('attachments/b.txt')).toBe('other');
			expect(await fork.fileExists('attachments/gone.txt')).toBe(false);
		} finally {
			await fork.cleanup();
		}
	});
});
