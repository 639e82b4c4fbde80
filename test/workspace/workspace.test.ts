import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EnvironmentError } from '#environment/errors.ts';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { MemoryCheckpointStore } from '#workspace/checkpoint-store.ts';
import { Workspace, type WorkspaceOptions } from '#workspace/workspace.ts';

let folder = '';
let environment: LocalExecutionEnvironment;

beforeEach(async () => {
	folder = mkdtempSync(path.join(tmpdir(), 'workspace-'));
	execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
	execFileSync('git', ['config', 'user.email', 'a@b.c'], { cwd: folder });
	execFileSync('git', ['config', 'user.name', 'A'], { cwd: folder });
	environment = new LocalExecutionEnvironment({ workingDirectory: folder });
	await environment.initialize();
	await environment.writeFile('a.txt', Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join(''));
	await environment.writeFile('b.bin', new Uint8Array([0, 1, 2]));
	await environment.writeFile('gone.txt', 'soon\n');
	await environment.writeFile('.gitignore', 'ignored/\n');
	await environment.exec('git add -A && git commit -qm first');
});
afterEach(async () => {
	await environment.cleanup();
	rmSync(folder, { recursive: true });
});

const open = (options: Partial<WorkspaceOptions> = {}) =>
	Workspace.open({
		environment,
		origin: { kind: 'files', name: 'x' },
		store: new MemoryCheckpointStore((id) => environment.readBlob(id)),
		...options
	});
const textOf = (bytes: Uint8Array | null): string | null => bytes && new TextDecoder().decode(bytes);

describe('a workspace', () => {
	it('lists what changed since the import, by any program, without what git ignores', async () => {
		const workspace = await open();
		expect(await workspace.changes()).toEqual([]);
		await environment.exec(
			'sed -i "s/line 3$/LINE 3/" a.txt; rm gone.txt; mkdir -p ignored new; echo x > ignored/x; printf "1\\n2\\n" > new/file'
		);
		await environment.writeFile('b.bin', new Uint8Array([0, 9]));
		const changes = await workspace.changes();
		expect(changes.map(({ version: _, ...change }) => change)).toEqual([
			{ path: 'a.txt', kind: 'modified', added: 1, removed: 1, binary: false },
			{ path: 'b.bin', kind: 'modified', added: 0, removed: 0, binary: true },
			{ path: 'gone.txt', kind: 'removed', added: 0, removed: 1, binary: false },
			{ path: 'new/file', kind: 'added', added: 2, removed: 0, binary: false }
		]);
	});

	it('lists no installed packages and no caches, also where no .gitignore names them', async () => {
		const workspace = await open();
		await environment.exec('mkdir -p node_modules/p a/node_modules/q a/__pycache__');
		for (const path of ['node_modules/p/x.js', 'a/node_modules/q/x.js', 'a/__pycache__/x.pyc', 'a/x.js'])
			await environment.writeFile(path, 'x');
		expect((await workspace.changes()).map(({ path }) => path)).toEqual(['a/x.js']);
		await environment.writeFile('a/.gitignore', '!node_modules/\n');
		expect((await workspace.changes()).map(({ path }) => path)).toContain('a/node_modules/q/x.js');
	});

	it('puts back one hunk and leaves the other', async () => {
		const workspace = await open();
		const before = await environment.readFile('a.txt');
		await environment.writeFile('a.txt', before.replace('line 2\n', 'TWO\n').replace('line 30\n', 'THIRTY\n'));
		await workspace.revertHunk('a.txt', 0);
		expect(await environment.readFile('a.txt')).toBe(before.replace('line 30\n', 'THIRTY\n'));
		await expect(workspace.revertHunk('a.txt', 5)).rejects.toThrow('no change number 6');
		await workspace.revertFile('a.txt');
		expect(await environment.readFile('a.txt')).toBe(before);
	});

	it('goes back to a checkpoint, and back from there', async () => {
		const workspace = await open();
		const imported = workspace.checkpoints[0];
		await environment.exec('rm gone.txt; mkdir -p deep/er; echo hi > deep/er/file; chmod +x a.txt');
		await workspace.goTo(imported?.id ?? '');
		expect(await workspace.changes()).toEqual([]);
		expect(await environment.fileExists('deep')).toBe(false);
		const undo = workspace.checkpoints.at(-1);
		expect(undo?.label).toBe('Before going back');
		await workspace.goTo(undo?.id ?? '');
		expect((await workspace.changes()).map((change) => change.path)).toEqual(['a.txt', 'deep/er/file', 'gone.txt']);
	});

	it('commits, and counts changes from there', async () => {
		const workspace = await open();
		await environment.writeFile('a.txt', 'other\n');
		const id = await workspace.commit('A "quoted" $message');
		expect(execFileSync('git', ['log', '-1', '--format=%H %s'], { cwd: folder, encoding: 'utf8' }).trim()).toBe(
			`${id} A "quoted" $message`
		);
		expect(await workspace.changes()).toEqual([]);
	});

	it('knows that all was committed by somebody else, and counts changes from there when it is told to', async () => {
		const workspace = await open();
		expect(await workspace.committedElsewhere()).toBe(null);
		await environment.writeFile('a.txt', 'other\n');
		await environment.writeFile('new.txt', 'new\n');
		expect(await workspace.committedElsewhere()).toBe(null);
		await environment.exec('git add a.txt && git commit -qm "Half of it"');
		expect(await workspace.committedElsewhere()).toBe(null);
		await environment.exec('git add -A && git commit -qm "The agent’s commit" -m "With a body."');
		expect((await workspace.changes()).map(({ path }) => path)).toEqual(['a.txt', 'new.txt']);
		expect(await workspace.committedElsewhere()).toBe('The agent’s commit');
		await workspace.countFromHere('The agent’s commit');
		expect(await workspace.changes()).toEqual([]);
		expect(workspace.checkpoints.at(-1)?.label).toBe('Commit: The agent’s commit');
		expect(await workspace.committedElsewhere()).toBe(null);
	});

	it('exports a patch that git applies to the same result, and a zip of what is there', async () => {
		const workspace = await open();
		await environment.exec(
			'sed -i "s/line 3$/LINE 3/" a.txt; rm gone.txt; printf "no newline" > new.txt; chmod +x .gitignore'
		);
		const patch = await workspace.exportPatch();
		const copy = mkdtempSync(path.join(tmpdir(), 'copy-'));
		execFileSync('git', ['clone', '-q', folder, copy]);
		execFileSync('git', ['apply', '-'], { cwd: copy, input: patch });
		expect(execFileSync('diff', ['-r', '--exclude=.git', folder, copy], { encoding: 'utf8' })).toBe('');
		rmSync(copy, { recursive: true });
		expect(patch.match(/^diff --git /gm)).toHaveLength(4);
		expect(patch).toContain('\n@@ -1,7 +1,7 @@\n');
		expect(Object.keys(unzipSync(await workspace.exportZip())).sort()).toEqual([
			'.gitignore',
			'a.txt',
			'b.bin',
			'new.txt'
		]);
	});
});

