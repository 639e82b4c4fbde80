import { createHash } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { SessionGone, StoredSessionFiles, type SessionRecords } from '#session/stored-session.ts';
import { StorageFullError } from '#session/storage/append-file.ts';
import type { Storage } from '#session/storage/client.ts';
import { OpenSessions } from '#session/storage/open-sessions.ts';
import { Computer } from './computer.ts';
import { FaultyDisk, TabDied } from './faulty-disk.ts';
import type { Happening } from './history.ts';
import { Locks } from './locks.ts';
import { Model, ROOT } from './model.ts';

const ID = 'session';
const summary = {
	id: ID,
	title: '',
	origin: { kind: 'files', name: 'project' } as const,
	createdMs: 0,
	updatedMs: 0,
	changedFiles: 0,
	model: '',
	provider: ''
};

interface Tab {
	key: object;
	storage: Storage;
	records: SessionRecords;
	session: StoredSessionFiles;
	computer: Computer;
}

/**
 * Plays one history of a session on a faulty disk, with faked timers and clock, and checks after each restart that
 * every acknowledged step is there and none is incomplete. Rejects with the problem.
 */
export async function play(history: readonly Happening[]): Promise<void> {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
	vi.stubGlobal('navigator', { locks: new Locks() });
	// The platform's own takes real time, in which five faked seconds could pass.
	const digest = vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_, data) => {
		const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data;
		return new Uint8Array(createHash('sha1').update(new Uint8Array(bytes)).digest()).buffer;
	});
	try {
		await live(history);
	} finally {
		digest.mockRestore();
		vi.useRealTimers();
		vi.unstubAllGlobals();
	}
}

