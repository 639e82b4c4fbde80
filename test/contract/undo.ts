import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileChanges } from '#agent/file-changes.ts';
import type { EventBody } from '#agent/events.ts';
import type { ExecutionEnvironment, Snapshot } from '#environment/contract.ts';

/** Tests that undo restores exactly the files that a command changed, and nothing else. */
export function describeUndo(create: () => Promise<ExecutionEnvironment>): void {
	let environment: ExecutionEnvironment;
	let files: FileChanges;
	let told: EventBody[] = [];
	beforeAll(async () => {
		environment = await create();
		files = new FileChanges(environment, (event) => told.push(event));
		await run('git init -q -b main . && git config user.name T && git config user.email t@example.com');
		await run(
			'mkdir -p src/deep empty && echo one > src/a.txt && echo two > src/deep/b.txt && echo run > tool.sh && chmod +x tool.sh && ln -s src/a.txt link && ln -s src linked && printf "no end" > "odd name"'
		);
		await run('git add -A && git commit -qm first && git branch other');
	});
	afterAll(async () => {
		files.dispose();
		await environment.cleanup();
	});

	const run = async (command: string): Promise<void> => {
		const { exitCode, stderr } = await environment.exec(command);
		expect([command, exitCode, stderr]).toEqual([command, 0, '']);
	};
	const tree = async (): Promise<Snapshot['entries']> => new Map([...(await environment.snapshot()).entries].sort());
	const shell = (command: string): Promise<unknown> => files.during('shell', () => environment.exec(command));
	const kinds = (): Record<string, string> =>
		Object.fromEntries(told.flatMap((event) => (event.type === 'file_change' ? [[event.path, event.kind]] : [])));

	describe('undo of a command', () => {
		it.each([
			['rm -rf src', { 'src/a.txt': 'removed', 'src/deep/b.txt': 'removed' }],
			['mv src moved', { 'src/a.txt': 'removed', 'moved/a.txt': 'added', 'moved/deep/b.txt': 'added' }],
			['mkdir -p new/dir/below && touch new/dir/file', { 'new/dir/file': 'added' }],
			['mkdir only/an/empty -p', {}],
			['rmdir empty', {}],
			['touch empty/file', { 'empty/file': 'added' }],
			['rm src/deep/b.txt', { 'src/deep/b.txt': 'removed' }],
			['chmod -x tool.sh', { 'tool.sh': 'modified' }],
			['rm link && ln -s tool.sh link', { link: 'modified' }],
			['rm link && echo file > link', { link: 'modified' }],
			['rm tool.sh && mkdir tool.sh && echo x > tool.sh/x', { 'tool.sh': 'removed', 'tool.sh/x': 'added' }],
			['rm -r src && echo file > src', { src: 'added', 'src/a.txt': 'removed' }],
			['rm -r src && ln -s empty src', { src: 'added', 'src/a.txt': 'removed' }],
			['echo through > linked/a.txt', { 'src/a.txt': 'modified' }],
			['mv "odd name" "$(printf \'a\\tb\')"', { 'odd name': 'removed', 'a\tb': 'added' }],
			['git checkout -q other && echo more >> src/a.txt && git commit -qam second', { 'src/a.txt': 'modified' }],
			['git rm -rq . && git commit -qm nothing', { 'src/a.txt': 'removed', link: 'removed' }]
		])('%s', async (command, expected) => {
			const before = await tree();
			told = [];
			await shell(command);
			expect(await tree()).not.toEqual(before);
			expect(kinds()).toMatchObject(expected);
			expect(await files.undo()).not.toBeNull();
			expect(await tree()).toEqual(before);
			await run('test "$(git status --porcelain)" = "" && git log -1 --format=%s | grep -qx first');
		});

		it('that was killed half-way', async () => {
			const before = await tree();
			const stop = new AbortController();
			const onOutput = (): void => stop.abort();
			const steps = 'rm -r src; for i in 1 2 3; do echo $i > half-$i; done; echo ready; sleep 60; echo never > never';
			await files.during('shell', () => environment.exec(steps, { signal: stop.signal, onOutput }));
			expect(await environment.fileExists('half-3')).toBe(true);
			expect(await environment.fileExists('never')).toBe(false);
			await files.undo();
			expect(await tree()).toEqual(before);
		});

		it('of two that ran at once brings back each one’s own', async () => {
			const before = await tree();
			const wait = 'while [ ! -f go ]; do sleep 0.05; done';
			const first = shell(`echo 1 > one; ${wait}; rm -r src/deep`);
			// The second starts once the first has written its file, not while that is being written.
			await expect.poll(() => environment.readFile('one').catch(() => ''), { timeout: 20_000 }).toBe('1\n');
			await shell('echo 2 > two; touch go');
			await first;
			expect((await tree()).has('src/deep/b.txt')).toBe(false);
			while (await files.undo());
			expect(await tree()).toEqual(before);
		});

		it('leaves alone what the user has done since', async () => {
			await shell('rm -r src/deep; echo theirs > shared; git checkout -q other');
			await environment.writeFile('mine.txt', 'mine\n');
			await environment.writeFile('src/a.txt', 'mine too\n');
			await run('git commit -q --allow-empty -m mine');
			await files.undo();
			expect(await environment.readFile('mine.txt')).toBe('mine\n');
			expect(await environment.readFile('src/a.txt')).toBe('mine too\n');
			expect(await environment.readFile('src/deep/b.txt')).toBe('two\n');
			expect(await environment.fileExists('shared')).toBe(false);
			await run('git log -1 --format=%s | grep -qx mine');
		});
	});
}
