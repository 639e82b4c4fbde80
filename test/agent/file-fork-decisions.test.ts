import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ForkContents, ForkStore } from '#agent/api.ts';
import type { EventBody } from '#agent/events.ts';
import { FileFork } from '#agent/file-fork.ts';
import type { ExecutionEnvironment, OverlayEnvironment, Snapshot } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { SwitchingEnvironment } from '#environment/wrappers/switching.ts';
import type { Message } from '#llm/types.ts';

const snapshot = (id: string, entries: Record<string, string> = {}): Snapshot =>
	({
		id,
		entries: new Map(Object.entries(entries).map(([path, blob]) => [path, { mode: 0o100644, blob }]))
	}) as unknown as Snapshot;

/** A copy of the files with changes and conflicts set by the test. */
class Copy {
	changed: string[] = [];
	conflicting: string[] = [];
	closed = false;
	broken = false;
	now = snapshot('now');
	files = new Set<string>();
	readonly done: string[] = [];
	constructor(
		readonly common: Snapshot,
		private readonly directory: string
	) {}

	get environment(): OverlayEnvironment {
		const named = (paths: string[]) => paths.map((path) => ({ path }));
		return {
			common: this.common,
			workingDirectory: () => this.directory,
			changes: async () => named(this.changed),
			conflicts: async () => named(this.conflicting),
			snapshot: async () => this.now,
			readBlob: async () => new Uint8Array(),
			fileExists: async (path: string) => {
				if (this.closed) throw new EnvironmentError('ECLOSED', 'Closed');
				if (this.broken) throw new EnvironmentError('EIO', 'The disk failed');
				return this.files.has(path);
			},
			remove: async (path: string, options: unknown) =>
				void this.done.push(`remove ${path} ${JSON.stringify(options)}`),
			load: async (entries: AsyncIterable<{ path: string; mode: number }>, options: unknown) => {
				for await (const { path, mode } of entries)
					this.done.push(`load ${path} ${mode.toString(8)} ${JSON.stringify(options)}`);
			},
			merge: async ({ paths, overwrite }: { paths?: string[]; overwrite?: boolean }) => {
				this.done.push(`merge ${paths?.join() ?? 'all'} ${overwrite ?? ''}`.trim());
				const isTaken = (path: string) =>
					(!paths || paths.includes(path)) && (overwrite || !this.conflicting.includes(path));
				const merged = this.changed.filter(isTaken);
				this.changed = this.changed.filter((path) => !isTaken(path));
				return { merged: named(merged), conflicts: named(paths ? [] : this.conflicting.filter(() => !overwrite)) };
			},
			drop: async (paths: string[]) => {
				this.done.push(`drop ${paths.join()}`);
				this.changed = this.changed.filter((path) => !paths.includes(path));
			},
			cleanup: async () => void this.done.push('cleanup')
		} as unknown as OverlayEnvironment;
	}
}

let copies: Copy[];
let seen: EventBody[];
let said: string[];
let kept: (ForkContents | null)[];
let stored: ForkContents | null;
let copyDirectory: string;
let present: string[];
let place: SwitchingEnvironment;
let length: number;
let store: ForkStore | undefined;
const assertFree = vi.fn();
const forget = vi.fn();
const meter = { add: vi.fn() };
beforeEach(() => {
	[copies, seen, said, kept, stored, copyDirectory, present, length] = [[], [], [], [], null, '/work', [], 1];
	for (const mock of [assertFree, forget, meter.add]) mock.mockReset();
	store = { load: async () => stored, keep: async (contents) => void kept.push(contents) };
	place = new SwitchingEnvironment({
		workingDirectory: () => '/work',
		overlay: async (common?: Snapshot) => {
			const copy = new Copy(common ?? snapshot('base'), copyDirectory);
			copy.files = new Set(present);
			copies.push(copy);
			return copy.environment;
		}
	} as unknown as ExecutionEnvironment);
});

function fork(): FileFork {
	const session = {
		options: { forkStore: store },
		files: { forget },
		emitter: { emit: (body: EventBody) => void seen.push(body) },
		conversation: {
			get length() {
				return length;
			},
			append: ({ content }: Message) => void said.push(content[0]?.type === 'text' ? content[0].text : '')
		},
		meter,
		assertFree
	};
	return new FileFork(session as never, place);
}
const event = (action: string, isOpen: boolean, paths: string[] = [], conflicts: string[] = []) => ({
	type: 'file_fork',
	action,
	isOpen,
	paths,
	count: paths.length,
	conflicts
});

async function opened(changed: string[] = [], conflicting: string[] = []): Promise<{ own: FileFork; copy: Copy }> {
	const own = fork();
	await own.prepare(true);
	const copy = copies[0];
	if (!copy) throw new Error('There is no copy.');
	copy.changed = changed;
	copy.conflicting = conflicting;
	seen.length = 0;
	forget.mockClear();
	return { own, copy };
}

