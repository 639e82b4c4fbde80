import { describe, expect, it } from 'vitest';
import type { ForkStore, ForkContents } from '#agent/api.ts';
import type { FakeTurn } from './fake-client.ts';
import { fakeSession, ofType, temporaryEnvironment } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

const write = fakeTool(
	'write',
	async ({ path, text }, { environment, propose }) => {
		await propose({ kind: 'execute', command: `write ${String(path)}`, cwd: '.', description: 'Write' });
		await environment.writeFile(String(path), String(text));
		return 'written';
	},
	'write'
);
const shell = fakeTool(
	'shell',
	async ({ command }, { environment }) => (await environment.exec(String(command))).stdout,
	'write'
);
const profile = fakeProfile([write, shell]);
const writes = (path: string, text: string): FakeTurn => ({ calls: [{ name: 'write', arguments: { path, text } }] });
const runs = (command: string): FakeTurn => ({ calls: [{ name: 'shell', arguments: { command } }] });
const done: FakeTurn = { text: 'Done.' };

/** Stores in memory what a host would store on disk. */
function memoryStore(): ForkStore & { kept: ForkContents | null } {
	const blobs = new Map<string, Uint8Array>();
	return {
		kept: null,
		async keep(fork) {
			for (const { blob } of fork?.now.entries.values() ?? [])
				if (fork && blob !== '' && !blobs.has(blob)) blobs.set(blob, await fork.readBlob(blob));
			this.kept = fork && { ...fork, readBlob: async (id) => blobs.get(id) ?? new Uint8Array() };
		},
		async load() {
			return this.kept;
		}
	};
}

