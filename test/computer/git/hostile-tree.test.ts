import { describe, expect, it } from 'vitest';
import { Repository } from '#computer/git/repository.ts';
import { GitInMemory, surroundingsOf } from './in-memory.ts';
import { playWorktreePaths } from './worktree-paths.ts';

const encoder = new TextEncoder();

interface Entry {
	mode: string;
	name: string;
	id: string;
}

/** A repository with one commit of `good.txt`, and functions to store any tree, well-formed or not. */
async function start() {
	const git = new GitInMemory({ GIT_AUTHOR_DATE: '1700000000 +0000', GIT_COMMITTER_DATE: '1700000000 +0000' });
	await git.run(['git', 'init', '-q', '-b', 'main']);
	git.write('/workspace/good.txt', 'good\n');
	await git.run(['git', 'add', '-A']);
	await git.run(['git', 'commit', '-qm', 'good']);
	const repository = new Repository(surroundingsOf(git.files), '/workspace');
	const blob = (text: string) => repository.objects.write('blob', encoder.encode(text));
	const tree = (...entries: Entry[]): string => {
		const bytes = entries.flatMap(({ mode, name, id }) => [
			...encoder.encode(`${mode} ${name}\0`),
			...(id.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
		]);
		return repository.objects.write('tree', new Uint8Array(bytes));
	};
	const commit = (treeId: string): string => {
		const who = 'A <a@b> 1700000000 +0000';
		const content = `tree ${treeId}\nauthor ${who}\ncommitter ${who}\n\nx\n`;
		return repository.objects.write('commit', encoder.encode(content));
	};
	return { git, blob, tree, commit };
}

/** All files outside the repository's own directory, with their contents. */
function filesOf(git: GitInMemory): string[] {
	return ['/home/user', '/tmp', '/workspace'].flatMap((root) =>
		git.files
			.walk(root, { skip: ['.git'] })
			.filter(({ stat }) => stat.kind !== 'directory')
			.map(({ path }) => path)
	);
}

const NAMES: [what: string, make: (parts: { blob: string; link: string; sub: string }) => Entry[]][] = [
	['a name that climbs out', ({ blob }) => [{ mode: '100644', name: '../../home/user/.bashrc', id: blob }]],
	['an absolute name', ({ blob }) => [{ mode: '100644', name: '/home/user/.bashrc', id: blob }]],
	['a directory called ..', ({ sub }) => [{ mode: '40000', name: '..', id: sub }]],
	['a directory called .', ({ sub }) => [{ mode: '40000', name: '.', id: sub }]],
	['an empty name', ({ blob }) => [{ mode: '100644', name: '', id: blob }]],
	['.git', ({ sub }) => [{ mode: '40000', name: '.git', id: sub }]],
	['.GIT', ({ sub }) => [{ mode: '40000', name: '.GIT', id: sub }]],
	['.git with a character HFS+ ignores', ({ sub }) => [{ mode: '40000', name: '.g\u200cit', id: sub }]],
	['the short name of .git', ({ sub }) => [{ mode: '40000', name: 'GIT~1', id: sub }]],
	['.git with a trailing dot and space', ({ sub }) => [{ mode: '40000', name: '.git. ', id: sub }]],
	['a stream of .git', ({ sub }) => [{ mode: '40000', name: '.git::$INDEX_ALLOCATION', id: sub }]],
	['.git before a backslash', ({ blob }) => [{ mode: '100644', name: '.git\\config', id: blob }]],
	['a name in a path with .git', ({ blob }) => [{ mode: '100644', name: 'a/.git/config', id: blob }]],
	['.. between backslashes', ({ blob }) => [{ mode: '100644', name: 'a\\..\\..\\b', id: blob }]],
	['a drive', ({ blob }) => [{ mode: '100644', name: 'C:\\Users\\a\\.bashrc', id: blob }]],
	['a link called .gitmodules', ({ link }) => [{ mode: '120000', name: '.gitmodules', id: link }]],
	[
		'a link and a directory of one name',
		({ link, sub }) => [
			{ mode: '120000', name: 'd', id: link },
			{ mode: '40000', name: 'd', id: sub }
		]
	],
	[
		'a link and a submodule below it',
		({ link, blob }) => [
			{ mode: '120000', name: 'd', id: link },
			{ mode: '160000', name: 'd/module', id: blob }
		]
	]
];

describe('a tree that holds', () => {
	for (const [what, make] of NAMES) {
		it(`${what} is refused before anything is written, by each way to check it out`, async () => {
			const { git, blob, tree, commit } = await start();
			const parts = {
				blob: blob('evil\n'),
				link: blob('/home/user'),
				sub: tree({ mode: '100644', name: '.bashrc', id: blob('evil\n') })
			};
			const evil = commit(tree(...make(parts)));
			const before = filesOf(git);
			for (const args of [
				['checkout', '-q', evil],
				['checkout', '-q', '-f', evil],
				['reset', '-q', '--hard', evil],
				['merge', '-q', '--allow-unrelated-histories', evil],
				['restore', '--source', evil, '--', ':/']
			]) {
				const { code, stderr } = await git.run(['git', ...args]);
				expect({ args, code, stderr }).toEqual({ args, code: expect.any(Number), stderr: expect.any(String) });
				expect(filesOf(git)).toEqual(before);
				expect(git.files.statOrNull('/workspace/.git/.bashrc')).toBeNull();
			}
			const checkout = await git.run(['git', 'checkout', '-q', '-f', evil]);
			expect(checkout).toMatchObject({ code: 128, stderr: expect.stringContaining('invalid path') });
		});
	}

	it('a backslash that climbs nowhere is checked out as the name it is', async () => {
		const { git, blob, tree, commit } = await start();
		const name = 'system-systemd\\x2dcryptsetup.slice';
		expect(
			await git.run(['git', 'checkout', '-q', commit(tree({ mode: '100644', name, id: blob('unit\n') }))])
		).toMatchObject({ code: 0 });
		expect(git.files.readdir('/workspace').map((entry) => entry.name)).toContain(name);
	});
});

it('neither writes nor removes through a link that took a directory’s place', async () => {
	const { git, blob, tree, commit } = await start();
	git.write('/home/user/a.txt', 'mine\n');
	const withFile = commit(
		tree({ mode: '40000', name: 'd', id: tree({ mode: '100644', name: 'a.txt', id: blob('theirs\n') }) })
	);
	const without = commit(tree({ mode: '100644', name: 'b.txt', id: blob('b\n') }));
	await git.run(['git', 'checkout', '-q', withFile]);
	git.files.remove('/workspace/d', { recursive: true });
	git.files.symlink('/home/user', '/workspace/d');
	await git.run(['git', 'checkout', '-q', '-f', without]);
	expect(new TextDecoder().decode(git.files.readFile('/home/user/a.txt'))).toBe('mine\n');
	await git.run(['git', 'checkout', '-q', '-f', withFile]);
	expect(new TextDecoder().decode(git.files.readFile('/home/user/a.txt'))).toBe('mine\n');
	expect(git.files.lstat('/workspace/d').kind).toBe('directory');
});

it('writes no ref outside the repository’s directory, whatever HEAD says', async () => {
	const { git } = await start();
	git.write('/workspace/.git/HEAD', 'ref: ../../home/user/.bashrc\n');
	expect(await git.run(['git', 'commit', '--allow-empty', '-qm', 'x'])).not.toMatchObject({ code: 0 });
	expect(filesOf(git)).toEqual(['/workspace/good.txt']);
	expect(
		git.files
			.readdir('/workspace')
			.map(({ name }) => name)
			.sort()
	).toEqual(['.git', 'good.txt']);
});

it('applies no patch to a path outside the working tree', async () => {
	const { git } = await start();
	const patch = (path: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+evil\n`;
	for (const path of ['../../home/user/.bashrc', '.git/config', 'a/../../x']) {
		git.write('/tmp/evil.patch', patch(path));
		const { code, stderr } = await git.run(['git', 'apply', '/tmp/evil.patch']);
		expect({ path, code, stderr }).toEqual({ path, code: 1, stderr: expect.stringContaining('invalid path') });
	}
	expect(filesOf(git)).toEqual(['/tmp/evil.patch', '/workspace/good.txt']);
});

it('takes a path only when no part of it climbs or is git’s own, whatever it is made of', () => {
	const { taken, refused } = playWorktreePaths({ count: 2_000 });
	expect(taken).toBeGreaterThan(100);
	expect(refused).toBeGreaterThan(500);
});
