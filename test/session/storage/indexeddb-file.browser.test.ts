import { describe, expect, it } from 'vitest';
import { openIndexedDbFolder, removeIndexedDbFolder } from '../../../src/session/storage/indexeddb-file.ts';
import { appendFolderContract } from './append-file.ts';

describe('a folder in IndexedDB', () => {
	appendFolderContract(() => openIndexedDbFolder(crypto.randomUUID()));

	it('is open for one writer at a time', async () => {
		const id = crypto.randomUUID();
		const first = await (await openIndexedDbFolder(id)).open('log');
		await first.append(new Uint8Array([1]));
		const folder = await openIndexedDbFolder(id);
		await expect(folder.open('log')).rejects.toMatchObject({ name: 'NoModificationAllowedError' });
		await first.close();
		const second = await folder.open('log');
		expect(second.size()).toBe(1);
		await second.close();
		await removeIndexedDbFolder(id);
		expect(await folder.readWhole('log')).toBeNull();
	});
});
