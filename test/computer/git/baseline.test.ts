import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GitInMemory } from './in-memory.ts';
import { nativeGit } from './both.ts';

let root: string;
beforeAll(() => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), 'git-baseline-'));
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const project = (): GitInMemory => {
	const memory = new GitInMemory();
	memory.write('/workspace/.gitignore', 'node_modules/\n*.log\n!keep.log\n/build\n');
	memory.write('/workspace/node_modules/x/index.js', 'no');
	memory.write('/workspace/a.log', 'no');
	memory.write('/workspace/keep.log', 'yes');
	memory.write('/workspace/build/out.js', 'no');
	memory.write('/workspace/src/build/in.js', 'yes');
	memory.write('/workspace/src/.gitignore', 'secret*\n!secret.md\n');
	memory.write('/workspace/src/secret.txt', 'no');
	memory.write('/workspace/src/secret.md', 'yes');
	memory.write('/workspace/run.sh', '#!/bin/sh\n', 0o755);
	memory.write('/workspace/empty', '');
	memory.write('/workspace/foo.c', 'sorts before the directory foo');
	memory.write('/workspace/foo/x', 'sorts after');
	memory.write('/workspace/foo-bar', 'sorts before too');
	memory.write('/workspace/caf\u00e9/\u{1f600}.txt', 'unicode');
	memory.write(
		'/workspace/large.bin',
		Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7919) >> 3)
	);
	memory.files.symlink('../run.sh', '/workspace/src/link');
	return memory;
};

it('commits all that is not ignored as native git would', async () => {
	const memory = project();
	const result = await memory.run(['git-baseline', '--message', 'Imported', '--branch', 'trunk']);
	expect(result).toMatchObject({ code: 0, stderr: '' });
	const ours = path.join(root, 'ours');
	memory.exportTo('/workspace', ours);
	const native = path.join(root, 'native');
	fs.cpSync(ours, native, {
		recursive: true,
		verbatimSymlinks: true,
		filter: (file) => path.basename(file) !== '.git'
	});
	const git = (dir: string, ...args: string[]) => nativeGit(root, dir, ...args);
	git(native, 'init', '-q');
	git(native, 'add', '-A');
	expect(git(ours, 'rev-parse', 'HEAD^{tree}')).toBe(git(native, 'write-tree'));
	expect(git(ours, 'fsck', '--strict', '--full')).toBe('');
	expect(git(ours, 'status', '--porcelain')).toBe('');
	expect(git(ours, 'diff-index', '--cached', 'HEAD')).toBe('');
	expect(git(ours, 'log', '--format=%an <%ae> %s %D')).toBe('Sandglass <sandglass@localhost> Imported HEAD -> trunk\n');
	expect(git(ours, 'rev-parse', 'HEAD')).toBe(result.stdout);
	expect(git(ours, 'ls-files', '-s')).toBe(git(native, 'ls-files', '-s'));
	const packs = fs.readdirSync(path.join(ours, '.git/objects/pack'));
	expect(packs.filter((name) => name.endsWith('.pack'))).toHaveLength(1);
	for (const name of packs.filter((one) => one.endsWith('.idx')))
		git(ours, 'verify-pack', path.join('.git/objects/pack', name));
	expect(await memory.run(['git', 'status', '--porcelain'])).toMatchObject({ stdout: '', code: 0 });
});

it('refuses where there is a repository', async () => {
	const memory = project();
	await memory.run(['git', 'init']);
	expect(await memory.run(['git-baseline'])).toMatchObject({ code: 128, stdout: '' });
});

it('splits what is larger than one pack holds', async () => {
	const memory = new GitInMemory();
	const block = new Uint8Array(10 * 1024 * 1024);
	for (let i = 0; i < 7; i++) {
		block.fill(i).forEach((_, at) => at % 4096 === 0 && (block[at] = at >> 12));
		memory.write(`/workspace/${i}.bin`, block);
	}
	memory.write('/workspace/huge.bin', new Uint8Array(13 * 1024 * 1024).fill(65));
	expect(await memory.run(['git-baseline'])).toMatchObject({ code: 0 });
	const ours = path.join(root, 'large');
	memory.exportTo('/workspace', ours);
	expect(nativeGit(root, ours, 'fsck', '--full')).toBe('');
	expect(nativeGit(root, ours, 'status', '--porcelain')).toBe('');
	const packs = fs.readdirSync(path.join(ours, '.git/objects/pack')).filter((name) => name.endsWith('.pack'));
	expect(packs).toHaveLength(2);
});

it('takes 5,000 files of 50 MB at once', async () => {
	const memory = new GitInMemory();
	for (let i = 0; i < 5000; i++) {
		const text = Array.from({ length: 250 }, (_, line) => `const value${line} = ${i * line}; // some text\n`).join('');
		memory.write(`/workspace/d${i % 50}/s${i % 7}/file${i}.ts`, text.slice(0, 10_000));
	}
	const started = performance.now();
	expect(await memory.run(['git-baseline'])).toMatchObject({ code: 0 });
	const made = performance.now();
	expect(await memory.run(['git', 'status', '--porcelain'])).toMatchObject({ stdout: '', code: 0 });
	const looked = performance.now();
	console.log(`baseline ${(made - started).toFixed(0)} ms, status ${(looked - made).toFixed(0)} ms`);
});