async function live(history: readonly Happening[]): Promise<void> {
	const disk = new FaultyDisk();
	const locks = navigator.locks as unknown as Locks;
	const pages = new Map<string, unknown>();
	const model = new Model();
	let forks = 0;
	let tab = await openTab(true);
	say('the beginning');
	await flush();

	for (const happening of history) {
		switch (happening.do) {
			case 'write':
				tab.computer.write(happening.path, happening.text);
				break;
			case 'remove':
				tab.computer.remove(happening.path);
				break;
			case 'rename':
				tab.computer.rename(happening.path, happening.to);
				break;
			case 'say':
				say(happening.text);
				break;
			case 'checkpoint': {
				const { checkpoint, tree } = await model.checkpoint();
				await tab.session.addCheckpoint(checkpoint, tree);
				break;
			}
			case 'flush':
				await flush();
				break;
			case 'wait':
				await vi.advanceTimersByTimeAsync(100);
				break;
			case 'clock':
				vi.setSystemTime(Date.now() + happening.ms);
				break;
			case 'full':
				disk.room = happening.room;
				break;
			case 'freed':
				disk.room = Infinity;
				await flush();
				expect(tab.session.trouble).toBeNull();
				break;
			case 'kill':
				disk.kill(tab.key);
				await restart();
				break;
			case 'torn':
				disk.room = Infinity;
				disk.tear = happening.share;
				say('torn');
				await expect(tab.session.flush()).rejects.toThrow(TabDied);
				await restart();
				break;
			case 'power cut': {
				const shares = [...happening.shares];
				disk.powerCut(() => shares.pop() ?? 0);
				await restart();
				break;
			}
			case 'fork':
				await fork(happening.torn);
				break;
			case 'take over':
				await takeOver();
				break;
			case 'evict':
				disk.kill(tab.key);
				disk.evict();
				locks.clear();
				await expect(openTab(false)).rejects.toThrow(SessionGone);
				return;
		}
	}
	disk.kill(tab.key);
	await restart();

	async function openTab(fresh: boolean): Promise<Tab> {
		const key = {};
		const sessions = new OpenSessions(disk.media(key), (error) => expect(expected(error)).toBe(true));
		const storage = new Proxy({} as Storage, {
			get:
				(_, call: keyof Storage) =>
				(...args: unknown[]) =>
					sessions.run(call, args as never)
		});
		const records = recordsOf(pages, () => disk.isDead(key));
		const session = await StoredSessionFiles.open(summary, storage, records, { fresh });
		const computer = new Computer(model);
		await session.attach(computer as unknown as ExecutionEnvironment);
		return { key, storage, records, session, computer };
	}

	function say(text: string): void {
		const label = `${model.entries.length} ${text}`;
		model.entries.push(label);
		tab.session.log.append({ type: 'label', targetId: '', label });
	}

	async function flush(): Promise<void> {
		try {
			await tab.session.flush();
		} catch (error) {
			// It reports the error, and continues.
			expect(error).toBeInstanceOf(StorageFullError);
			expect(disk.room).not.toBe(Infinity);
			expect(tab.session.trouble).toBeInstanceOf(StorageFullError);
			return;
		}
		model.acknowledge();
	}

	/** The tab has died: the session is reopened. */
	async function restart(): Promise<void> {
		disk.tear = null;
		disk.room = Infinity;
		locks.clear();
		vi.clearAllTimers();
		tab = await openTab(false);
		expect(tab.session.writable).toBe(true);
		await check();
	}

	async function takeOver(): Promise<void> {
		disk.room = Infinity;
		const second = await openTab(false);
		expect(second.session.writable).toBe(false);
		const shown = model.kept();
		await patiently(second.session.takeOver());
		expect(tab.session.writable).toBe(false);
		await second.session.close();
		tab = await openTab(false);
		await check();
		// The other tab wrote all its data before it released the session.
		expect(model.kept()).toEqual(shown);
	}

	/** A fork has its whole checkpoint, or does not exist; the original session does not change. */
	async function fork(torn: number | null): Promise<void> {
		const { session, storage, records } = tab;
		const checkpoint = session.checkpoints().at(-1);
		await flush();
		// The page does not start a fork if the original session cannot be stored.
		if (!checkpoint || session.trouble) return;
		const id = `fork ${forks++}`;
		const entries = session.log.branch();
		const files = await session.readTree(checkpoint.tree);
		disk.tear = torn;
		const { tree } = checkpoint;
		const begin = { title: '', checkpoint, baseline: tree, files: tree, root: ROOT.slice(0, -1), entries };
		const made = await StoredSessionFiles.fork({ ...summary, id }, storage, records, session, begin);
		if (torn !== null) {
			disk.room = Infinity;
			await expect(made.flush()).rejects.toThrow(TabDied);
			await restart();
			// Effect of `clearUnfinished`.
			await tab.storage.remove(id);
			return;
		}
		await made.flush().catch((error: unknown) => {
			expect(error).toBeInstanceOf(StorageFullError);
			disk.room = Infinity;
			return made.flush();
		});
		await made.close();
		const again = await StoredSessionFiles.open({ ...summary, id }, storage, records);
		expect(again.log.branch()).toEqual(entries);
		expect(await again.readTree(checkpoint.tree)).toEqual(files);
		const found = (await storage.files(id)).map(({ path, bytes }) => [path, bytes && new TextDecoder().decode(bytes)]);
		const text = async (blob: string) => new TextDecoder().decode(await session.readBlob(blob));
		const wanted = [...files].map(async ([path, { blob }]) => [ROOT + path, await text(blob)]);
		expect(found.sort()).toEqual((await Promise.all(wanted)).sort());
		expect(again.warnings).toEqual([]);
		await again.close();
		await storage.remove(id);
	}

	async function check(): Promise<void> {
		const { session, storage } = tab;
		const text = async (blob: string) => new TextDecoder().decode(await session.readBlob(blob));
		const entries = session.log.branch().map((entry) => (entry.type === 'label' ? (entry.label ?? '') : entry.type));
		const files: Record<string, string> = {};
		for (const { path, bytes } of await storage.files(ID))
			files[path] = bytes ? new TextDecoder().decode(bytes) : 'lost';
		const checkpoints = [];
		for (const checkpoint of session.checkpoints()) {
			const texts: Record<string, string> = {};
			for (const [path, { blob }] of await session.readTree(checkpoint.tree)) texts[ROOT + path] = await text(blob);
			checkpoints.push({ checkpoint, texts });
		}
		model.check({ entries, files, checkpoints });
		expect(session.warnings.filter((warning) => /makes no sense|missing/.test(warning))).toEqual([]);
	}
}

/** Allows only failures of a full disk or a dead tab. */
function expected(error: unknown): boolean {
	return error instanceof StorageFullError || error instanceof TabDied;
}

/** Advances time until it is done. */
async function patiently(work: Promise<void>): Promise<void> {
	let done = false;
	const end = work.finally(() => (done = true));
	end.catch(() => undefined);
	while (!done) await vi.advanceTimersByTimeAsync(25);
	await end;
}

/**
 * The list survives whatever happens to a tab, since a database of the browser stores it; a dead tab writes nothing
 * more.
 */
function recordsOf(pages: Map<string, unknown>, isDead: () => boolean): SessionRecords {
	return {
		begin: () => Promise.resolve(),
		get: () => Promise.resolve(undefined),
		put: () => Promise.resolve(),
		readPage: (id, key) => Promise.resolve(pages.get(`${id} ${key}`)),
		writePage: async (id, key, value) => {
			if (isDead()) throw new TabDied();
			pages.set(`${id} ${key}`, structuredClone(value));
		}
	};
}
