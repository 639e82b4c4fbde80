import { expect, it } from 'vitest';
import { Repository } from '#computer/git/repository.ts';
import { checkOutFirst } from '#computer/git/worktree/first-checkout.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { GitInMemory, surroundingsOf } from './in-memory.ts';

const FILES = 300;

it('writes a first checkout with one call of the kernel for all files, and knows it is clean', async () => {
	const git = new GitInMemory();
	await git.run(['git', 'init', '-q']);
	for (let i = 0; i < FILES; i++) git.write(`/workspace/d${i % 10}/e${i % 3}/f${i}.txt`, `${i}\n`);
	git.write('/workspace/run.sh', '#!/bin/sh\n', 0o755);
	git.files.symlink('run.sh', '/workspace/link');
	await git.run(['git', 'add', '-A']);
	await git.run(['git', 'commit', '-qm', 'all']);
	const tree = (await git.run(['git', 'rev-parse', 'HEAD^{tree}'])).stdout.trim();
	for (const { name } of git.files.readdir('/workspace')) {
		if (name !== '.git') git.files.remove(`/workspace/${name}`, { recursive: true });
	}
	git.files.remove('/workspace/.git/index');
	const counts = new Map<string, number>();
	const counted = new Proxy(git.files, {
		get(target, name: keyof SyncSyscalls) {
			counts.set(name, (counts.get(name) ?? 0) + 1);
			return target[name];
		}
	});
	const repository = new Repository(surroundingsOf(counted), '/workspace');
	checkOutFirst(repository, tree);
	repository.index.save();
	expect(counts.get('load')).toBe(1);
	// One read per object, and few other calls.
	expect([...counts.values()].reduce((sum, count) => sum + count)).toBeLessThan(1.2 * FILES);
	expect(await git.run(['git', 'status', '--porcelain'])).toEqual({ stdout: '', stderr: '', code: 0 });
	expect(git.files.stat('/workspace/run.sh').mode & 0o777).toBe(0o755);
	expect(git.files.readlink('/workspace/link')).toBe('run.sh');
});
