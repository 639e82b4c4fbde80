import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EventBody } from '#agent/events.ts';
import { FileChanges } from '#agent/file-changes.ts';
import { FileHistory } from '#agent/file-history.ts';
import type { ExecutionEnvironment, FileChange, Snapshot } from '#environment/contract.ts';
import { Mode } from '#environment/mode.ts';

/** An environment whose files are strings; an empty directory is `null`. */
class Computer {
	files = new Map<string, string | Uint8Array | null>();
	listener: (change: FileChange) => void = () => undefined;
	failure: Error | null = null;
	restored: Snapshot | null = null;
	reads: string[] = [];
	snapshots = 0;
	/** Blobs can no longer be read. */
	isLost = false;
	/** Called after the tree was read, before it is returned. */
	afterSnapshot: () => void = () => undefined;
	readonly blobs = new Map<string, Uint8Array>();
	readonly unsubscribed = vi.fn();

	write(path: string, content: string | Uint8Array, kind: FileChange['kind'] = 'write'): void {
		this.files.set(path, content);
		this.tell({ path: `/work/${path}`, kind });
	}
	remove(path: string): void {
		this.files.delete(path);
		this.tell({ path: `/work/${path}`, kind: 'remove' });
	}
	tell(change: Partial<FileChange>): void {
		this.listener({ seq: 1, mode: 0o100644, ...change } as FileChange);
	}

	get environment(): ExecutionEnvironment {
		return {
			workingDirectory: () => '/work/',
			onChange: (listener: (change: FileChange) => void) => ((this.listener = listener), this.unsubscribed),
			snapshot: () => {
				if (this.failure) return Promise.reject(this.failure);
				const tree = this.#snapshot();
				this.afterSnapshot();
				return Promise.resolve(tree);
			},
			readBlob: (blob: string) => {
				this.reads.push(blob);
				const bytes = this.isLost ? undefined : this.blobs.get(blob);
				return bytes ? Promise.resolve(bytes) : Promise.reject(new Error('gone'));
			},
			restore: async (tree: Snapshot) => void (this.restored = tree),
			fileExists: async (path: string) => this.files.has(path.replace('/work/', '')),
			writeFile: async (path: string, bytes: Uint8Array) => this.write(path.replace('/work/', ''), bytes),
			remove: async (path: string) => this.remove(path.replace('/work/', ''))
		} as unknown as ExecutionEnvironment;
	}

	#snapshot(): Snapshot {
		this.snapshots += 1;
		const entries = [...this.files]
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([path, content]) => {
				if (content === null) return [path, { mode: Mode.directory, blob: '' }] as const;
				const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
				const blob = `blob of ${Buffer.from(bytes.subarray(0, 40)).toString('hex')} ${bytes.length}`;
				this.blobs.set(blob, bytes);
				return [path, { mode: 0o100644, blob }] as const;
			});
		return {
			id: crypto.randomUUID(),
			entries: new Map<string, { mode: number; blob: string }>(entries)
		} as unknown as Snapshot;
	}
}

let computer: Computer;
let seen: EventBody[];
let changes: FileChanges;
beforeEach(() => {
	computer = new Computer();
	seen = [];
	changes = new FileChanges(computer.environment, (body) => void seen.push(body));
});
const during = (work: () => unknown, by: 'tool' | 'shell' = 'tool') => changes.during(by, async () => work());
const reported = () =>
	seen.map((event) =>
		event.type === 'file_change' ? [event.kind, event.path, event.by, event.added, event.removed] : event
	);

