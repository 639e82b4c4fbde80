import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTime } from '#test/in-time.ts';
import { Locks } from '../histories/locks.ts';
import { appendFolderContract } from './append-file.ts';
import { indexedDbInMemory } from './indexed-db.ts';

const indexedDb = vi.hoisted(() => ({ openDB: (): unknown => undefined }));
vi.mock('idb', () => ({ openDB: (...args: []) => indexedDb.openDB(...args) }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (value: Uint8Array | null): string | null => value && new TextDecoder().decode(value);
let memory: ReturnType<typeof indexedDbInMemory>;
let folders: typeof import('#session/storage/indexeddb-file.ts');

beforeEach(async () => {
	memory = indexedDbInMemory();
	Object.assign(indexedDb, memory);
	vi.stubGlobal('navigator', { locks: new Locks() });
	// It keeps the database open.
	vi.resetModules();
	folders = await import('#session/storage/indexeddb-file.ts');
});
afterEach(() => void vi.unstubAllGlobals());

/** The folder of a session, whose files open soon or never. */
async function folderOf(id: string) {
	const folder = await folders.openIndexedDbFolder(id);
	return {
		open: (name: string) => inTime(folder.open(name), name),
		readWhole: (name: string) => folder.readWhole(name)
	};
}

/** Removes one chunk, like a browser that loses data. */
async function lose(...key: [folder: string, file: string, index: number]): Promise<void> {
	const database = await memory.openDB('sandglass-files', 1, { upgrade: () => undefined });
	await database.delete('chunks', key);
}

describe('a folder in IndexedDB', () => {
	appendFolderContract(() => folderOf(crypto.randomUUID()));

	it('gives any part of what was appended in parts', async () => {
		const file = await (await folderOf('s')).open('log');
		for (const part of ['one ', 'two ', 'three']) await file.append(bytes(part));
		for (let from = 0; from <= 14; from++)
			for (let length = 0; length <= 15; length++)
				expect(text(await file.read(from, length))).toBe('one two three'.slice(from, from + length));
	});

	it('keeps the files of each session and of each name apart', async () => {
		const [one, two] = [await folderOf('s'), await folderOf('s2')];
		for (const [folder, name] of [
			[one, 'log'],
			[one, 'log2'],
			[two, 'log']
		] as const)
			await (await folder.open(name)).append(bytes(`${name} of ${folder === one ? 's' : 's2'}`));
		const cut = await two.open('cut');
		await cut.append(bytes('x'));
		expect(text(await one.readWhole('log'))).toBe('log of s');
		expect(text(await one.readWhole('log2'))).toBe('log2 of s');
		await cut.truncate(0);
		expect(text(await one.readWhole('log2'))).toBe('log2 of s');
		expect(text(await two.readWhole('log'))).toBe('log of s2');
		await folders.removeIndexedDbFolder('s2');
		expect([await two.readWhole('log'), text(await one.readWhole('log'))]).toEqual([null, 'log of s']);
		await (await two.open('log3')).append(bytes('anew'));
		await folders.removeIndexedDbFolder('s');
		expect([await one.readWhole('log'), await one.readWhole('log2')]).toEqual([null, null]);
		expect(text(await two.readWhole('log3'))).toBe('anew');
	});

	it('is open for one writer at a time', async () => {
		const folder = await folderOf('s');
		const first = await folder.open('log');
		await expect(folder.open('log')).rejects.toMatchObject({
			name: 'NoModificationAllowedError',
			message: 'Another tab has this file open.'
		});
		await (await folder.open('other')).close();
		await first.append(bytes('x'));
		await first.close();
		await vi.waitFor(async () => expect((await folder.open('log')).size()).toBe(1));
	});

	it('is open for the next try where it could not be read', async () => {
		const folder = await folderOf('s');
		const closing = new DOMException('closing', 'InvalidStateError');
		memory.faults.read = closing;
		await expect(folder.open('log')).rejects.toBe(closing);
		memory.faults.read = null;
		await vi.waitFor(async () => expect((await folder.open('log')).size()).toBe(0));
	});

	it('waits at a flush for what is being written', async () => {
		const file = await (await folderOf('s')).open('log');
		memory.faults.put = new DOMException('closing', 'InvalidStateError');
		const appending = expect(file.append(bytes('lost'))).rejects.toBe(memory.faults.put);
		await expect(file.flush()).rejects.toBe(memory.faults.put);
		await appending;
	});

	it('tells that there is no room, and goes on when there is', async () => {
		const folder = await folderOf('s');
		const file = await folder.open('log');
		await file.append(bytes('one '));
		memory.faults.put = new DOMException('full', 'QuotaExceededError');
		await expect(file.append(bytes('lost'))).rejects.toMatchObject({ name: 'StorageFullError' });
		expect(file.size()).toBe(4);
		await file.flush();
		const closing = new DOMException('closing', 'InvalidStateError');
		memory.faults.put = closing;
		await expect(file.append(bytes('lost'))).rejects.toBe(closing);
		memory.faults.put = null;
		await file.append(bytes('two'));
		expect(text(await folder.readWhole('log'))).toBe('one two');
	});

	it('gives no bytes for a chunk that went while the file was open', async () => {
		const file = await (await folderOf('s')).open('log');
		for (const part of ['one', 'two']) await file.append(bytes(part));
		await lose('s', 'log', 0);
		await expect(file.read(0, 6)).rejects.toMatchObject({
			name: 'InvalidStateError',
			message: 'A part of log is gone from the browser.'
		});
		expect(text(await file.read(3, 3))).toBe('two');
	});

	it('goes on behind a chunk that was lost before it was opened', async () => {
		const folder = await folderOf('s');
		const file = await folder.open('log');
		for (const part of ['one', 'two', 'three']) await file.append(bytes(part));
		await file.close();
		await lose('s', 'log', 1);
		const again = await vi.waitFor(() => folder.open('log'));
		expect(text(await again.read(0, 100))).toBe('onethree');
		await again.append(bytes('four'));
		expect(text(await folder.readWhole('log'))).toBe('onethreefour');
		await again.truncate(5);
		await again.append(bytes('!'));
		expect([again.size(), text(await folder.readWhole('log'))]).toEqual([6, 'oneth!']);
	});
});