describe('the mode on a fork', () => {
	it('asks nothing, touches nothing of the project, and gives it what the user approves', async () => {
		const environment = await temporaryEnvironment();
		await environment.writeFile('a.txt', 'before');
		const asked: unknown[] = [];
		const { session, seen, client } = await fakeSession(
			[writes('a.txt', 'after'), runs('echo made > b.txt'), done, done],
			{
				profile,
				environment,
				mode: 'fork',
				askPermission: async (request) => {
					asked.push(request);
					return { kind: 'deny' };
				}
			}
		);
		await session.submit('Go').result;
		expect(asked).toEqual([]);
		expect(await environment.readFile('a.txt')).toBe('before');
		expect(await environment.fileExists('b.txt')).toBe(false);
		expect(await session.fileFork.changes()).toEqual(['a.txt', 'b.txt']);
		await session.fileFork.approve({ paths: ['b.txt'] });
		expect(await environment.readFile('b.txt')).toBe('made\n');
		expect(await environment.readFile('a.txt')).toBe('before');
		expect(session.fileFork.isOpen).toBe(true);
		await session.fileFork.approve();
		expect(await environment.readFile('a.txt')).toBe('after');
		expect(session.fileFork.isOpen).toBe(false);
		expect(ofType(seen, 'file_fork').map(({ action, paths, isOpen }) => ({ action, paths, isOpen }))).toEqual([
			{ action: 'begin', paths: [], isOpen: true },
			{ action: 'approve', paths: ['b.txt'], isOpen: true },
			{ action: 'approve', paths: ['a.txt'], isOpen: false }
		]);
		await session.submit('And now?').result;
		expect(JSON.stringify(client.requests.at(-1)?.messages)).toContain('in the project now: a.txt');
	});

	it('goes on over several tasks on the same fork, and can be thrown away', async () => {
		const environment = await temporaryEnvironment();
		const turns = [writes('a.txt', 'one'), done, runs('cat a.txt; echo two > c.txt'), done];
		const { session, seen } = await fakeSession(turns, { profile, environment, mode: 'fork' });
		await session.submit('Go').result;
		await session.submit('More').result;
		expect(ofType(seen, 'tool_call_end').at(-1)?.output).toBe('one');
		await session.fileFork.discard();
		expect(await environment.listDirectory('.', 1)).toEqual([]);
		expect(await session.undo()).toBeNull();
	});

	it('leaves what both changed on the fork, until the user says which', async () => {
		const environment = await temporaryEnvironment();
		await environment.writeFile('both.txt', '0');
		await environment.writeFile('other.txt', '0');
		const turns = [writes('both.txt', 'agent'), writes('other.txt', 'agent'), writes('free.txt', 'agent'), done];
		const { session } = await fakeSession(turns, { profile, environment, mode: 'fork' });
		await session.submit('Go').result;
		await environment.writeFile('both.txt', 'person');
		await environment.writeFile('other.txt', 'person');
		expect(await session.fileFork.conflicts()).toEqual(['both.txt', 'other.txt']);
		await session.fileFork.approve();
		expect(await environment.readFile('free.txt')).toBe('agent');
		expect(await environment.readFile('both.txt')).toBe('person');
		expect(await session.fileFork.changes()).toEqual(['both.txt', 'other.txt']);
		await session.fileFork.drop(['both.txt']);
		await session.fileFork.approve({ paths: ['other.txt'], overwrite: true });
		expect(await environment.readFile('both.txt')).toBe('person');
		expect(await environment.readFile('other.txt')).toBe('agent');
		expect(session.fileFork.isOpen).toBe(false);
	});

	it('takes a commit over whole or not at all', async () => {
		const environment = await temporaryEnvironment();
		await environment.exec('git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first');
		const commit = 'echo x > x.txt && git add . && git -c user.name=a -c user.email=a@b commit -q -m forked';
		const { session } = await fakeSession([runs(commit), done], { profile, environment, mode: 'fork' });
		await session.submit('Go').result;
		expect(await session.fileFork.changes()).toEqual(['.git', 'x.txt']);
		await environment.exec('git -c user.name=a -c user.email=a@b commit -q --allow-empty -m mine');
		await session.fileFork.approve();
		expect((await environment.exec('git log --format=%s')).stdout).toBe('mine\nfirst\n');
		expect((await environment.exec('git status --porcelain')).stdout).toBe('?? x.txt\n');
		expect(await session.fileFork.conflicts()).toEqual(['.git']);
		await session.fileFork.approve({ overwrite: true });
		expect((await environment.exec('git log --format=%s; git status --porcelain')).stdout).toBe('forked\nfirst\n');
	});

	it('comes back after a reload with what it had, and still knows what both changed', async () => {
		const environment = await temporaryEnvironment();
		await environment.writeFile('a.txt', '0');
		await environment.writeFile('b.txt', '0');
		const forkStore = memoryStore();
		const turns = [writes('a.txt', 'agent'), runs('rm b.txt; mkdir -p d; echo 1 > d/new.txt'), done];
		const first = await fakeSession(turns, { profile, environment, mode: 'fork', forkStore });
		await first.session.submit('Go').result;
		await environment.writeFile('a.txt', 'person');
		await first.session.close();
		expect(await environment.readFile('b.txt')).toBe('0');
		const { log } = first.session;
		const again = await fakeSession([], { profile, environment, mode: 'fork', forkStore, log });
		expect(await again.session.fileFork.restore()).toBe(true);
		expect(await again.session.fileFork.changes()).toEqual(['a.txt', 'b.txt', 'd/new.txt']);
		expect(await again.session.fileFork.conflicts()).toEqual(['a.txt']);
		await again.session.fileFork.approve({ overwrite: true });
		expect(await environment.readFile('a.txt')).toBe('agent');
		expect(await environment.fileExists('b.txt')).toBe(false);
		expect(forkStore.kept).toBeNull();
	});

	it('is brought back when its machine stopped', async () => {
		const environment = await temporaryEnvironment();
		const forkStore = memoryStore();
		const turns = [writes('a.txt', 'agent'), done, runs('cat a.txt'), done];
		const { session, seen } = await fakeSession(turns, { profile, environment, mode: 'fork', forkStore });
		await session.submit('Go').result;
		await session.fileFork.environment?.cleanup();
		await session.submit('Look').result;
		expect(ofType(seen, 'tool_call_end').at(-1)?.output).toBe('agent');
	});

	it('asks while there is no fork yet, and can be settled only between runs', async () => {
		const environment = await temporaryEnvironment();
		const asked: string[] = [];
		const { session } = await fakeSession([writes('a.txt', 'one'), done], {
			profile,
			environment,
			mode: 'ask',
			askPermission: async ({ requestId }) => {
				asked.push(requestId);
				return { kind: 'allow_once' };
			}
		});
		const run = session.submit('Go');
		session.setMode('fork');
		await expect(session.fileFork.approve()).rejects.toThrow('still working');
		await run.result;
		expect(session.fileFork.isOpen || asked.length === 1).toBe(true);
	});
});