it('exports a patch of files with any names', async () => {
	const names = ['a b', 'tab\there', 'new\nline', '"quoted"', 'back\\slash', 'del\x7f', 'ümlaut'];
	for (const name of names) await environment.writeFile(name, 'one\n');
	await environment.exec('git add -A && git commit -qm names');
	const workspace = await open();
	for (const name of names) await environment.writeFile(name, 'two\n');
	const patch = await workspace.exportPatch();
	await environment.exec('git checkout -q .');
	execFileSync('git', ['apply', '-'], { cwd: folder, input: patch });
	for (const name of names) expect([name, await environment.readFile(name)]).toEqual([name, 'two\n']);
});

describe('the differences from an earlier tree', () => {
	const pathsIn = async (...[workspace, tree]: [Workspace, Parameters<Workspace['differencesFrom']>[0]]) =>
		(await workspace.differencesFrom(tree)).map(({ path }) => path);

	it('are counted from the import although commits were made since, with both sides of each file', async () => {
		const workspace = await open();
		await environment.writeFile('new.txt', 'new\n');
		await environment.remove('gone.txt');
		await workspace.commit('Second');
		await environment.writeFile('ignored/x', 'x');
		await environment.makeDirectory('empty');
		expect(await workspace.changes()).toEqual([]);
		await environment.exec('rm a.txt && mkdir a.txt');
		const [replaced, gone, made, ...rest] = await workspace.differencesFrom(null);
		expect(replaced).toMatchObject({ path: 'a.txt', before: { mode: 0o100644 }, after: null });
		expect(rest).toEqual([]);
		expect([gone?.path, made?.path]).toEqual(['gone.txt', 'new.txt']);
		expect([gone?.after, made?.before]).toEqual([null, null]);
		expect(gone?.before?.mode).toBe(0o100644);
		expect(textOf(await workspace.readBlob(gone?.before?.blob ?? ''))).toBe('soon\n');
		expect(textOf(await workspace.readBlob(made?.after?.blob ?? ''))).toBe('new\n');
	});

	it('are counted from any checkpoint by its tree', async () => {
		const workspace = await open();
		await environment.writeFile('one', '1');
		const { tree } = await workspace.takeCheckpoint('turn', null);
		await environment.writeFile('two', '2');
		expect(await pathsIn(workspace, tree)).toEqual(['two']);
		expect(await pathsIn(workspace, null)).toEqual(['one', 'two']);
	});

	it('have an imported file that git ignores, and no ignored one of another session', async () => {
		await environment.writeFile('ignored/imported', 'before');
		const workspace = await open();
		await environment.writeFile('ignored/imported', 'after');
		await environment.writeFile('ignored/made', 'x');
		expect(await pathsIn(workspace, null)).toEqual(['ignored/imported']);
		const elsewhere = new Map([
			['ignored/imported', { mode: 0o100644, blob: '0'.repeat(40) }],
			['theirs.txt', { mode: 0o100644, blob: '0'.repeat(40) }]
		]);
		expect(await pathsIn(workspace, elsewhere)).toEqual(['.gitignore', 'a.txt', 'b.bin', 'gone.txt', 'theirs.txt']);
	});

	it('are counted from the stored baseline where no checkpoint is left', async () => {
		const first = await open();
		const stored = { current: first.checkpoints[0]?.tree ?? '', byHead: {} };
		const before = new Map((await environment.snapshot()).entries);
		const store = new MemoryCheckpointStore((id) => environment.readBlob(id));
		store.readTree = async (id) => {
			expect(id).toBe(stored.current);
			return before;
		};
		await environment.writeFile('a.txt', 'other\n');
		const workspace = await open({ store, baseline: stored });
		expect(workspace.checkpoints).toEqual([]);
		expect(await pathsIn(workspace, null)).toEqual(['a.txt']);
		expect((await workspace.changes()).map(({ path }) => path)).toEqual(['a.txt']);
	});
});