describe('the copy that an agent works on', () => {
	it('is opened for a run that wants it, once', async () => {
		const own = fork();
		await own.prepare(false);
		expect([own.isOpen, own.environment, copies.length]).toEqual([false, null, 0]);
		await own.prepare(true);
		await own.prepare(true);
		await own.prepare(false);
		expect([own.isOpen, copies.length]).toEqual([true, 1]);
		expect(seen).toEqual([event('begin', true)]);
		expect(forget).toHaveBeenCalledTimes(1);
		expect(said).toEqual([]);
	});

	it('is told to the model where it is another directory, once there is a conversation', async () => {
		copyDirectory = '/copy';
		await fork().prepare(true);
		expect(said).toEqual(['[You work on a copy of the files now, in /copy. Use no path below /work.]']);
		expect(meter.add).toHaveBeenCalledTimes(1);
		length = 0;
		place.use(place.base);
		await fork().prepare(true);
		expect(said).toHaveLength(1);
	});

	it('is made again where its machine has stopped, from what was stored or anew', async () => {
		const { own, copy } = await opened();
		copy.closed = true;
		await own.prepare(true);
		expect(copy.done).toEqual(['cleanup']);
		expect(seen).toEqual([event('lost', false), event('begin', true)]);
		const second = copies[1];
		if (second) second.closed = true;
		seen.length = 0;
		stored = { common: snapshot('old'), now: snapshot('old now'), readBlob: async () => new Uint8Array() };
		await own.prepare(false);
		expect(seen).toEqual([event('restore', true)]);
		expect(copies[2]?.common.id).toBe('old');
	});

	it('is kept where its machine fails otherwise', async () => {
		const { own, copy } = await opened();
		copy.broken = true;
		await expect(own.prepare(true)).rejects.toThrow('The disk failed');
		expect([own.isOpen, copy.done, seen]).toEqual([true, [], []]);
	});

	it('is restored with what differs, and newer changes of the project stay', async () => {
		stored = {
			common: snapshot('old', { same: '1', changed: '1', gone: '1' }),
			now: snapshot('old now', { same: '1', changed: '2', added: '3' }),
			readBlob: async () => new Uint8Array()
		};
		const own = fork();
		expect(await own.restore()).toBe(true);
		expect(copies[0]?.done).toEqual(['load added 100644 {"restored":true}', 'load changed 100644 {"restored":true}']);
		stored = null;
		expect(await fork().restore()).toBe(false);
		store = undefined;
		expect(await fork().restore()).toBe(false);
	});

	it('is restored in place of what the project has there, and not stored again as it is', async () => {
		present = ['gone', 'folder'];
		stored = {
			common: snapshot('old', { gone: '1' }),
			now: snapshot('now', { empty: '', folder: '2' }),
			readBlob: async () => new Uint8Array()
		};
		const own = fork();
		await own.restore();
		expect(copies[0]?.done).toEqual([
			'remove folder {"recursive":true}',
			'remove gone {"recursive":true}',
			'load folder 100644 {"restored":true}'
		]);
		await own.keep();
		expect(kept).toEqual([]);
	});

	it('is stored when it changed, and a failure to store it is a warning', async () => {
		const { own, copy } = await opened();
		await own.keep();
		await own.keep();
		expect(kept).toHaveLength(1);
		expect(kept[0]).toMatchObject({ common: { id: 'base' }, now: { id: 'now' } });
		copy.now = snapshot('later');
		await own.keep();
		expect(kept).toHaveLength(2);
		store!.keep = () => Promise.reject(new Error('full'));
		copy.now = snapshot('latest');
		await own.keep();
		expect(seen).toEqual([
			{
				type: 'warning',
				code: 'not_saved',
				message: 'The fork could not be saved and would be lost in a reload: full'
			}
		]);
		await fork().keep();
		expect(seen).toHaveLength(1);
	});

	it('shows its changes and conflicts, with git’s own files as one', async () => {
		const { own } = await opened(['.git/HEAD', '.git/index', 'a', '.gitignore', 'b.git/c'], ['.git/HEAD', 'a']);
		expect(await own.changes()).toEqual(['.git', 'a', '.gitignore', 'b.git/c']);
		expect(await own.conflicts()).toEqual(['.git', 'a']);
		expect(await fork().changes()).toEqual([]);
		expect(await fork().conflicts()).toEqual([]);
	});

	it('does not count a refreshed index of git as a change', async () => {
		const { own, copy } = await opened(['.git/index', 'a']);
		expect(await own.changes()).toEqual(['a']);
		await own.approve();
		expect(copy.done).toEqual(['drop .git/index', 'merge all false', 'cleanup']);
	});
});

