import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StoredSession } from '#session/contract.ts';
import { SessionList } from '#session/list.ts';
import type { StorageReply, StorageRequest } from '#session/storage/messages.ts';
import { OpenSessions } from '#session/storage/open-sessions.ts';
import { splitReply } from '#session/storage/reply-parts.ts';
import { storageWorkerAddress } from '#session/storage/worker-address.ts';
import { openSessionStore } from '#session/store.ts';
import { inTime } from '#test/in-time.ts';
import { FaultyDisk } from './histories/faulty-disk.ts';
import { Locks } from './histories/locks.ts';
import { idb, indexedDbInMemory } from './storage/indexed-db.ts';

vi.mock('idb', async () => {
	const { idb } = await import('./storage/indexed-db.ts');
	return { openDB: (...args: []) => idb.openDB(...args) };
});

const about = { origin: { kind: 'files', name: 'project' } as const, title: 'A title', model: 'm', provider: 'p' };
let disk: FaultyDisk;

beforeEach(() => {
	Object.assign(idb, indexedDbInMemory());
	vi.stubGlobal('navigator', { locks: new Locks() });
	disk = new FaultyDisk();
});
afterEach(() => void vi.unstubAllGlobals());

/** The storage worker of one tab. */
function workerOf(tab: object): Worker {
	const sessions = new OpenSessions(disk.media(tab), () => undefined);
	const listeners: ((message: { data: StorageReply }) => void)[] = [];
	const reply = (data: StorageReply): void =>
		listeners.forEach((listener) => listener({ data: structuredClone(data) }));
	return {
		addEventListener: (type: string, listener: (message: never) => void) => {
			if (type === 'message') listeners.push(listener as (typeof listeners)[number]);
		},
		postMessage: ({ id, call, args }: StorageRequest) =>
			void sessions.run(call, args as never).then(
				(result) => {
					const { parts, rest } = splitReply(result);
					for (const items of parts) reply({ id, items });
					reply({ id, result: rest });
				},
				({ name, message }: Error) => reply({ id, error: { name, message } })
			)
	} as unknown as Worker;
}
const openTab = (tab: object = {}) => inTime(openSessionStore(workerOf(tab)), 'the store');
const begin = (session: StoredSession) =>
	session.log.append({ type: 'session', version: 3, sessionId: session.summary.id, title: 'A title' });
/** The database of the list, as created by an earlier version. */
function indexedDbOf(): Promise<unknown> {
	const open = idb.openDB as unknown as (name: string, version: number, options: object) => Promise<unknown>;
	return open('sandglass', 1, {
		upgrade: (created: { createObjectStore(name: string, options?: object): void }) => {
			created.createObjectStore('sessions', { keyPath: 'id' });
			created.createObjectStore('page');
		}
	});
}
async function listOf(): Promise<SessionList> {
	return SessionList.open();
}

