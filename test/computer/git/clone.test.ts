import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGitServer, type GitServer } from '#test/git-server.ts';
import { nativeGit } from './both.ts';
import { GitInMemory } from './in-memory.ts';

let root: string;
let server: GitServer;
const git = (dir: string, ...args: string[]) => nativeGit(root, path.join(root, dir), ...args);

beforeAll(async () => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), 'git-clone-'));
	fs.mkdirSync(path.join(root, 'source'));
	git('source', 'init', '-q');
	for (let i = 0; i < 12; i++) {
		const lines = Array.from({ length: 200 }, (_, line) => `line ${line} ${line === i ? 'changed' : ''}\n`).join('');
		fs.writeFileSync(path.join(root, 'source', 'long.txt'), lines);
		fs.writeFileSync(path.join(root, 'source', `f${i}.txt`), `${i}\n`);
		git('source', 'add', '.');
		git('source', 'commit', '-q', '-m', `commit ${i}`);
	}
	fs.symlinkSync('f1.txt', path.join(root, 'source', 'link'));
	fs.writeFileSync(path.join(root, 'source', 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
	git('source', 'add', '.');
	git('source', 'commit', '-q', '-m', 'link and script');
	git('source', 'branch', 'other', 'HEAD~3');
	git('source', 'tag', 'v1', 'HEAD~1');
	nativeGit(root, root, 'clone', '-q', '--bare', 'source', 'remote.git');
	server = await startGitServer(root);
});

afterAll(async () => {
	await server.close();
	fs.rmSync(root, { recursive: true, force: true });
});

it('clones a repository over smart HTTP as the real git does', async () => {
	const memory = new GitInMemory();
	const cloned = await memory.run(['git', 'clone', `${server.url}/remote.git`]);
	expect(cloned).toMatchObject({ code: 0, stdout: '', stderr: "Cloning into 'remote'...\n" });
	memory.exportTo('/workspace/remote', path.join(root, 'ours'));
	// Cloned from disk: the real git would wait for the server, which runs in this thread.
	nativeGit(root, root, 'clone', '-q', 'remote.git', 'native');
	expect(git('ours', 'fsck')).toBe('');
	for (const args of [
		['status', '--porcelain=v2', '--branch'],
		['log', '--format=%H %s'],
		['branch', '-a'],
		['tag'],
		['ls-files', '-s']
	]) {
		expect(git('ours', ...args), args.join(' ')).toBe(git('native', ...args));
		expect((await memory.run(['git', ...args], '/workspace/remote')).stdout, args.join(' ')).toBe(
			git('native', ...args)
		);
	}
	expect((await memory.run(['git', 'log', '-p', '--stat'], '/workspace/remote')).stdout).toBe(
		git('native', 'log', '-p', '--stat')
	);
});

it('clones one branch to a depth, into the directory it is in', async () => {
	const memory = new GitInMemory();
	const cloned = await memory.run([
		'git',
		'clone',
		'--depth',
		'1',
		'--branch',
		'other',
		'--progress',
		`${server.url}/remote.git`,
		'.'
	]);
	expect(cloned).toMatchObject({ code: 0 });
	const [first, ...lines] = cloned.stderr.trimEnd().split('\n');
	expect(first).toBe("Cloning into '.'...");
	// The server may print its summary before or after the last object arrives.
	const ours = lines.filter((line) => !line.startsWith('remote: '));
	expect(ours).toEqual([expect.stringMatching(/^Receiving objects: 100% \((\d+)\/\1\), done\.$/)]);
	expect(lines.length).toBeGreaterThan(1);
	expect((await memory.run(['git', 'log', '--oneline'])).stdout.split('\n')).toHaveLength(2);
	expect((await memory.run(['git', 'status'])).stdout).toBe(
		"On branch other\nYour branch is up to date with 'origin/other'.\n\nnothing to commit, working tree clean\n"
	);
	expect((await memory.run(['git', 'rev-parse', 'HEAD'])).stdout).toBe(git('source', 'rev-parse', 'other'));
});

