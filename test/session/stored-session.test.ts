import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import type { ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import { blobId } from '#environment/blob-id.ts';
import { Mode } from '#environment/mode.ts';
import type { SessionSummary } from '#session/contract.ts';
import { StorageFullError } from '#session/storage/append-file.ts';
import type { Storage } from '#session/storage/client.ts';
import type { Tree } from '#session/storage/file-journal.ts';
import { OpenSessions } from '#session/storage/open-sessions.ts';
import { SessionGone, StoredSessionFiles, type SessionRecords } from '#session/stored-session.ts';
import type { Checkpoint } from '#workspace/contract.ts';
import { inTime } from '#test/in-time.ts';
import { FaultyDisk } from './histories/faulty-disk.ts';
import { Locks } from './histories/locks.ts';

const SUMMARY: SessionSummary = {
	id: 'session',
	title: 'Mend it',
	origin: { kind: 'files', name: 'project' },
	createdMs: 1,
	updatedMs: 1,
	changedFiles: 0,
	model: 'm',
	provider: 'p'
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (value: Uint8Array): string => new TextDecoder().decode(value);
const label = (text: string) => ({ type: 'label' as const, targetId: '', label: text });

let disk: FaultyDisk;
let pages: Map<string, unknown>;
let listed: Map<string, SessionSummary>;
let begun: string[];
beforeEach(() => {
	vi.stubGlobal('navigator', { locks: new Locks() });
	disk = new FaultyDisk();
	pages = new Map();
	listed = new Map();
	begun = [];
});
afterEach(() => void vi.unstubAllGlobals());

const records: SessionRecords = {
	begin: async (id) => void begun.push(id),
	get: async (id) => listed.get(id),
	put: async (summary) => void listed.set(summary.id, summary),
	readPage: async (id, key) => pages.get(`${id} ${key}`),
	writePage: async (id, key, value) => void pages.set(`${id} ${key}`, structuredClone(value))
};

/** The storage as seen by one tab. */
function storageOf(tab: object): Storage {
	const sessions = new OpenSessions(disk.media(tab), (error) => expect(error).toBeInstanceOf(StorageFullError));
	return new Proxy({} as Storage, {
		get:
			(_, call: keyof Storage) =>
			(...args: unknown[]) =>
				sessions.run(call, args as never)
	});
}

const open = (options: { fresh?: boolean; readOnly?: boolean } = {}, storage = storageOf({}), summary = SUMMARY) =>
	inTime(StoredSessionFiles.open(summary, storage, records, options), 'the session');

async function tree(files: Record<string, string>): Promise<Tree> {
	const entries = Object.entries(files).map(
		async ([path, text]) => [path, { mode: 0o100644, blob: await blobId(bytes(text)) }] as const
	);
	return new Map(await Promise.all(entries));
}
const checkpoint = (id: string): Checkpoint => ({ id, tree: `tree ${id}`, label: 'turn', timestamp: 1, entryId: '' });

/** The storage as seen by one tab, with its calls recorded, and some of them overridden. */
function watched(otherwise: Partial<Storage> = {}) {
	const called: unknown[][] = [];
	const plain = storageOf({});
	const storage = new Proxy(plain, {
		get:
			(_, call: keyof Storage) =>
			(...args: unknown[]) => {
				called.push([call, ...args]);
				return ((otherwise[call] ?? plain[call]) as (...args: unknown[]) => unknown)(...args);
			}
	});
	return { storage, called, plain };
}

/**
 * A computer whose folder has one file, the changes it reports, and what is loaded into it.
 *
 * @param content content of each file that exists at its start
 * @param hasHome whether the user's home exists, with one file
 */
function fakeComputer(content = 'begin', hasHome = false) {
	const roots = ['/workspace', ...(hasHome ? ['/home/user'] : [])];
	const listeners: ((change: object) => void)[] = [];
	const loaded: string[] = [];
	const made: string[] = [];
	const given: unknown[] = [];
	const ended = vi.fn(async () => undefined);
	let seq = 0;
	const computer = {
		workingDirectory: () => '/workspace',
		onChange: (listener: (change: object) => void) => {
			listeners.push(listener);
			return () => void listeners.splice(listeners.indexOf(listener), 1);
		},
		fileExists: async (path: string) => roots.includes(path) || path === '/workspace/start',
		stat: async (path: string) => ({
			kind: roots.includes(path) ? 'directory' : 'file',
			mode: 0o755,
			size: 1,
			modifiedMs: 0
		}),
		listDirectory: async () => [{ path: 'start', kind: 'file', mode: 0o600, size: 1, modifiedMs: 0 }],
		readBytes: async () => bytes(content),
		exec: async () => ({ stdout: 'ran', stderr: '', exitCode: 0, timedOut: false, durationMs: 1 }),
		endProcesses: ended,
		makeDirectory: async (path: string) => void made.push(path),
		load: async (entries: AsyncIterable<LoadEntry>, options: unknown) => {
			given.push(options);
			for await (const entry of entries) loaded.push(entry.path);
		}
	} as unknown as ExecutionEnvironment;
	const tell = (change: object): void => listeners.forEach((listener) => listener({ seq: ++seq, ...change }));
	return { computer, tell, loaded, made, given, ended };
}

/** A session with a checkpoint and an entry, and the initial data of a fork. */
async function forkable(storage: Storage) {
	const session = await open({ fresh: true }, storage);
	const files = await tree({ a: 'one' });
	await session.keepTree('base', files, [files.get('a')?.blob ?? ''], async () => bytes('one'));
	await session.addCheckpoint(checkpoint('c'), files);
	await session.flush();
	const id = session.log.append(label('said'));
	const parts = { checkpoint: checkpoint('c'), baseline: 'base', files: 'tree c', root: '/workspace' };
	return { session, files, id, begin: { title: 'Fork', ...parts, entries: session.log.branch() } };
}

describe('a stored session', () => {
	it('has its entries again when it is opened once more, and tells no loss', async () => {
		const session = await open({ fresh: true });
		expect(session.writable).toBe(true);
		await session.attach(fakeComputer().computer);
		session.log.append(label('one'));
		session.log.append(label('two'));
		await session.close();
		const again = await open();
		expect(again.log.branch()).toMatchObject([{ label: 'one' }, { label: 'two' }]);
		expect([again.warnings, again.damage, again.trouble]).toEqual([[], [], null]);
		expect(again.summary).toEqual(SUMMARY);
		expect((await again.readRaw()).length).toBeGreaterThan(0);
	});

	it('is gone where nothing of it is left, and free for the next try', async () => {
		await expect(open()).rejects.toThrow(
			expect.objectContaining({
				name: 'SessionGone',
				sessionId: 'session',
				message:
					'Nothing of this session is left in the browser: it made room for other sites, or the import never ended. Delete it from the list; a share link brings a shared one back.'
			})
		);
		await expect(open()).rejects.toThrow(SessionGone);
		await expect(open({ readOnly: true })).rejects.toThrow(SessionGone);
		expect((await open({ fresh: true })).writable).toBe(true);
	});

	it('is read beside the tab that writes it, and taken over with all that was written', async () => {
		const first = await open({ fresh: true });
		first.log.append(label('one'));
		await first.flush();
		const second = await open();
		const heard: string[] = [];
		first.onWritableChange((writable) => heard.push(`first ${writable}`));
		const stop = second.onWritableChange((writable) => heard.push(`second ${writable}`));
		expect(second.writable).toBe(false);
		second.log.append(label('not stored'));
		await second.flush();
		first.log.append(label('two'));
		const taken = second.takeOver();
		await vi.waitFor(() => expect(first.writable).toBe(false));
		await taken;
		expect(second.writable).toBe(true);
		await second.takeOver();
		expect(heard).toEqual(['first false', 'second true']);
		stop();
		await second.close();
		const last = await open();
		expect(last.log.branch()).toMatchObject([{ label: 'one' }, { label: 'two' }]);
		await last.close();
	});

	it('is only read where another tab took it over while it was opened', async () => {
		const session = await open({ fresh: true });
		session.log.append(label('one'));
		await session.close();
		const { storage, called, plain } = watched({ open: (id) => opening.then(() => plain.open(id)) });
		let begin = (): void => undefined;
		const opening = new Promise<void>((resolve) => (begin = resolve));
		const first = open({}, storage);
		await vi.waitFor(() => expect(called.map(([call]) => call)).toEqual(['open']));
		const second = await open({ readOnly: true });
		const taken = second.takeOver();
		begin();
		await inTime(taken, 'the session');
		expect([(await first).writable, second.writable]).toEqual([false, true]);
	});

	it('is only read where that is asked for', async () => {
		const session = await open({ fresh: true });
		session.log.append(label('one'));
		await session.close();
		const reader = await open({ readOnly: true });
		expect(reader.writable).toBe(false);
		const writer = await open();
		expect(writer.writable).toBe(true);
		await reader.writePageState('draft', 'x');
		await reader.update({ title: 'Other' });
		expect([pages.size, listed.size]).toEqual([0, 0]);
		expect(reader.summary.title).toBe('Other');
		await reader.close();
		await writer.close();
	});

	it('keeps small state of the page under its own key', async () => {
		const session = await open({ fresh: true });
		await session.writePageState('draft', { text: 'x' });
		expect(await session.readPageState('draft')).toEqual({ text: 'x' });
		expect(await session.readPageState('other')).toBeUndefined();
		expect([...pages.keys()]).toEqual(['session page:draft']);
	});

	it('updates its entry in the list, and keeps a name that another tab gave', async () => {
		const session = await open({ fresh: true });
		await session.update({ model: 'n' });
		expect(listed.size).toBe(0);
		expect(session.summary).toMatchObject({ model: 'n', title: 'Mend it' });
		expect(session.summary.updatedMs).toBeGreaterThan(1);
		listed.set('session', SUMMARY);
		await session.update({ title: 'Mine', changedFiles: 3 });
		expect(listed.get('session')).toMatchObject({ title: 'Mine', changedFiles: 3, model: 'n' });
		listed.set('session', { ...SUMMARY, title: 'Theirs' });
		await session.update({ changedFiles: 4 });
		expect(listed.get('session')).toMatchObject({ title: 'Theirs', changedFiles: 4 });
		expect(session.summary.title).toBe('Theirs');
	});

	it('adopts the entries of another as its own', async () => {
		const session = await open({ fresh: true });
		const entries = [
			{ id: 'a', parentId: null, timestamp: 1, type: 'session', version: 3, sessionId: 'other', title: '' },
			{
				id: 'b',
				parentId: 'a',
				timestamp: 1,
				type: 'event',
				event: { type: 'turn_start', sessionId: 'other', seq: 1, timestamp: 1, turnIndex: 0 }
			},
			{ id: 'c', parentId: 'b', timestamp: 1, ...label('x') }
		] as SessionEntry[];
		session.adopt(entries);
		expect(session.log.branch()).toMatchObject([
			{ sessionId: 'session' },
			{ event: { sessionId: 'session' } },
			{ label: 'x' }
		]);
		expect(session.log.branch().at(-1)).toEqual(entries[2]);
	});

	it('says what keeps it from storing, once, and when that is over; nothing is lost', async () => {
		const session = await open({ fresh: true });
		const heard: (string | undefined)[] = [];
		const stop = session.onTrouble((trouble) => heard.push(trouble?.name));
		disk.room = 0;
		session.log.append(label('one'));
		await expect(session.flush()).rejects.toThrow(StorageFullError);
		await expect(session.flush()).rejects.toThrow(StorageFullError);
		expect(session.trouble).toBeInstanceOf(StorageFullError);
		disk.room = Infinity;
		await session.flush();
		expect(session.trouble).toBeNull();
		expect(heard).toEqual(['StorageFullError', undefined]);
		stop();
		disk.room = 0;
		session.log.append(label('two'));
		await expect(session.flush()).rejects.toThrow(StorageFullError);
		expect(heard).toHaveLength(2);
		disk.room = Infinity;
		await session.close();
		expect((await open()).log.branch()).toHaveLength(2);
	});

	it('says so of what it stores by itself, too, and of failures that are no errors', async () => {
		const session = await open({ fresh: true });
		const { computer, tell } = fakeComputer();
		await session.attach(computer);
		await session.flush();
		disk.room = 0;
		tell({ kind: 'write', path: '/workspace/a', mode: 0o100644, bytes: bytes('a') });
		await vi.waitFor(() => expect(session.trouble).toBeInstanceOf(StorageFullError));
		disk.room = Infinity;
		await session.flush();
		const { storage } = watched({ flush: () => Promise.reject('no disk') });
		const other = await open({ fresh: true }, storage, { ...SUMMARY, id: 'other' });
		await expect(other.flush()).rejects.toBe('no disk');
		expect(other.trouble).toEqual(new Error('no disk'));
	});

	it('names the entries that make no sense, and what its files have lost', async () => {
		const storage = storageOf({});
		const session = await open({ fresh: true }, storage);
		session.log.append(label('one'));
		await session.flush();
		await storage.appendEntries('session', [{ id: 'x', type: 'nonsense' }]);
		await session.close();
		const again = await open();
		expect(again.log.branch()).toMatchObject([{ label: 'one' }]);
		expect(again.warnings).toHaveLength(1);
		expect(again.damage).toEqual([
			{ kind: 'changes_missing', contents: 0 },
			{ kind: 'conversation_lines', count: 1 }
		]);
	});
});

describe('the files of a stored session', () => {
	it('are sent as the journal tells them, and read again from any folder', async () => {
		const session = await open({ fresh: true });
		const { computer, tell, loaded, made, given } = fakeComputer();
		await session.attach(computer);
		await session.flush();
		tell({ kind: 'write', path: '/workspace/a', mode: 0o100644, bytes: bytes('a') });
		tell({ kind: 'write', path: '/workspace/gone', mode: 0o100644, bytes: bytes('x') });
		tell({ kind: 'mkdir', path: '/workspace/dir', mode: 0o40755 });
		tell({ kind: 'rename', path: '/workspace/a', to: '/workspace/dir/b', mode: 0o100644 });
		tell({ kind: 'mode', path: '/workspace/dir/b', mode: 0o100755 });
		tell({ kind: 'symlink', path: '/workspace/link', mode: Mode.symlink, bytes: bytes('dir/b') });
		tell({ kind: 'remove', path: '/workspace/gone', mode: 0o100644 });
		tell({ kind: 'write', path: '/tmp/x', mode: 0o100644, bytes: bytes('x') });
		await session.flush();
		const files = await session.readFiles();
		expect(
			files
				.filter(({ mode }) => mode !== Mode.directory)
				.map(({ path, mode, bytes: each }) => [path, mode, textOf(each)])
		).toEqual([
			['/workspace/start', 0o100600, 'begin'],
			['/workspace/dir/b', 0o100755, 'a'],
			['/workspace/link', Mode.symlink, 'dir/b']
		]);
		await session.close();
		const again = await open();
		await again.restoreFiles(computer);
		expect(made).toEqual(files.filter(({ mode }) => mode === Mode.directory).map(({ path }) => path));
		expect(made).toContain('/workspace/dir');
		expect(given).toEqual([{ root: '/', restored: true }]);
		expect(loaded.sort()).toEqual(['workspace/dir/b', 'workspace/link', 'workspace/start']);
		// Stored content is not stored again.
		await again.attach(computer);
		await again.flush();
		expect((await again.readFiles()).length).toBe(files.length);
	});

	it('are stored when it begins, those of the user’s home too, and once: then only what changes', async () => {
		const { storage, called } = watched();
		const session = await open({ fresh: true }, storage);
		const first = fakeComputer('begin', true);
		Reflect.deleteProperty(first.computer, 'endProcesses');
		await session.attach(first.computer);
		expect(await session.release()).toBe(first.computer);
		const { computer, tell } = fakeComputer('other');
		await session.attach(computer);
		await session.flush();
		const stored = async (of: StoredSessionFiles) =>
			(await of.readFiles()).map(({ path, bytes: each }) => [path, textOf(each)]);
		const begun = [
			['/workspace', ''],
			['/workspace/start', 'begin'],
			['/home/user', ''],
			['/home/user/start', 'begin']
		];
		expect(await stored(session)).toEqual(begun);
		called.length = 0;
		tell({ kind: 'mkdir', path: '/workspace/a', mode: 0o40755 });
		tell({ kind: 'mkdir', path: '/workspace/b', mode: 0o40755 });
		tell({ kind: 'write', path: '/tmp/x', mode: 0o100644, bytes: bytes('x') });
		await session.flush();
		tell({ kind: 'write', path: '/tmp/y', mode: 0o100644, bytes: bytes('y') });
		await session.flush();
		const changes = [
			{ kind: 'mkdir', path: '/workspace/a' },
			{ kind: 'mkdir', path: '/workspace/b' }
		];
		expect(called.filter(([call]) => call === 'appendChanges')).toEqual([['appendChanges', 'session', changes]]);
		session.log.append(label('x'));
		await session.close();
		const again = await open();
		await again.attach(fakeComputer('other').computer);
		await again.flush();
		expect(await stored(again)).toEqual([...begun, ['/workspace/a', ''], ['/workspace/b', '']]);
	});

	it('are its computer’s no more once that was released, with its processes ended', async () => {
		const session = await open({ fresh: true });
		const { computer, tell, ended } = fakeComputer();
		const environment = await session.attach(computer);
		expect((await environment.exec('true')).stdout).toBe('ran');
		expect(await session.release()).toBe(computer);
		expect(ended).toHaveBeenCalledTimes(1);
		expect(await session.release()).toBeNull();
		await expect(environment.exec('true')).rejects.toMatchObject({ code: 'ECLOSED' });
		tell({ kind: 'write', path: '/workspace/late', mode: 0o100644, bytes: bytes('x') });
		await session.flush();
		expect((await session.readFiles()).map(({ path }) => path)).toEqual(['/workspace', '/workspace/start']);
	});
});

describe('the checkpoints of a stored session', () => {
	it('are kept with their trees and contents', async () => {
		const session = await open({ fresh: true });
		const files = await tree({ a: 'one', b: 'two' });
		await session.keepTree(
			'fork',
			files,
			[...files.values()].map(({ blob }) => blob),
			async (blob) => (blob === files.get('a')?.blob ? bytes('one') : bytes('two'))
		);
		await session.addCheckpoint(checkpoint('c'), files);
		expect(pages.get('session checkpoints')).toEqual([checkpoint('c')]);
		session.log.append(label('x'));
		await session.close();
		const again = await open();
		expect(again.checkpoints()).toEqual([checkpoint('c')]);
		again.checkpoints().pop();
		expect(again.checkpoints()).toHaveLength(1);
		expect(await again.readTree('tree c')).toEqual(files);
		expect(await again.readTree('fork')).toEqual(files);
		expect([...pages.keys()]).toEqual(['session checkpoints']);
		expect(textOf(await again.readBlob(files.get('b')?.blob ?? ''))).toBe('two');
		await expect(again.readBlob('0'.repeat(40))).rejects.toThrow();
		await expect(again.readTree('none')).rejects.toThrow('The files of this checkpoint are not stored any more.');
	});

	it('are asked of the storage once', async () => {
		const { storage, called } = watched();
		const session = await open({ fresh: true }, storage);
		await session.keepTree('kept', await tree({ a: 'one' }), [], async () => bytes(''));
		await session.addCheckpoint(checkpoint('c'), await tree({ a: 'two' }));
		called.length = 0;
		for (const id of ['kept', 'kept', 'tree c']) expect(await session.readTree(id)).toHaveProperty('size', 1);
		expect(called).toEqual([['readTree', 'session', 'kept']]);
	});

	it('whose tree was lost are not offered', async () => {
		const session = await open({ fresh: true });
		session.log.append(label('x'));
		await session.close();
		pages.set('session checkpoints', [checkpoint('lost')]);
		expect((await open()).checkpoints()).toEqual([]);
	});

	it('begin a fork with files, entries and a name of its own in the list of what was begun', async () => {
		const storage = storageOf({});
		const { session, files, id, begin } = await forkable(storage);
		const fork = await StoredSessionFiles.fork({ ...SUMMARY, id: 'fork' }, storage, records, session, begin);
		expect(begun).toEqual(['fork']);
		expect([fork.warnings, fork.damage, fork.writable]).toEqual([[], [], true]);
		await fork.attach(fakeComputer('other').computer);
		expect(fork.checkpoints()).toEqual([checkpoint('c')]);
		expect(await fork.readTree('base')).toEqual(files);
		expect((await fork.readFiles()).map(({ path, bytes: each }) => [path, textOf(each)])).toContainEqual([
			'/workspace/a',
			'one'
		]);
		await fork.flush();
		await fork.close();
		const again = await open({}, storage, { ...SUMMARY, id: 'fork' });
		expect(again.log.branch()).toMatchObject([{ id, label: 'said' }]);
		expect(again.checkpoints()).toEqual([checkpoint('c')]);
	});

	it('are read and written in a fork once its own files are there, without those of its computer', async () => {
		let copy = (): void => undefined;
		const copying = new Promise<void>((resolve) => (copy = resolve));
		const { storage, called, plain } = watched({ fork: (...args) => copying.then(() => plain.fork(...args)) });
		const { session, files, begin } = await forkable(storage);
		const calls = () => called.filter(([, id]) => id === 'fork').map(([call]) => call);
		const fork = await StoredSessionFiles.fork({ ...SUMMARY, id: 'fork' }, storage, records, session, begin);
		await fork.attach(fakeComputer('other').computer);
		for (const id of ['base', 'tree c']) expect(await inTime(fork.readTree(id), id)).toEqual(files);
		await inTime(fork.addCheckpoint(checkpoint('d'), files), 'the checkpoint');
		const read = Promise.all([fork.readBlob(files.get('a')?.blob ?? ''), fork.readFiles(), fork.flush()]);
		await new Promise((resolve) => setImmediate(resolve));
		expect(calls()).toEqual(['fork']);
		copy();
		expect(textOf((await inTime(read, 'what was asked for'))[0])).toBe('one');
		expect(calls()).not.toContain('appendChanges');
		const other = await open({}, storageOf({}), { ...SUMMARY, id: 'fork' });
		await inTime(other.takeOver(), 'the fork in another tab');
		expect([fork.writable, other.writable]).toEqual([false, true]);
	});
});

describe('a reader of a session that another tab writes', () => {
	it('stores nothing of its computer, of its own, or of its list', async () => {
		const writer = await open({ fresh: true });
		await writer.attach(fakeComputer().computer);
		writer.log.append(label('one'));
		await writer.flush();
		const { storage, called } = watched();
		const reader = await open({}, storage);
		listed.set('session', SUMMARY);
		const { computer, tell } = fakeComputer();
		await reader.attach(computer);
		tell({ kind: 'write', path: '/workspace/late', mode: 0o100644, bytes: bytes('x') });
		await reader.update({ title: 'Mine' });
		await reader.flush();
		const calls = called.splice(0).map(([call]) => call);
		expect(calls).toEqual(['peek']);
		expect(reader.checkpoints()).toEqual([]);
		await reader.addCheckpoint(checkpoint('c'), new Map());
		await reader.flush();
		expect(reader.trouble).toBeNull();
		await reader.close();
		expect(called).toEqual([['endReading', 'session']]);
		expect(pages.size).toBe(0);
		expect(listed.get('session')).toEqual(SUMMARY);
		expect((await writer.readFiles()).map(({ path }) => path)).toEqual(['/workspace', '/workspace/start']);
	});

	it('is told no more that it may write once it has stopped listening', async () => {
		const writer = await open({ fresh: true });
		writer.log.append(label('one'));
		await writer.flush();
		const heard: boolean[] = [];
		writer.onWritableChange((writable) => heard.push(writable))();
		await (await open()).takeOver();
		expect([writer.writable, heard]).toEqual([false, []]);
	});
});

describe('a session of which a content is lost', () => {
	it('gives the other files, and names those that are lost among its damage', async () => {
		const storage = storageOf({});
		const session = await open({ fresh: true }, storage);
		const { computer, tell } = fakeComputer();
		await session.attach(computer);
		tell({ kind: 'write', path: '/workspace/lost', mode: 0o100644, bytes: bytes('x') });
		await session.flush();
		expect(session.damage).toEqual([]);
		const files = storage.files.bind(storage);
		const damaged = new Proxy(storage, {
			get: (target, call: keyof Storage) =>
				call === 'files'
					? async (id: string) =>
							(await files(id)).map((file) => (file.path.endsWith('lost') ? { ...file, bytes: null } : file))
					: target[call]
		});
		await session.close();
		const again = await open({}, damaged);
		expect((await again.readFiles()).map(({ path }) => path)).toEqual(['/workspace', '/workspace/start']);
		expect(again.damage).toContainEqual({ kind: 'files', paths: ['/workspace/lost'] });
	});
});

describe('contents of trees', () => {
	it('are sent in parts of some megabytes, and all of them arrive', async () => {
		const storage = storageOf({});
		const sent: number[] = [];
		const counting = new Proxy(storage, {
			get: (target, call: keyof Storage) =>
				call === 'addBlobs'
					? (id: string, contents: Uint8Array[]) => {
							sent.push(contents.length);
							return target.addBlobs(id, contents);
						}
					: target[call]
		});
		const session = await open({ fresh: true }, counting);
		const large = Array.from({ length: 5 }, (_, at) => new Uint8Array(1_500_000).fill(at));
		const ids = await Promise.all(large.map((content) => blobId(content)));
		await session.keepTree('large', new Map(), ids, async (id) => large[ids.indexOf(id)] ?? new Uint8Array());
		expect(sent).toEqual([3, 2]);
		for (const [at, id] of ids.entries()) expect((await session.readBlob(id))[0]).toBe(at);
		await session.keepTree('none', new Map(), [], async () => new Uint8Array());
		expect(sent).toEqual([3, 2]);
		// Up to four million bytes and one more.
		await session.keepTree('even', new Map(), ['a', 'b', 'c'], async () => new Uint8Array(2_000_000));
		expect(sent).toEqual([3, 2, 3]);
	});
});