describe('the list of sessions', () => {
	it('has a session once it is complete, with what it is about', async () => {
		const store = await openTab();
		const session = await store.create(about);
		expect(session.summary).toMatchObject({ ...about, changedFiles: 0 });
		expect(session.summary.createdMs).toBe(session.summary.updatedMs);
		expect(Date.now() - session.summary.createdMs).toBeLessThan(60_000);
		expect(await store.list()).toEqual([]);
		expect(await (await listOf()).creating()).toEqual([session.summary.id]);
		await store.enlist(session);
		expect(await store.list()).toEqual([session.summary]);
		expect(await (await listOf()).creating()).toEqual([]);
	});

	it('has the last changed first', async () => {
		const list = await listOf();
		const summary = (id: string, updatedMs: number) => ({ ...about, id, createdMs: 0, updatedMs, changedFiles: 0 });
		for (const [id, updatedMs] of [
			['a', 1],
			['b', 3],
			['c', 2]
		] as const)
			await list.put(summary(id, updatedMs));
		expect((await list.all()).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
	});

	it('tells this tab and others of each change, and nobody who has stopped listening', async () => {
		const [here, there] = [await openTab(), await openTab()];
		const heard = { here: 0, there: 0 };
		const stop = here.onChange(() => heard.here++);
		there.onChange(() => heard.there++);
		const session = await here.create(about);
		await here.enlist(session);
		await vi.waitFor(() => expect(heard).toEqual({ here: 1, there: 1 }));
		await here.rename(session.summary.id, 'Another');
		await vi.waitFor(() => expect(heard).toEqual({ here: 2, there: 2 }));
		stop();
		await session.close();
		await here.delete(session.summary.id);
		await vi.waitFor(() => expect(heard).toEqual({ here: 2, there: 3 }));
	});

	it('keeps small values of each session apart, and loses them with it', async () => {
		const list = await listOf();
		await list.writePage('a', 'draft', 'of a');
		await list.writePage('b', 'draft', 'of b');
		for (const id of ['ab', '1']) await list.writePage(id, 'draft', `of ${id}`);
		await list.delete('a');
		expect(await list.readPage('a', 'draft')).toBeUndefined();
		for (const id of ['b', 'ab', '1']) expect(await list.readPage(id, 'draft')).toBe(`of ${id}`);
		expect(await list.creating()).toEqual([]);
	});
});

describe('a session of the store', () => {
	it('is opened again with its entries, renamed and deleted', async () => {
		const store = await openTab();
		const session = await store.create(about);
		await store.enlist(session);
		begin(session);
		await session.close();
		await store.rename(session.summary.id, 'Another');
		const again = await store.open(session.summary.id);
		expect([again.writable, again.summary.title, again.log.branch().length]).toEqual([true, 'Another', 1]);
		expect((await store.readRaw(session.summary.id)).map(({ name }) => name)).toContain('log.jsonl');
		await again.close();
		await store.delete(session.summary.id);
		expect(await store.list()).toEqual([]);
		const gone = { name: 'SessionNotFound', sessionId: session.summary.id };
		for (const missing of [store.open(session.summary.id), store.rename(session.summary.id, 'x')])
			await expect(missing).rejects.toMatchObject({
				...gone,
				message:
					'This browser has no such session. It may have been deleted, or it lives in another browser; a share link brings it here.'
			});
		expect(await store.readRaw(session.summary.id)).toEqual([]);
	});

	it('is only read where that is asked for', async () => {
		const store = await openTab();
		const session = await store.create(about);
		await store.enlist(session);
		begin(session);
		await session.close();
		const reader = await store.read(session.summary.id);
		expect([reader.writable, reader.log.branch().length]).toEqual([false, 1]);
		expect((await (await openTab()).open(session.summary.id)).writable).toBe(true);
	});

	it('is forked with its origin and model, under a name of its own', async () => {
		const store = await openTab();
		const session = await store.create(about);
		await store.enlist(session);
		begin(session);
		await session.addCheckpoint({ id: 'c', tree: 't', label: 'turn', timestamp: 1, entryId: null }, new Map());
		await session.flush();
		const [checkpoint] = session.checkpoints();
		const fork = await store.fork(session, {
			title: 'Fork',
			checkpoint: checkpoint!,
			baseline: 't',
			files: 't',
			root: '/workspace',
			entries: session.log.branch()
		});
		await fork.flush();
		expect(fork.summary).toMatchObject({ ...about, title: 'Fork' });
		expect(fork.summary.id).not.toBe(session.summary.id);
		expect(fork.log.branch()).toHaveLength(1);
	});

	it('that came to nothing leaves nothing, also on a full disk', async () => {
		const store = await openTab();
		const session = await store.create(about);
		begin(session);
		disk.room = 0;
		await store.discard(session);
		expect(await store.readRaw(session.summary.id)).toEqual([]);
		expect(await (await listOf()).creating()).toEqual([]);
	});

	it('that cannot be cleared away is named on the console', async () => {
		const tab = {};
		const store = await openTab(tab);
		const session = await store.create(about);
		const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
		onTestFinished(() => warned.mockRestore());
		disk.kill(tab);
		await store.discard(session);
		expect(warned).toHaveBeenCalledWith('A session that was not finished is still there.', expect.any(Error));
	});
});

describe('the start of a store', () => {
	it('clears away what other tabs began and left, and not what one still makes', async () => {
		const [left, made] = [await (await openTab()).create(about), await (await openTab()).create(about)];
		begin(left);
		await left.close();
		const store = await openTab();
		await vi.waitFor(async () => expect(await (await listOf()).creating()).toEqual([made.summary.id]));
		expect(await store.readRaw(left.summary.id)).toEqual([]);
		begin(made);
		await store.eraseEverything();
		expect(await (await listOf()).creating()).toEqual([made.summary.id]);
		await made.close();
		await store.eraseEverything();
		expect(await (await listOf()).creating()).toEqual([]);
	});

	it('starts a worker of its own where it gets none', async () => {
		const started: unknown[][] = [];
		const Starting = function (...args: unknown[]) {
			started.push(args);
			return workerOf({});
		};
		vi.stubGlobal('Worker', Starting);
		const store = await inTime(openSessionStore(), 'the store');
		expect(started).toEqual([[storageWorkerAddress, { type: 'module', name: 'storage' }]]);
		const session = await store.create(about);
		expect(session.writable).toBe(true);
	});

	it('goes on where that fails, and says so', async () => {
		const left = await (await openTab()).create(about);
		await left.close();
		const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
		onTestFinished(() => warned.mockRestore());
		const tab = {};
		disk.kill(tab);
		const store = await openTab(tab);
		await vi.waitFor(() =>
			expect(warned).toHaveBeenCalledWith('Unfinished sessions could not be removed.', expect.any(Error))
		);
		expect(await store.list()).toEqual([]);
		// It is free for the next attempt.
		await openTab();
		await vi.waitFor(async () => expect(await (await listOf()).creating()).toEqual([]));
	});

	it('erases every session where that is asked for', async () => {
		const store = await openTab();
		const ids: string[] = [];
		for (let count = 0; count < 2; count++) {
			const session = await store.create(about);
			await store.enlist(session);
			begin(session);
			await session.close();
			ids.push(session.summary.id);
		}
		await store.eraseEverything();
		expect(await store.list()).toEqual([]);
		for (const id of ids) expect(await store.readRaw(id)).toEqual([]);
	});
});

describe('what earlier versions left in a browser', () => {
	it('is found under the names that it was stored by', async () => {
		const database = (await indexedDbOf()) as {
			put(store: string, value: unknown, key?: unknown): Promise<void>;
		};
		const summary = { ...about, id: 'old', createdMs: 0, updatedMs: 0, changedFiles: 0 };
		await database.put('sessions', summary);
		await database.put('page', 1, ['begun', 'half']);
		await database.put('page', [{ id: 'c' }], ['old', 'checkpoints']);
		const list = await listOf();
		expect(await list.all()).toEqual([summary]);
		expect(await list.creating()).toEqual(['half']);
		expect(await list.readPage('old', 'checkpoints')).toEqual([{ id: 'c' }]);
	});
});
