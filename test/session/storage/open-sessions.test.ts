import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import { StorageFullError } from '#session/storage/append-file.ts';
import type { StoredChange } from '#session/storage/messages.ts';
import { OpenSessions } from '#session/storage/open-sessions.ts';
import { FaultyDisk } from '../histories/faulty-disk.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const write = (name: string, text: string): StoredChange => ({
	kind: 'write',
	path: `/workspace/${name}`,
	mode: 0o100644,
	bytes: bytes(text)
});

let disk: FaultyDisk;
let unflushed: unknown[];
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	disk = new FaultyDisk();
	unflushed = [];
});
afterEach(() => void vi.useRealTimers());

/** The storage of one tab. */
const tab = (): OpenSessions => new OpenSessions(disk.media({}), (error) => unflushed.push(error));
const entriesAfterPowerCut = async (): Promise<unknown[]> => {
	disk.powerCut(() => 0);
	return (await tab().run('peek', ['s'])).entries;
};

describe('what is written', () => {
	it('is on the disk 50 ms later at the latest, or as soon as that is asked for', async () => {
		const sessions = tab();
		await sessions.run('open', ['s']);
		await sessions.run('flush', ['s']);
		await sessions.run('appendEntries', ['s', [{ id: 1 }]]);
		await vi.advanceTimersByTimeAsync(30);
		await sessions.run('appendEntries', ['s', [{ id: 2 }]]);
		expect(vi.getTimerCount()).toBe(1);
		await vi.advanceTimersByTimeAsync(20);
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
		await sessions.run('appendEntries', ['s', [{ id: 3 }]]);
		await sessions.run('flush', ['s']);
		expect(vi.getTimerCount()).toBe(0);
		await sessions.run('appendEntries', ['s', [{ id: 'torn' }]]);
		expect(await entriesAfterPowerCut()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
	});

	it('and could not be flushed by itself is told of', async () => {
		const sessions = tab();
		await sessions.run('open', ['s']);
		await sessions.run('appendEntries', ['s', [{ id: 1 }]]);
		disk.powerCut(() => 1);
		await vi.advanceTimersByTimeAsync(50);
		await vi.waitFor(() => expect(unflushed).toHaveLength(1));
	});

	it('needs the session open in this tab', async () => {
		const refused = 'This session is not open for writing in this tab.';
		const sessions = tab();
		await expect(sessions.run('appendEntries', ['s', []])).rejects.toThrow(refused);
		await sessions.run('open', ['s']);
		await sessions.run('close', ['s']);
		await expect(sessions.run('appendChanges', ['s', []])).rejects.toThrow(refused);
		await sessions.run('close', ['s']);
		await sessions.run('flush', ['s']);
	});

	it('comes in the order of the calls, and a call that fails stops no other', async () => {
		const sessions = tab();
		const calls = [
			sessions.run('open', ['s']),
			sessions.run('appendEntries', ['other', []]).catch(() => 'failed'),
			sessions.run('appendEntries', ['s', [{ id: 1 }]]),
			sessions.run('appendEntries', ['s', [{ id: 2 }]]),
			sessions.run('peek', ['s'])
		];
		const [opened, failed, , , peeked] = await Promise.all(calls);
		expect(opened).toEqual({ entries: [{ id: 1 }, { id: 2 }], trees: [], warnings: [], damage: [], medium: 'opfs' });
		expect(failed).toBe('failed');
		expect(peeked).toMatchObject({ entries: [{ id: 1 }, { id: 2 }] });
	});
});

describe('what is read', () => {
	const blobOf = (text: string) => blobId(bytes(text));

	it('has all that this tab wrote, and what another tab stored', async () => {
		const writer = tab();
		await writer.run('open', ['s']);
		await writer.run('appendChanges', ['s', [write('a', 'one'), { kind: 'mkdir', path: '/workspace/dir' }]]);
		await writer.run('addBlobs', ['s', [bytes('apart')]]);
		const tree = new Map([['a', { mode: 0o100644, blob: await blobOf('one') }]]);
		const part = new Map([['b', { mode: 0o100644, blob: await blobOf('apart') }]]);
		await writer.run('addTreePart', ['s', 't', part]);
		await writer.run('addTree', ['s', 't', tree]);
		const files = [
			{ path: '/workspace/a', mode: 0o100644, bytes: bytes('one') },
			{ path: '/workspace/dir', mode: 0o40000, bytes: new Uint8Array() }
		];
		const reader = tab();
		for (const each of [writer, reader]) {
			expect(await each.run('files', ['s'])).toEqual(files);
			expect(await each.run('readTree', ['s', 't'])).toEqual(new Map([...part, ...tree]));
			expect(await each.run('readTree', ['s', 'none'])).toBeNull();
			expect(await each.run('readBlob', ['s', await blobOf('apart')])).toEqual(bytes('apart'));
			expect(await each.run('readBlob', ['s', await blobOf('none')])).toBeNull();
		}
		await writer.run('appendChanges', ['s', [write('late', 'two')]]);
		expect(await reader.run('readBlob', ['s', await blobOf('two')])).toEqual(bytes('two'));
		await writer.run('appendChanges', ['s', [write('later', 'three')]]);
		expect(await reader.run('files', ['s'])).toHaveLength(4);
		await writer.run('addTree', ['s', 'late', new Map()]);
		expect(await reader.run('readTree', ['s', 'late'])).toEqual(new Map());
	});

	it('is read through the open files of this tab, which no other reader may touch', async () => {
		const media = disk.media({});
		const writer = new OpenSessions(media, () => undefined);
		await writer.run('open', ['s']);
		await writer.run('appendChanges', ['s', [write('a', 'one')]]);
		const folderOf = vi.spyOn(media, 'folderOf');
		expect(await writer.run('files', ['s'])).toHaveLength(1);
		expect(await writer.run('readBlob', ['s', await blobOf('one')])).toEqual(bytes('one'));
		expect(folderOf).not.toHaveBeenCalled();
	});

	it('is read once from the disk as long as that has what is asked for, and of each session its own', async () => {
		const writer = tab();
		for (const id of ['s', 'other']) {
			await writer.run('open', [id]);
			await writer.run('appendChanges', [id, [write('a', id), write('b', 'same')]]);
		}
		const media = disk.media({});
		const folderOf = vi.spyOn(media, 'folderOf');
		const reader = new OpenSessions(media, () => undefined);
		for (let time = 0; time < 3; time++) await reader.run('readBlob', ['s', await blobOf('s')]);
		expect(folderOf).toHaveBeenCalledTimes(1);
		expect(await reader.run('readBlob', ['other', await blobOf('same')])).toEqual(bytes('same'));
		expect(await reader.run('readBlob', ['other', await blobOf('s')])).toBeNull();
		await writer.run('addTree', ['s', 'tree', new Map()]);
		await writer.run('flush', ['s']);
		folderOf.mockClear();
		for (let time = 0; time < 3; time++) expect(await reader.run('readTree', ['s', 'tree'])).toEqual(new Map());
		expect(folderOf).toHaveBeenCalledTimes(1);
		await reader.run('readBlob', ['other', await blobOf('same')]);
		folderOf.mockClear();
		await reader.run('endReading', ['s']);
		await reader.run('readBlob', ['other', await blobOf('same')]);
		expect(folderOf).not.toHaveBeenCalled();
		await reader.run('endReading', ['other']);
		await reader.run('readBlob', ['other', await blobOf('same')]);
		expect(folderOf).toHaveBeenCalledTimes(1);
	});

	it('is raw also where this tab has it not open', async () => {
		const sessions = tab();
		await sessions.run('open', ['s']);
		await sessions.run('appendEntries', ['s', [{ id: 1 }]]);
		await sessions.run('close', ['s']);
		expect((await tab().run('raw', ['s'])).map(({ name }) => name)).toEqual(['log.jsonl']);
		expect(await tab().run('raw', ['none'])).toEqual([]);
	});

	it('is raw with everything that was appended', async () => {
		const sessions = tab();
		await sessions.run('open', ['s']);
		await sessions.run('appendEntries', ['s', [{ id: 1 }]]);
		const raw = await sessions.run('raw', ['s']);
		expect(raw.map(({ name }) => name)).toEqual(['log.jsonl']);
		expect(await entriesAfterPowerCut()).toEqual([{ id: 1 }]);
	});
});

describe('a session', () => {
	it('that is opened twice in a tab is the same, and locked for other tabs until it is closed', async () => {
		const [first, second] = [tab(), tab()];
		await first.run('open', ['s']);
		await first.run('appendEntries', ['s', [{ id: 1 }]]);
		expect((await first.run('open', ['s'])).entries).toEqual([{ id: 1 }]);
		await expect(second.run('open', ['s'])).rejects.toMatchObject({ name: 'LockedError' });
		await first.run('close', ['s']);
		expect(vi.getTimerCount()).toBe(0);
		expect((await second.run('open', ['s'])).entries).toEqual([{ id: 1 }]);
	});

	it('that is removed leaves nothing', async () => {
		const sessions = tab();
		await sessions.run('open', ['s']);
		await sessions.run('appendChanges', ['s', [write('a', 'one')]]);
		await sessions.run('remove', ['s']);
		expect(await sessions.run('raw', ['s'])).toEqual([]);
		expect(await sessions.run('readBlob', ['s', await blobId(bytes('one'))])).toBeNull();
		expect((await sessions.run('open', ['s'])).entries).toEqual([]);
	});

	it('is forked over what was there of it, from a session that is only on the disk', async () => {
		const writer = tab();
		await writer.run('open', ['s']);
		const tree = new Map([['a', { mode: 0o100644, blob: await blobId(bytes('one')) }]]);
		await writer.run('appendChanges', ['s', [write('a', 'one'), write('b', 'two')]]);
		await writer.run('addTree', ['s', 't', tree]);
		await writer.run('close', ['s']);
		const sessions = tab();
		await sessions.run('open', ['fork']);
		await sessions.run('appendEntries', ['fork', [{ id: 'old' }]]);
		const start = { trees: ['t'], files: 't', root: '/workspace' };
		const forked = await sessions.run('fork', ['fork', 's', start]);
		expect(forked).toEqual({ entries: [], trees: ['t'], warnings: [], damage: [], medium: 'opfs' });
		expect((await sessions.run('files', ['fork'])).map(({ path }) => path)).toEqual(['/workspace/a']);
		await sessions.run('appendEntries', ['fork', [{ id: 'new' }]]);
		expect((await sessions.run('peek', ['fork'])).entries).toEqual([{ id: 'new' }]);
	});

	it('tells that there is no room, and goes on when there is', async () => {
		const sessions = tab();
		await sessions.run('open', ['s']);
		disk.room = 0;
		await expect(sessions.run('appendEntries', ['s', [{ id: 1 }]])).rejects.toBeInstanceOf(StorageFullError);
		disk.room = Infinity;
		await sessions.run('appendEntries', ['s', [{ id: 2 }]]);
		expect((await sessions.run('peek', ['s'])).entries).toEqual([{ id: 2 }]);
	});
});