describe('one changed file', () => {
	it('is compared with contents and modes, and with nothing where it was not', async () => {
		const workspace = await open();
		await environment.exec('chmod +x gone.txt && rm b.bin && printf new > new.txt');
		const compared = async (path: string) => {
			const { before, after, beforeMode, afterMode } = await workspace.compare(path);
			return [textOf(before), textOf(after), beforeMode, afterMode];
		};
		expect(await compared('gone.txt')).toEqual(['soon\n', 'soon\n', 0o100644, 0o100755]);
		expect(await compared('new.txt')).toEqual([null, 'new', null, 0o100644]);
		expect(await compared('b.bin')).toEqual(['\0\x01\x02', null, 0o100644, null]);
		expect(await compared('nowhere')).toEqual([null, null, null, null]);
	});

	it('is put back whole: removed where it is new, made again where it is gone', async () => {
		const workspace = await open();
		await environment.exec('rm gone.txt && mkdir deep && echo new > deep/new.txt');
		await workspace.revertFile('deep/new.txt');
		await workspace.revertFile('gone.txt');
		expect(await environment.fileExists('deep')).toBe(false);
		expect(await environment.readFile('gone.txt')).toBe('soon\n');
		expect(await workspace.changes()).toEqual([]);
	});

	it('has one hunk where it is new or gone, and none where it is binary', async () => {
		await environment.exec('chmod +x gone.txt');
		const workspace = await open();
		await environment.exec('rm gone.txt && echo new > new.txt');
		await environment.writeFile('b.bin', new Uint8Array([0, 9]));
		await workspace.revertHunk('new.txt', 0);
		await workspace.revertHunk('gone.txt', 0);
		expect((await workspace.changes()).map(({ path }) => path)).toEqual(['b.bin']);
		const binary = { code: 'EINVAL', message: 'A binary file can only be put back whole.' };
		await expect(workspace.revertHunk('b.bin', 0)).rejects.toMatchObject(binary);
		await environment.writeFile('b.bin', 'text now');
		await expect(workspace.revertHunk('b.bin', 0)).rejects.toMatchObject(binary);
		await environment.writeFile('a.txt', new Uint8Array([0]));
		await expect(workspace.revertHunk('a.txt', 0)).rejects.toMatchObject(binary);
	});

	it('keeps its ends of lines when a hunk is put back', async () => {
		const workspace = await open();
		const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\r\n`).join('');
		await environment.writeFile('a.txt', lines);
		await workspace.commit('Windows');
		await environment.writeFile('a.txt', lines.replace('line 3\r', 'THREE\r').replace('line 20\r', 'TWENTY\r'));
		await workspace.revertHunk('a.txt', 1);
		expect(await environment.readFile('a.txt')).toBe(lines.replace('line 3\r', 'THREE\r'));
	});
});

describe('the commits and checkpoints of a workspace', () => {
	it('rejects a commit with git’s own words, and takes no checkpoint of it', async () => {
		const workspace = await open();
		await expect(workspace.commit('Nothing')).rejects.toMatchObject({
			code: 'EIO',
			message: expect.stringMatching(/^git could not commit: .*nothing to commit, working tree clean$/s)
		});
		expect(workspace.checkpoints.map(({ label }) => label)).toEqual(['Imported']);
	});

	it('does not call a commit all of it while a file is left, or where the repository is gone', async () => {
		const workspace = await open();
		await environment.writeFile('a.txt', 'other\n');
		await environment.exec('git commit -qam "The agent’s"');
		expect(await workspace.committedElsewhere()).toBe('The agent’s');
		await environment.writeFile('left.txt', '');
		expect(await workspace.committedElsewhere()).toBe(null);
		await environment.exec('rm -rf .git left.txt');
		expect(await workspace.committedElsewhere()).toBe(null);
	});

	it('tells when there is a checkpoint or another state, and of no step that changes nothing', async () => {
		const workspace = await open();
		const heard = vi.fn();
		const stop = workspace.onUpdate(heard);
		const [imported] = workspace.checkpoints;
		expect(imported).toMatchObject({ label: 'Imported', entryId: null, timestamp: expect.any(Number) });
		await workspace.goTo(imported?.id ?? '');
		expect(heard).not.toHaveBeenCalled();
		expect(workspace.checkpoints).toHaveLength(1);
		const turn = await workspace.takeCheckpoint('turn', 'entry');
		expect(turn).toMatchObject({ label: 'turn', entryId: 'entry' });
		expect(heard).toHaveBeenCalledTimes(1);
		await environment.writeFile('a.txt', 'other\n');
		await workspace.takeCheckpoint('turn 2', null);
		heard.mockClear();
		await workspace.goTo(turn.id);
		expect(heard).toHaveBeenCalled();
		// The files were those of the last checkpoint, which is used to go back.
		expect(workspace.checkpoints.map(({ label }) => label)).toEqual(['Imported', 'turn', 'turn 2']);
		await expect(workspace.goTo('gone')).rejects.toThrow('This checkpoint is not there any more.');
		stop();
		heard.mockClear();
		await workspace.countFromHere('x');
		expect(heard).not.toHaveBeenCalled();
	});

	it('does not watch the files any more once it is closed', async () => {
		const detach = vi.fn();
		vi.spyOn(environment, 'onChange').mockReturnValue(detach);
		const workspace = await open();
		expect(detach).not.toHaveBeenCalled();
		workspace.close();
		expect(detach).toHaveBeenCalledTimes(1);
	});

	it('finds what changes are counted from at a checkpoint before and after a commit', async () => {
		const stored = vi.fn();
		const workspace = await open({ onBaseline: stored });
		const imported = workspace.checkpoints[0]?.tree ?? '';
		await environment.writeFile('a.txt', 'other\n');
		await workspace.commit('Second');
		const committed = workspace.checkpoints.at(-1)?.tree ?? '';
		expect(await workspace.baselineOf(committed)).toBe(committed);
		expect(await workspace.baselineOf(imported)).toBe(imported);
		expect(stored.mock.lastCall?.[0]).toMatchObject({ current: committed });
	});

	it('reads contents that only its store has, and fails as the environment does', async () => {
		const store = new MemoryCheckpointStore(async (id) => new TextEncoder().encode(`stored ${id}`));
		const workspace = await open({ store });
		const lost = '0123456789'.repeat(4);
		expect(textOf(await workspace.readBlob(lost))).toBe(`stored ${lost}`);
		expect(await workspace.readBlob('')).toEqual(new Uint8Array());
		const read = vi.spyOn(environment, 'readBlob').mockRejectedValue(new EnvironmentError('EIO', 'broken'));
		await expect(workspace.readBlob(lost)).rejects.toMatchObject({ code: 'EIO' });
		read.mockRejectedValue(new TypeError('no environment'));
		await expect(workspace.readBlob(lost)).rejects.toThrow('no environment');
	});

	it('lists the files of the project in order, without git’s own, ignored ones and directories', async () => {
		const workspace = await open();
		await environment.exec('mkdir -p ignored empty z a && touch ignored/x z/1 a/2');
		expect(await workspace.files()).toEqual(['.gitignore', 'a/2', 'a.txt', 'b.bin', 'gone.txt', 'z/1'].sort());
		const { entries, ...snapshot } = await environment.snapshot();
		const unordered = { ...snapshot, entries: new Map([...entries].reverse()) };
		vi.spyOn(environment, 'snapshot').mockResolvedValueOnce(unordered);
		expect(await workspace.files()).toEqual(['.gitignore', 'a/2', 'a.txt', 'b.bin', 'gone.txt', 'z/1'].sort());
		const zip = unzipSync(await workspace.exportZip());
		expect(textOf(zip['gone.txt'] ?? null)).toBe('soon\n');
		expect([...(zip['b.bin'] ?? [])]).toEqual([0, 1, 2]);
	});
});