describe('a call that changes files', () => {
	it('is reported with each file, its lines and who did it', async () => {
		computer.files.set('a', 'one\ntwo\n').set('gone', 'x\n').set('dir', null);
		await during(() => {
			computer.write('a', 'one\n2\nthree\n');
			computer.write('new', 'n\n');
			computer.remove('gone');
			computer.files.set('dir/x', 'x');
			computer.tell({ path: '/work/dir/x', kind: 'write' });
			computer.files.delete('dir');
			computer.files.set('empty', null);
			computer.tell({ path: '/work/empty', kind: 'mkdir' });
		}, 'shell');
		expect(reported()).toEqual([
			['modified', 'a', 'shell', 2, 1],
			['added', 'dir/x', 'shell', 1, 0],
			['removed', 'gone', 'shell', 0, 1],
			['added', 'new', 'shell', 1, 0]
		]);
		expect(changes.history.of('a')).toMatchObject([
			{ by: 'shell', before: expect.any(String), after: expect.any(String) }
		]);
		expect(changes.history.of('new')).toMatchObject([{ before: null }]);
	});

	it('hands on what it changed, and its own failure', async () => {
		const value = await changes.during(
			'tool',
			async () => (computer.write('a', 'x'), 1),
			(given, changed) => given + changed.length
		);
		expect(value).toBe(2);
		await expect(
			during(() => {
				computer.write('b', 'x');
				throw new Error('it broke');
			})
		).rejects.toThrow('it broke');
		expect(reported().map((event) => (Array.isArray(event) ? event[1] : ''))).toEqual(['a', 'b']);
	});

	it('counts no lines of binary and very large files, and of contents that are gone', async () => {
		await during(() => {
			computer.write('binary', new Uint8Array([97, 0, 98]));
			computer.write('large', 'x'.repeat(1_000_001));
			computer.write('fits', 'x'.repeat(1_000_000));
		});
		expect(reported()).toEqual([
			['added', 'binary', 'tool', 0, 0],
			['added', 'fits', 'tool', 1, 0],
			['added', 'large', 'tool', 0, 0]
		]);
		seen.length = 0;
		computer.files.set('a', 'old\n');
		await during(() => {
			computer.blobs.clear();
			computer.write('a', 'new\n');
		});
		expect(reported()).toEqual([['modified', 'a', 'tool', 0, 0]]);
	});

	it('says nothing of git’s own files, of paths elsewhere and of what is as it was', async () => {
		await during(() => {
			computer.write('.git/HEAD', 'x');
			computer.tell({ path: '/elsewhere/a', kind: 'write' });
			computer.tell({ path: '/works/a', kind: 'write' });
			computer.write('a', 'x');
			computer.remove('a');
		});
		expect(seen).toEqual([]);
	});

	it('says of ignored files only what a tool wrote by their names', async () => {
		computer.files.set('.gitignore', 'out\n');
		await during(() => computer.write('out/a', 'x'), 'shell');
		expect(seen).toEqual([]);
		await during(() => computer.write('out/b', 'x'), 'tool');
		expect(reported()).toEqual([['added', 'out/b', 'tool', 1, 0]]);
	});

	it('lists two hundred of many files, and says how many there are', async () => {
		await during(() => {
			for (let index = 0; index < 200; index++) computer.write(`a${index}`, 'x');
		}, 'shell');
		expect(seen).toHaveLength(200);
		seen.length = 0;
		await during(() => {
			for (let index = 0; index < 201; index++) computer.write(`b${index}`, 'x');
		}, 'shell');
		expect(seen).toHaveLength(201);
		expect(seen.at(-1)).toEqual({
			type: 'warning',
			code: 'many_files_changed',
			message: '201 files changed at once; the first 200 are listed.'
		});
	});

	it('follows a rename to both of its ends', async () => {
		computer.files.set('a', 'x\n');
		await during(() => {
			computer.files.delete('a');
			computer.files.set('b', 'x\n');
			computer.tell({ path: '/work/a', to: '/work/b', kind: 'rename' });
		});
		expect(reported()).toEqual([
			['removed', 'a', 'tool', 0, 1],
			['added', 'b', 'tool', 1, 0]
		]);
	});

	it('is reported by the journal alone where there is no tree, and cannot be undone', async () => {
		computer.failure = new Error('too large');
		await during(() => computer.write('a', 'x'));
		expect(seen).toEqual([
			{ type: 'warning', code: 'snapshot_failed', message: 'This step cannot be undone: too large' },
			{ type: 'warning', code: 'snapshot_failed', message: 'This step cannot be undone: too large' },
			{ type: 'file_change', path: 'a', kind: 'removed', by: 'tool', added: 0, removed: 0 }
		]);
		expect(await changes.undo()).toBeNull();
	});

	it('is reported by what the tree holds where it changed while that was read', async () => {
		computer.failure = new Error('too large');
		await during(() => {
			computer.failure = null;
			computer.write('a', 'x');
			computer.afterSnapshot = () => {
				computer.afterSnapshot = () => undefined;
				computer.write('late', 'x');
			};
		});
		expect(reported().slice(1)).toEqual([['added', 'a', 'tool', 1, 0]]);
	});

	it('takes one look at the files where nothing changed, and is no step back', async () => {
		await during(() => undefined);
		expect(computer.snapshots).toBe(1);
		await during(() => {
			computer.write('a', 'x');
			computer.remove('a');
		});
		expect(await changes.undo()).toBeNull();
	});

	it('is judged by the ignore rules that it leaves, or by none where these are gone', async () => {
		await during(() => {
			computer.write('.gitignore', 'out\n');
			computer.write('out/a', 'x');
		}, 'shell');
		expect(reported().map((event) => Array.isArray(event) && event[1])).toEqual(['.gitignore']);
		seen.length = 0;
		await during(() => {
			computer.isLost = true;
			computer.write('.gitignore', 'other\n');
			computer.write('b', 'x');
		}, 'shell');
		expect(reported().map((event) => Array.isArray(event) && event[1])).toEqual(['.gitignore', 'b']);
	});

	it('is one of a program where a tool changes very many files that are ignored', async () => {
		const writeMany = (folder: string, count: number) =>
			during(() => {
				for (let index = 0; index < count; index++) computer.write(`node_modules/${folder}/${index}`, 'x');
			});
		await writeMany('a', 200);
		expect(seen).toHaveLength(200);
		await writeMany('b', 201);
		expect(seen).toHaveLength(200);
	});

	it('is reported once where others run at the same time', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		onTestFinished(() => void vi.useRealTimers());
		let endFirst: () => void = () => undefined;
		const first = during(() => new Promise<void>((resolve) => (endFirst = resolve)));
		await new Promise(setImmediate);
		await during(() => computer.write('shared', 'x'));
		expect(reported()).toEqual([['added', 'shared', 'tool', 1, 0]]);
		computer.write('late', 'x');
		expect(vi.getTimerCount()).toBe(0);
		endFirst();
		await first;
		expect(reported().slice(1)).toEqual([['added', 'late', 'tool', 1, 0]]);
	});
});

