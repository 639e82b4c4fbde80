import { expect, it } from 'vitest';
import { GitInMemory } from './in-memory.ts';

it('commits named paths, and refuses rather than take along what else is staged', async () => {
	const git = new GitInMemory();
	const run = (command: string) => git.run(command.split(' '));
	const write = (name: string, text: string) =>
		git.files.writeFile(`/workspace/${name}`, new TextEncoder().encode(text));
	await run('git init -q');
	write('a.txt', 'a\n');
	write('b.txt', 'b\n');
	await run('git add -A');
	await run('git commit -qm first');
	write('a.txt', 'A\n');
	write('b.txt', 'B\n');
	await run('git add b.txt');
	const refused = await run('git commit -m partial -- a.txt');
	expect(refused.code).toBe(128);
	expect(refused.stderr).toContain("'b.txt' is staged too");
	expect((await run('git log --format=%s')).stdout).toBe('first\n');
	expect((await run('git status --short')).stdout).toBe(' M a.txt\nM  b.txt\n');
	await run('git restore --staged b.txt');
	expect((await run('git commit -qm partial -- a.txt')).code).toBe(0);
	expect((await run('git status --short')).stdout).toBe(' M b.txt\n');
});
