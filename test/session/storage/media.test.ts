import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BrowserMedia } from '#session/storage/media.ts';
import type { StorageReply, StorageRequest } from '#session/storage/messages.ts';
import { Locks } from '../histories/locks.ts';
import { indexedDbInMemory } from './indexed-db.ts';

const indexedDb = vi.hoisted(() => ({ openDB: (): unknown => undefined }));
vi.mock('idb', () => ({ openDB: (...args: []) => indexedDb.openDB(...args) }));

/** A file of the origin private file system, in memory; can only be opened once at a time. */
class OriginFile {
	content = new Uint8Array();
	flush = (): void => undefined;
	#isOpen = false;

	async createSyncAccessHandle() {
		if (this.#isOpen) throw new DOMException('open', 'NoModificationAllowedError');
		this.#isOpen = true;
		return {
			getSize: () => this.content.length,
			read: (into: Uint8Array, { at }: { at: number }) => {
				into.set(this.content.subarray(at, at + into.length));
				return into.length;
			},
			write: (bytes: Uint8Array, { at }: { at: number }) => {
				this.content = new Uint8Array([...this.content.subarray(0, at), ...bytes]);
				return bytes.length;
			},
			truncate: (size: number) => void (this.content = this.content.slice(0, size)),
			flush: () => this.flush(),
			close: () => void (this.#isOpen = false)
		};
	}

	async getFile(): Promise<Blob> {
		return new Blob([this.content]);
	}
}

/** A directory of that file system. */
class OriginDirectory {
	readonly entries = new Map<string, OriginDirectory | OriginFile>();

	getDirectoryHandle = async (name: string, options?: { create?: boolean }) =>
		this.#entry(name, options, () => new OriginDirectory()) as OriginDirectory;
	getFileHandle = async (name: string, options?: { create?: boolean }) =>
		this.#entry(name, options, () => new OriginFile()) as OriginFile;

	async removeEntry(name: string, { recursive = false } = {}): Promise<void> {
		const entry = this.#entry(name, undefined, () => new OriginFile());
		if (entry instanceof OriginDirectory && entry.entries.size > 0 && !recursive)
			throw new DOMException(name, 'InvalidModificationError');
		this.entries.delete(name);
	}

	#entry(name: string, options: { create?: boolean } | undefined, make: () => OriginDirectory | OriginFile) {
		const entry = this.entries.get(name) ?? (options?.create ? make() : undefined);
		if (!entry) throw new DOMException(name, 'NotFoundError');
		this.entries.set(name, entry);
		return entry;
	}
}

let root: OriginDirectory;
let getDirectory: ReturnType<typeof vi.fn<() => Promise<OriginDirectory>>>;
let media: BrowserMedia;

/** A browser, with or without files that workers can open. */
async function browser({ hasFiles, hasDatabase = true }: { hasFiles: boolean; hasDatabase?: boolean }): Promise<void> {
	const FileSystemFileHandle = hasFiles
		? class {
				createSyncAccessHandle(): void {}
			}
		: undefined;
	vi.stubGlobal('self', FileSystemFileHandle ? { FileSystemFileHandle } : {});
	vi.stubGlobal('FileSystemFileHandle', FileSystemFileHandle);
	const refused = () => Promise.reject(new DOMException('private', 'InvalidStateError'));
	Object.assign(indexedDb, hasDatabase ? indexedDbInMemory() : { openDB: refused });
	vi.resetModules();
	media = new (await import('#session/storage/media.ts')).BrowserMedia();
}

beforeEach(() => {
	root = new OriginDirectory();
	getDirectory = vi.fn(async () => root);
	vi.stubGlobal('navigator', { locks: new Locks(), storage: { getDirectory } });
});
afterEach(() => void vi.unstubAllGlobals());

/** Stores a text and reads it after reopening the folder. */
async function storedText(id = 's'): Promise<string> {
	const file = await (await media.folderOf(id)).folder.open('log');
	await file.append(new TextEncoder().encode(id));
	await file.close();
	return new TextDecoder().decode((await (await media.folderOf(id)).folder.readWhole('log')) ?? new Uint8Array());
}
const mediumOf = async (): Promise<string> => (await media.folderOf('s')).medium;

describe('a browser’s storage', () => {
	it('is its file system, in a folder for each session', async () => {
		await browser({ hasFiles: true });
		expect(await mediumOf()).toBe('opfs');
		expect([await storedText('s'), await storedText('t')]).toEqual(['s', 't']);
		const sessions = await root.getDirectoryHandle('sessions');
		expect([...sessions.entries.keys()]).toEqual(['s', 't']);
		expect(await (await media.folderOf('s')).folder.readWhole('none')).toBeNull();
		await media.remove('s');
		expect([...sessions.entries.keys()]).toEqual(['t']);
		await media.remove('s');
	});

	it('is IndexedDB where workers cannot open files, or the browser refuses its file system', async () => {
		await browser({ hasFiles: false });
		expect(await mediumOf()).toBe('indexeddb');
		expect(await storedText()).toBe('s');
		expect(root.entries.size).toBe(0);
		for (const name of ['SecurityError', 'InvalidStateError', 'NotSupportedError', 'UnknownError']) {
			await browser({ hasFiles: true });
			getDirectory.mockRejectedValue(new DOMException('no', name));
			expect(await mediumOf()).toBe('indexeddb');
		}
		vi.stubGlobal('navigator', { locks: new Locks(), storage: {} });
		expect(await mediumOf()).toBe('indexeddb');
		await media.remove('s');
		expect(await (await media.folderOf('s')).folder.readWhole('log')).toBeNull();
	});

	it('is memory where neither is there, for as long as the tab lives', async () => {
		await browser({ hasFiles: false, hasDatabase: false });
		expect(await mediumOf()).toBe('memory');
		expect(await storedText()).toBe('s');
		await media.remove('s');
		expect(await (await media.folderOf('s')).folder.readWhole('log')).toBeNull();
	});

	it('that fails for another reason is not given up for a lesser one', async () => {
		await browser({ hasFiles: true });
		for (const error of [new DOMException('open elsewhere', 'NoModificationAllowedError'), new TypeError('broken')]) {
			getDirectory.mockRejectedValue(error);
			await expect(media.folderOf('s')).rejects.toBe(error);
			await expect(media.remove('s')).rejects.toBe(error);
		}
		await browser({ hasFiles: false });
		const broken = new TypeError('broken');
		Object.assign(indexedDb, { openDB: () => Promise.reject(broken) });
		await expect(media.folderOf('s')).rejects.toBe(broken);
	});

	it('fails to read a file that is there and cannot be read', async () => {
		await browser({ hasFiles: true });
		await storedText();
		const { folder } = await media.folderOf('s');
		const denied = new DOMException('no', 'NotReadableError');
		const directory = await (await root.getDirectoryHandle('sessions')).getDirectoryHandle('s');
		directory.getFileHandle = () => Promise.reject(denied);
		await expect(folder.readWhole('log')).rejects.toBe(denied);
	});
});

describe('the storage worker', () => {
	/** Sends one call, and returns the worker's answer. */
	async function started() {
		await browser({ hasFiles: true });
		const answers: StorageReply[] = [];
		const scope = Object.assign(self as unknown as Record<string, unknown>, {
			postMessage: (reply: StorageReply) => answers.push(reply)
		}) as unknown as { onmessage: (message: { data: StorageRequest }) => Promise<void> };
		await import('#session/storage/worker.ts');
		return async (call: StorageRequest['call'], ...args: unknown[]): Promise<StorageReply[]> => {
			answers.length = 0;
			await scope.onmessage({ data: { id: 7, call, args } });
			return [...answers];
		};
	}

	it('answers each call by its number, long answers in parts', async () => {
		const ask = await started();
		expect(await ask('open', 's')).toEqual([
			{ id: 7, result: { entries: [], trees: [], warnings: [], damage: [], medium: 'opfs' } }
		]);
		const change = (at: number) => ({ kind: 'mkdir', path: `/${at}` });
		const changes = Array.from({ length: 1_500 }, (_, at) => change(at));
		expect(await ask('appendChanges', 's', changes)).toEqual([{ id: 7, result: undefined }]);
		const answered = await ask('files', 's');
		expect(answered.map((reply) => ('items' in reply ? reply.items.length : reply))).toEqual([
			1_000,
			500,
			{ id: 7, result: [] }
		]);
		expect(answered[0]).toMatchObject({
			id: 7,
			items: expect.arrayContaining([expect.objectContaining({ path: '/0' })])
		});
	});

	it('answers with the error of a call, and that another tab has the files by a name of its own', async () => {
		const ask = await started();
		expect(await ask('appendEntries', 'closed', [])).toEqual([
			{ id: 7, error: { name: 'Error', message: 'This session is not open for writing in this tab.' } }
		]);
		const other = (await media.folderOf('s')).folder;
		await other.open('blobs.pack');
		expect(await ask('open', 's')).toMatchObject([{ id: 7, error: { name: 'LockedError' } }]);
		getDirectory.mockImplementation(() => {
			throw 'no error at all';
		});
		expect(await ask('peek', 's')).toEqual([{ id: 7, error: { name: 'Error', message: 'no error at all' } }]);
	});

	it('names on the console what it could not flush by itself', async () => {
		const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
		onTestFinished(() => said.mockRestore());
		const ask = await started();
		await ask('open', 's');
		const gone = new DOMException('gone', 'InvalidStateError');
		const { entries } = await (await root.getDirectoryHandle('sessions')).getDirectoryHandle('s');
		for (const file of entries.values() as Iterable<OriginFile>)
			file.flush = () => {
				throw gone;
			};
		await ask('appendEntries', 's', [{ id: 1 }]);
		await vi.waitFor(() => expect(said).toHaveBeenCalledWith('Storage could not be flushed.', gone));
	});
});