describe('a change of the user', () => {
	beforeEach(() => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
		return () => void vi.useRealTimers();
	});
	const pass = async (ms: number): Promise<void> => {
		await vi.advanceTimersByTimeAsync(ms);
		await new Promise(setImmediate);
	};

	it('is reported with the next ones, after a moment', async () => {
		computer.files.set('a', 'x\n');
		await during(() => undefined);
		computer.write('a', 'y\n');
		computer.write('b', 'x\n');
		await pass(99);
		expect(seen).toEqual([]);
		await pass(1);
		expect(reported()).toEqual([
			['modified', 'a', 'user', 1, 1],
			['added', 'b', 'user', 1, 0]
		]);
		computer.write('c', 'x\n');
		await pass(100);
		expect(reported().slice(2)).toEqual([['added', 'c', 'user', 1, 0]]);
	});

	it('to directories, to git’s own files and elsewhere is none', async () => {
		computer.tell({ path: '/work/dir', kind: 'mkdir' });
		computer.write('.git/index', 'x');
		computer.tell({ path: '/elsewhere/a', kind: 'write' });
		expect(vi.getTimerCount()).toBe(0);
	});

	it('to ignored files takes no look at the files, until an ignore file says otherwise', async () => {
		computer.files.set('.gitignore', 'out\n');
		computer.write('out/a', 'x');
		await pass(100);
		expect(seen).toEqual([]);
		const looks = computer.snapshots;
		computer.write('out/b', 'x');
		computer.tell({ path: '/work/node_modules/.staging/0', to: '/work/node_modules/a', kind: 'rename' });
		expect(vi.getTimerCount()).toBe(0);
		await during(() => computer.write('.gitignore', 'other\n'));
		computer.write('out/c', 'x');
		await pass(200);
		expect(reported()).toEqual([
			['modified', '.gitignore', 'tool', 1, 1],
			['added', 'out/c', 'user', 1, 0]
		]);
		expect(computer.snapshots).toBe(looks + 3);
	});

	it('is forgotten with the files, and with the session', async () => {
		computer.write('a', 'x');
		changes.forget();
		await pass(100);
		expect(seen).toEqual([]);
		computer.write('b', 'x');
		expect(vi.getTimerCount()).toBe(1);
		changes.dispose();
		expect(vi.getTimerCount()).toBe(0);
	});

	it('is reported before a call, and none of its own', async () => {
		await during(() => undefined);
		computer.write('mine', 'x');
		await during(() => computer.write('its', 'x'));
		expect(vi.getTimerCount()).toBe(0);
		expect(reported()).toEqual([
			['added', 'mine', 'user', 1, 0],
			['added', 'its', 'tool', 1, 0]
		]);
	});

	it('is not heard of once no one listens', () => {
		changes.dispose();
		expect(computer.unsubscribed).toHaveBeenCalledTimes(1);
	});
});

