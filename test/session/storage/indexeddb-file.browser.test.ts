import { describe, expect, it } from 'vitest';
import { openDB } from 'idb';
import type { StoredChange } from '#session/storage/messages.ts';
import { SessionFiles } from '#session/storage/session-files.ts';
import { openIndexedDbFolder, removeIndexedDbFolder } from '#session/storage/indexeddb-file.ts';
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

	it('with a chunk gone is opened, loses what was in it and nothing else, and goes on', async () => {
		const id = crypto.randomUUID();
		const files = await SessionFiles.open(await openIndexedDbFolder(id));
		const write = (name: string): StoredChange => ({
			kind: 'write',
			path: `/workspace/${name}`,
			mode: 0o100644,
			bytes: new TextEncoder().encode(`content of ${name}`)
		});
		for (const name of ['a', 'b', 'c']) await files.appendChanges([write(name)]);
		await files.appendEntries([{ id: 1 }]);
		await files.close();
		const database = await openDB('sandglass-files');
		await database.delete('chunks', [id, 'blobs.pack', 1]);
		database.close();

		const read = async (session: SessionFiles): Promise<Record<string, string | null>> => {
			const found: Record<string, string | null> = {};
			for (const [path, { blob }] of session.state.files) {
				const content = await session.readBlob(blob);
				found[path] = content && new TextDecoder().decode(content);
			}
			return found;
		};
		const damaged = await SessionFiles.open(await openIndexedDbFolder(id));
		const left = { '/workspace/a': 'content of a', '/workspace/b': null, '/workspace/c': 'content of c' };
		expect(await read(damaged)).toEqual(left);
		await damaged.appendChanges([write('d')]);
		await damaged.close();
		const again = await SessionFiles.open(await openIndexedDbFolder(id));
		expect(await read(again)).toEqual({ ...left, '/workspace/d': 'content of d' });
		await again.close();
		expect((await SessionFiles.readRaw(await openIndexedDbFolder(id))).map(({ name }) => name)).toContain('blobs.pack');
		await removeIndexedDbFolder(id);
	});

	it('gives no bytes for a chunk that went while the file was open', async () => {
		const id = crypto.randomUUID();
		const file = await (await openIndexedDbFolder(id)).open('log');
		for (const text of ['one', 'two']) await file.append(new TextEncoder().encode(text));
		const database = await openDB('sandglass-files');
		await database.delete('chunks', [id, 'log', 0]);
		database.close();
		await expect(file.read(0, 6)).rejects.toMatchObject({ name: 'InvalidStateError' });
		await file.close();
		await removeIndexedDbFolder(id);
	});
});