describe('a decision about the copy', () => {
	it('to approve all closes it, and tells the model', async () => {
		const { own, copy } = await opened(['a', 'b']);
		expect(await own.approve()).toMatchObject({ merged: [{ path: 'a' }, { path: 'b' }], conflicts: [] });
		expect(copy.done.filter((each) => each !== 'drop ')).toEqual(['merge all false', 'cleanup']);
		expect(seen).toEqual([event('approve', false, ['a', 'b'])]);
		expect(said).toEqual([
			'[The user approved work of yours on the fork; it is in the project now: a, b. The fork is closed; you work in the project’s own files again.]'
		]);
		expect([own.isOpen, kept, forget.mock.calls.length]).toEqual([false, [null], 1]);
		expect(place.workingDirectory()).toBe('/work');
	});

	it('to approve some leaves the rest, stored', async () => {
		const { own, copy } = await opened(['a', 'b', 'c'], ['c']);
		await own.approve({ paths: ['a'] });
		expect(copy.done).toEqual(['merge a']);
		expect(seen).toEqual([event('approve', true, ['a'])]);
		expect(said).toEqual([
			'[The user approved work of yours on the fork; it is in the project now: a. Still on the fork, not decided: b, c.]'
		]);
		expect(kept).toHaveLength(1);
		await own.approve();
		expect(said[1]).toBe(
			'[The user approved work of yours on the fork; it is in the project now: b. Not taken over, because the project changed there too: c. Still on the fork, not decided: c.]'
		);
		await own.approve();
		expect(said[2]).toContain('it is in the project now: nothing.');
		await own.approve({ overwrite: true });
		expect(seen.at(-1)).toEqual(event('approve', false, ['c']));
	});

	it('names twenty paths to the model and two hundred to the page', async () => {
		const paths = Array.from({ length: 201 }, (_, index) => `f${index}`);
		const { own } = await opened(paths);
		await own.approve();
		expect(said[0]).toContain('f18, f19 and 181 more. The fork');
		expect(seen[0]).toMatchObject({ count: 201, paths: paths.slice(0, 200) });
	});

	it('counts no paths where it names them all', async () => {
		const { own } = await opened(Array.from({ length: 20 }, (_, index) => `f${index}`));
		await own.approve();
		expect(said[0]).toContain('f18, f19. The fork is closed');
	});

	it.each([
		['another file', ['.git/HEAD', 'a'], 'a'],
		['git’s index alone', ['.git/index', '.git/refs/heads/main'], '.git/index']
	])('takes git’s own files over where the project has changed %s', async (_, changed, conflict) => {
		const { own, copy } = await opened(changed, [conflict]);
		await own.approve();
		const git = changed.filter((path) => path.startsWith('.git/'));
		expect(copy.done.slice(0, 2)).toEqual([`merge ${git.join()} true`, 'merge all false']);
	});

	it('takes git’s own files over together, or leaves them where the project’s have changed too', async () => {
		const { own, copy } = await opened(['.git/HEAD', '.git/refs/heads/main', 'a']);
		await own.approve();
		expect(copy.done.slice(0, 2)).toEqual(['merge .git/HEAD,.git/refs/heads/main true', 'merge all false']);
		expect(seen).toEqual([event('approve', false, ['.git', 'a'])]);
	});

	it('leaves git’s own files where the project’s have changed too', async () => {
		const { own, copy } = await opened(['.git/HEAD', '.git/index', 'a'], ['.git/HEAD', '.git/index']);
		await own.approve();
		expect(copy.done).toEqual(['merge a']);
		expect(seen).toEqual([event('approve', true, ['a'], ['.git'])]);
		await own.approve({ overwrite: true });
		expect(copy.done.slice(1, 3)).toEqual(['merge .git/HEAD,.git/index true', 'merge all true']);
	});

	it('to refuse paths takes them back', async () => {
		const { own, copy } = await opened(['a', 'b', 'c']);
		await own.drop(['a', 'c']);
		expect(copy.done).toEqual(['drop a,c']);
		expect(seen).toEqual([event('drop', true, ['a', 'c'])]);
		expect(said).toEqual(['[The user refused what you did to these paths; they are as in the project again: a, c.]']);
		expect(kept).toHaveLength(1);
	});

	it('to discard throws all of it away', async () => {
		const { own, copy } = await opened(['a', '.git/HEAD']);
		await own.discard();
		expect(copy.done).toEqual(['cleanup']);
		expect(seen).toEqual([event('discard', false, ['a', '.git'])]);
		expect(said).toEqual([
			'[The user threw your work on the fork away: the files are as they were before it. Read a file again before you rely on what it holds.]'
		]);
		expect(meter.add).toHaveBeenCalledExactlyOnceWith({ role: 'user', content: [{ type: 'text', text: said[0] }] });
	});

	it('needs a copy and a session that is free', async () => {
		for (const decide of [
			(own: FileFork) => own.approve(),
			(own: FileFork) => own.drop([]),
			(own: FileFork) => own.discard()
		]) {
			await expect(decide(fork())).rejects.toThrow(new RangeError('No fork is open.'));
			const { own } = await opened(['a']);
			assertFree.mockImplementationOnce(() => {
				throw new Error('busy');
			});
			await expect(decide(own)).rejects.toThrow('busy');
			place.use(place.base);
		}
	});

	it('is not needed at the end of a session: the copy goes, what is stored stays', async () => {
		const { own, copy } = await opened(['a']);
		await own.close();
		await own.close();
		expect(copy.done).toEqual(['cleanup']);
		expect(kept).toEqual([]);
	});
});