it('pushes, is refused when behind, fetches, pulls and merges', async () => {
	const one = new GitInMemory();
	const two = new GitInMemory();
	for (const memory of [one, two]) await memory.run(['git', 'clone', '-q', `${server.url}/remote.git`, '.']);
	one.write('/workspace/one.txt', 'one\n');
	await one.run(['git', 'add', '.']);
	await one.run(['git', 'commit', '-qm', 'from one']);
	expect((await one.run(['git', 'status', '-sb'])).stdout).toBe('## main...origin/main [ahead 1]\n');
	const pushed = await one.run(['git', 'push']);
	expect(pushed).toMatchObject({ code: 0 });
	expect(pushed.stderr).toMatch(/^To http.*\n {3}[0-9a-f]{7}\.\.[0-9a-f]{7} {2}main -> main\n$/);
	expect(git('remote.git', 'log', '-1', '--format=%s')).toBe('from one\n');
	two.write('/workspace/two.txt', 'two\n');
	await two.run(['git', 'add', '.']);
	await two.run(['git', 'commit', '-qm', 'from two']);
	const refused = await two.run(['git', 'push']);
	expect(refused.code).toBe(1);
	expect(refused.stderr).toContain('rejected');
	expect(await two.run(['git', 'pull', '--ff-only'])).toMatchObject({ code: 128 });
	expect(await two.run(['git', 'pull', '--no-rebase', '--no-edit'])).toMatchObject({ code: 0 });
	expect(await two.run(['git', 'push', '-q'])).toMatchObject({ code: 0, stderr: '' });
	expect(git('remote.git', 'fsck')).toBe('');
	expect(await one.run(['git', 'pull'])).toMatchObject({ code: 0 });
	expect((await one.run(['git', 'ls-files', 'one.txt', 'two.txt'])).stdout).toBe('one.txt\ntwo.txt\n');
	await one.run(['git', 'switch', '-c', 'topic']);
	expect(await one.run(['git', 'push', '-u', 'origin', 'topic'])).toMatchObject({ code: 0 });
	expect(git('remote.git', 'branch', '--list', 'topic')).toBe('  topic\n');
});

it('pushes a commit onto a branch whose contents it never fetched', async () => {
	const memory = new GitInMemory();
	const run = async (...args: string[]) =>
		expect(await memory.run(['git', ...args])).toMatchObject({ code: 0, stderr: '' });
	const url = `${server.url}/remote.git`;
	await run('clone', '-q', '-n', '--depth', '1', '--filter=blob:none', '--branch', 'other', url, '.');
	expect((await memory.run(['git', 'ls-tree', '--name-only', 'HEAD'])).stdout).toContain('f1.txt\n');
	expect((await memory.run(['git', 'rev-list', '--objects', '--missing=print', 'HEAD'])).stdout).toMatch(/^\?/m);
	await run('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/other');
	await run('reset', '-q');
	memory.write('/workspace/sub/new.txt', 'new\n');
	memory.write('/workspace/f2.txt', 'changed\n');
	await run('add', '-f', '--', 'sub/new.txt', 'f2.txt');
	await run('rm', '-q', '--cached', '--', 'f1.txt');
	await run('update-ref', 'refs/heads/part', 'HEAD');
	await run('symbolic-ref', 'HEAD', 'refs/heads/part');
	await run('commit', '-q', '-m', 'of a part');
	await run('push', '-q', 'origin', 'part');
	expect(git('remote.git', 'fsck')).toBe('');
	expect(git('remote.git', 'diff', '--no-renames', '--name-status', 'other', 'part')).toBe(
		'D\tf1.txt\nM\tf2.txt\nA\tsub/new.txt\n'
	);
	expect(git('remote.git', 'rev-parse', 'part~1')).toBe(git('remote.git', 'rev-parse', 'other'));
});

it('pulls with its own commits on top', async () => {
	const one = new GitInMemory();
	const two = new GitInMemory();
	for (const [memory, name] of [
		[one, 'theirs'],
		[two, 'ours']
	] as const) {
		await memory.run(['git', 'clone', '-q', `${server.url}/remote.git`, '.']);
		memory.write(`/workspace/rebased-${name}.txt`, `${name}\n`);
		await memory.run(['git', 'add', '.']);
		await memory.run(['git', 'commit', '-qm', `rebased ${name}`]);
	}
	expect(await one.run(['git', 'push', '-q'])).toMatchObject({ code: 0 });
	const pulled = await two.run(['git', 'pull', '--rebase']);
	expect(pulled).toMatchObject({ code: 0 });
	expect(pulled.stderr).toContain('Successfully rebased and updated refs/heads/main.');
	expect((await two.run(['git', 'log', '-2', '--format=%s'])).stdout).toBe('rebased ours\nrebased theirs\n');
	expect(await two.run(['git', 'push', '-q'])).toMatchObject({ code: 0 });
});

it('says what is wrong with an address', async () => {
	const memory = new GitInMemory();
	const missing = await memory.run(['git', 'clone', `${server.url}/nothing.git`]);
	expect(missing).toMatchObject({ code: 128, stdout: '' });
	expect(missing.stderr).toContain(`fatal: repository '${server.url}/nothing.git' not found`);
	expect(memory.files.statOrNull('/workspace/nothing')).toBeNull();
	expect((await memory.run(['git', 'clone', 'git@example.org:a/b.git'])).stderr).toContain('only http:// and https://');
});
