import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { MemoryCheckpointStore } from '#workspace/checkpoint-store.ts';
import { Workspace } from '#workspace/workspace.ts';

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

const open = () =>
	Workspace.open({
		environment,
		origin: { kind: 'files', name: 'x' },
		store: new MemoryCheckpointStore((id) => environment.readBlob(id))
	});

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
		expect(Object.keys(unzipSync(await workspace.exportZip())).sort()).toEqual([
			'.gitignore',
			'a.txt',
			'b.bin',
			'new.txt'
		]);
	});
});
