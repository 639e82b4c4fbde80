import { expect, it, vi } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import { filesOf, idOnDisk, removeOnDisk, writeOnDisk } from '#workspace/local-folder/folder.ts';
import { File, folderWith } from './disk.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it('reads all files of a folder by their paths below it', async () => {
	const { handle } = await folderWith({ a: '1', 'deep/er/b': '2', 'deep/c': '3' });
	const found: Record<string, string> = {};
	for await (const { path, bytes: content } of filesOf(handle)) found[path] = new TextDecoder().decode(content);
	expect(found).toEqual({ a: '1', 'deep/er/b': '2', 'deep/c': '3' });
});

it('knows a file by its content, nothing, and a folder where a file was asked for', async () => {
	const { handle, inside } = await folderWith({ 'd/a': 'x' });
	expect(await idOnDisk(handle, 'd/a')).toBe(await blobId(bytes('x')));
	expect([await idOnDisk(handle, 'd/b'), await idOnDisk(handle, 'e/a')]).toEqual([null, null]);
	expect([await idOnDisk(handle, 'd'), await idOnDisk(handle, 'd/a/b')]).toEqual(['folder', 'folder']);
	// Reading creates nothing.
	expect([...inside.keys()]).toEqual(['d']);
	const denied = vi.fn(() => Promise.reject(new DOMException('no', 'NotAllowedError')));
	Object.assign(inside.get('d') ?? {}, { getFileHandle: denied });
	await expect(idOnDisk(handle, 'd/a')).rejects.toMatchObject({ name: 'NotAllowedError' });
});

it('writes a whole file with the folders on its way', async () => {
	const folder = await folderWith({ a: 'a long old content' });
	await writeOnDisk(folder.handle, 'a', bytes('new'));
	await writeOnDisk(folder.handle, 'deep/er/b', bytes('b'));
	await writeOnDisk(folder.handle, 'shared', new Uint8Array(new SharedArrayBuffer(1)));
	expect(folder.files).toEqual({ a: 'new', 'deep/er/b': 'b', shared: '\0' });
});

it('leaves the file as it was where the disk is full, and says why', async () => {
	const folder = await folderWith({ a: 'old' });
	const file = folder.inside.get('a');
	if (file instanceof File) file.isFull = true;
	await expect(writeOnDisk(folder.handle, 'a', bytes('new'))).rejects.toMatchObject({ name: 'QuotaExceededError' });
	expect(folder.files).toEqual({ a: 'old' });
});

it('removes a file with the folders that it leaves empty, and never the folder itself', async () => {
	const folder = await folderWith({ 'a/b/c/file': '1', 'a/other': '2' });
	await removeOnDisk(folder.handle, 'a/b/c/file');
	expect(folder.files).toEqual({ 'a/other': '2' });
	expect([...(await folder.getDirectoryHandle('a')).inside.keys()]).toEqual(['other']);
	await removeOnDisk(folder.handle, 'a/other');
	expect(folder.inside.size).toBe(0);
	await expect(removeOnDisk(folder.handle, 'a/other')).rejects.toMatchObject({ name: 'NotFoundError' });
	expect(folder.inside.size).toBe(0);
});