describe('the way back', () => {
	it('goes over a call, and names the paths', async () => {
		computer.files.set('a', 'one').set('b', 'same');
		await during(() => {
			computer.write('a', 'two');
			computer.write('.git/index', 'x');
		});
		await during(() => undefined);
		expect(await changes.undo()).toEqual(['a']);
		expect([...(computer.restored?.entries.keys() ?? [])]).toEqual(['a', 'b']);
		expect(await changes.undo()).toBeNull();
	});

	it('names git’s own files where a call changed nothing else', async () => {
		await during(() => computer.write('.git/HEAD', 'x'));
		expect(await changes.undo()).toEqual(['.git/HEAD']);
	});

	it('does not lead over other files', async () => {
		await during(() => computer.write('a', 'x'));
		changes.forget();
		expect(await changes.undo()).toBeNull();
	});

	it('brings back a version of one file as a change of the user', async () => {
		computer.files.set('a', 'one\n');
		await during(() => computer.write('a', 'two\n'));
		const [version] = changes.history.of('a');
		seen.length = 0;
		await changes.restoreVersion('a', version?.before ?? null);
		expect(reported()).toEqual([['modified', 'a', 'user', 1, 1]]);
		await expect(changes.restoreVersion('a', 'none')).rejects.toThrow(
			'a has no such version. Take one of those its history lists.'
		);
	});
});

describe('the history of files', () => {
	const add = (history: FileHistory, index: number) =>
		history.add({ path: 'a', timestamp: index, by: 'tool', before: null, after: `${index}` });

	it('has two hundred versions of a file, the newest', () => {
		const history = new FileHistory(computer.environment);
		for (let index = 0; index < 200; index++) add(history, index);
		expect(history.of('a')).toHaveLength(200);
		add(history, 200);
		expect(history.of('a').map(({ timestamp }) => timestamp)).toEqual(
			Array.from({ length: 200 }, (_, index) => index + 1)
		);
		expect(history.of('b')).toEqual([]);
	});

	it('holds what it has read, 32 MB of it, the oldest going first, and nothing above 8 MB', async () => {
		const history = new FileHistory(computer.environment);
		const large = new Uint8Array(8 * 1024 * 1024);
		const held = large.subarray(0, large.length - 2_048);
		for (const blob of ['a', 'b', 'c', 'd', 'e']) computer.blobs.set(blob, held);
		computer.blobs.set('too large', new Uint8Array(large.length + 1)).set('just', large);
		for (const blob of ['a', 'b', 'c', 'd', 'a', 'b']) expect((await history.read(blob)).length).toBe(held.length);
		expect(computer.reads).toEqual(['a', 'b', 'c', 'd']);
		await history.read('e');
		await history.read('b');
		await history.read('a');
		expect(computer.reads.slice(4)).toEqual(['e', 'a']);
		for (const blob of ['too large', 'too large', 'just', 'just']) await history.read(blob);
		expect(computer.reads.slice(6)).toEqual(['too large', 'too large', 'just']);
		await expect(history.read('none')).rejects.toThrow('gone');
	});
});
