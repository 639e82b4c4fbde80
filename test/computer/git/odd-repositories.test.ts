import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nativeGit } from './both.ts';
import { GitInMemory } from './in-memory.ts';

const POINTER =
	'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';

let root: string;
beforeAll(() => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), 'git-odd-'));
	fs.mkdirSync(path.join(root, 'home'));
});
afterAll(() => fs.rmSync(root, { recursive: true }));

function native(name: string): (...args: string[]) => string {
	return (...args) => nativeGit(root, path.join(root, name), ...args);
}

/** Opens a repository made by the real git with ours. */
function opened(name: string): GitInMemory {
	const git = new GitInMemory({});
	const from = path.join(root, name);
	const copy = (directory: string, to: string): void => {
		git.files.mkdir(to, { recursive: true });
		for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
			const source = path.join(directory, entry.name);
			if (entry.isDirectory()) copy(source, `${to}/${entry.name}`);
			else if (entry.isSymbolicLink()) git.files.symlink(fs.readlinkSync(source), `${to}/${entry.name}`);
			else git.write(`${to}/${entry.name}`, fs.readFileSync(source), fs.statSync(source).mode & 0o777);
		}
	};
	copy(from, '/workspace');
	return git;
}

/** Runs each command in both and expects the same on stdout. */
async function compare(name: string, commands: string[]): Promise<void> {
	const git = opened(name);
	const real = native(name);
	for (const command of commands) {
		const args = command.split(' ');
		expect(`${command}\n${(await git.run(['git', ...args])).stdout}`).toBe(`${command}\n${real(...args)}`);
	}
}

it('reads packed refs, packs with deltas, and objects that only a pack has', async () => {
	fs.mkdirSync(path.join(root, 'packed'));
	const git = native('packed');
	git('init', '-q', '-b', 'main');
	for (let i = 0; i < 12; i++) {
		const lines = Array.from({ length: 400 }, (_, line) => `line ${line} ${line % 12 < i ? 'new' : 'old'}\n`);
		fs.writeFileSync(path.join(root, 'packed', 'large.txt'), lines.join(''));
		git('add', '.');
		git('commit', '-q', '-m', `commit ${i}`);
		git('tag', '-m', `tag ${i}`, `v${i}`);
	}
	git('branch', 'side', 'HEAD~3');
	git('gc', '-q');
	expect(fs.existsSync(path.join(root, 'packed/.git/refs/heads/main'))).toBe(false);
	await compare('packed', [
		'status',
		'log --oneline',
		'log --stat --format=%s -4',
		'diff HEAD~11 HEAD~5',
		'branch -v',
		'tag',
		'describe',
		'for-each-ref',
		'show v3 --stat',
		'blame -L 1,20 large.txt',
		'rev-list --count --all',
		'cat-file -p HEAD~7^{tree}'
	]);
	const ours = opened('packed');
	expect(await ours.run(['git', 'branch', '-D', 'side'])).toMatchObject({ code: 0 });
	expect((await ours.run(['git', 'branch'])).stdout).toBe('* main\n');
});

it('ends the history of a shallow clone where it was cut', async () => {
	execFileSync('git', ['clone', '-q', '--depth', '3', `file://${path.join(root, 'packed')}`, 'shallow'], { cwd: root });
	await compare('shallow', [
		'log --oneline',
		'rev-parse --is-shallow-repository',
		'rev-list --count HEAD',
		'show --stat HEAD~2 --format=%s',
		'blame -L 1,12 -s large.txt',
		'status',
		'log --oneline --graph'
	]);
});

it('shows submodules as the commits they are at, and takes no addresses of the computer from a repository', async () => {
	fs.mkdirSync(path.join(root, 'outer'));
	const git = native('outer');
	git('init', '-q', '-b', 'main');
	fs.writeFileSync(path.join(root, 'outer', 'a.txt'), 'a\n');
	git('submodule', '--quiet', 'add', path.join(root, 'packed'), 'inner');
	git('add', '.');
	git('commit', '-q', '-m', 'with a submodule');
	const first = native('outer/inner')('rev-parse', 'HEAD').trim();
	const other = native('packed')('rev-parse', 'main~2').trim();
	git('update-index', '--cacheinfo', `160000,${other},inner`);
	git('commit', '-q', '-m', 'the submodule moved');
	native('outer/inner')('checkout', '-q', other);
	await compare('outer', [
		'log --oneline',
		'ls-tree HEAD',
		'show',
		'diff HEAD~1 HEAD',
		'diff --stat HEAD~1',
		'ls-files -s',
		'status',
		'status -s'
	]);
	const ours = opened('outer');
	expect((await ours.run(['git', 'show', 'HEAD'])).stdout).toContain(`-Subproject commit ${first}`);
	fs.rmSync(path.join(root, 'outer', 'inner'), { recursive: true });
	git('config', '--remove-section', 'submodule.inner');
	fs.rmSync(path.join(root, 'outer', '.git', 'modules'), { recursive: true });
	const refused = opened('outer');
	// At the submodule's address there is a repository in the volume, too.
	await refused.run(['git', 'init', '-q', path.join(root, 'packed')]);
	const updated = await refused.run(['git', 'submodule', 'update', '--init']);
	expect(updated).toMatchObject({ code: 1, stdout: '' });
	expect(updated.stderr).toContain("fatal: transport 'file' not allowed");
});

it('keeps pointers of Git LFS as they are, and names them', async () => {
	fs.mkdirSync(path.join(root, 'large-files'));
	const git = native('large-files');
	git('init', '-q', '-b', 'main');
	fs.writeFileSync(path.join(root, 'large-files', '.gitattributes'), '*.psd filter=lfs diff=lfs merge=lfs -text\n');
	fs.writeFileSync(path.join(root, 'large-files', 'art.psd'), POINTER);
	git('add', '.');
	git('commit', '-q', '-m', 'a pointer');
	await compare('large-files', ['status', 'show --stat', 'cat-file -p HEAD:art.psd', 'diff']);
	const ours = opened('large-files');
	const refused = await ours.run(['git', 'lfs', 'pull']);
	expect(refused).toMatchObject({ code: 1, stdout: '' });
	expect(refused.stderr).toContain('pointers of three lines');
});

it('ends where symbolic refs lead round in a circle', async () => {
	fs.mkdirSync(path.join(root, 'circle'));
	const git = native('circle');
	git('init', '-q', '-b', 'main');
	git('symbolic-ref', 'refs/heads/round', 'refs/heads/back');
	git('symbolic-ref', 'refs/heads/back', 'refs/heads/round');
	const ours = opened('circle');
	expect(await ours.run(['git', 'symbolic-ref', 'refs/heads/round'])).toEqual({
		stdout: '',
		stderr: 'fatal: No such ref: refs/heads/round\n',
		code: 128
	});
	const direct = ['symbolic-ref', '--no-recurse', 'refs/heads/round'];
	expect((await ours.run(['git', ...direct])).stdout).toBe('refs/heads/back\n');
});
