import { expect, it } from 'vitest';
import type { ExecOptions, Trial } from '#environment/contract.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { InDirectory } from '#agent/in-directory.ts';
import { temporaryEnvironment } from './fake-session.ts';

it('works in a directory as if it were the whole environment’s own', async () => {
	const outer = await temporaryEnvironment();
	await outer.writeFile('packages/a/file.txt', 'needle\n');
	const inner = new InDirectory(outer, 'packages/a/');
	const root = `${outer.workingDirectory()}/packages/a`;
	expect(inner.workingDirectory()).toBe(root);
	expect(await inner.readFile('file.txt')).toBe('needle\n');
	expect(await inner.readFile('file.txt', { offset: 2, limit: 1 })).toBe('');
	expect(new TextDecoder().decode(await inner.readBytes('file.txt'))).toBe('needle\n');
	expect(await inner.fileExists('file.txt')).toBe(true);
	expect((await inner.stat('file.txt')).size).toBe(7);
	expect((await inner.listDirectory('.', 1)).map(({ path }) => path)).toEqual(['file.txt']);
	expect((await inner.listDirectory('', 1)).map(({ path }) => path)).toEqual(['file.txt']);
	expect(await inner.glob('*.txt', '')).toEqual(await outer.glob('*.txt', 'packages/a'));
	expect(await inner.grep('needle', '.')).toContain('needle');
	expect((await inner.exec('pwd')).stdout).toBe(`${root}\n`);
	await inner.makeDirectory('sub');
	expect((await inner.exec('pwd', { cwd: 'sub' })).stdout).toBe(`${root}/sub\n`);
	const started = await inner.start('pwd > where; cat where');
	await started.exited;
	expect(await outer.readFile('packages/a/where')).toBe(`${root}\n`);
});

it('changes files there, and leaves absolute paths as they are', async () => {
	const outer = await temporaryEnvironment();
	await outer.makeDirectory('a');
	const inner = new InDirectory(outer, `${outer.workingDirectory()}/a`);
	await inner.writeFile('one', '1');
	await inner.rename('one', 'two');
	await inner.symlink('two', 'link');
	await inner.setMode('two', 0o600);
	expect(await inner.readLink('link')).toBe('two');
	expect((await outer.stat('a/two')).mode & 0o777).toBe(0o600);
	await inner.makeDirectory('full');
	await inner.writeFile('full/file', 'x');
	await expect(inner.remove('full')).rejects.toThrow();
	await inner.remove('full', { recursive: true });
	expect(await outer.fileExists('a/full')).toBe(false);
	await inner.writeFile(`${outer.workingDirectory()}/top`, 'x');
	expect(await outer.readFile('top')).toBe('x');
});

it('tries commands there where the environment can, and says where it cannot', async () => {
	const outer = await temporaryEnvironment();
	class WithoutTrials extends DelegatingEnvironment {
		override get runOnTrial(): undefined {
			return undefined;
		}
	}
	expect(new InDirectory(new WithoutTrials(outer), 'a').runOnTrial).toBeUndefined();
	const tried: [string, ExecOptions | undefined][] = [];
	class WithTrials extends DelegatingEnvironment {
		override get runOnTrial() {
			return (command: string, options?: ExecOptions): Promise<Trial> => {
				tried.push([command, options]);
				return Promise.resolve({} as Trial);
			};
		}
	}
	const inner = new InDirectory(new WithTrials(outer), 'a');
	const root = `${outer.workingDirectory()}/a`;
	await inner.runOnTrial?.('make');
	await inner.runOnTrial?.('make', { cwd: 'sub', timeoutMs: 5 });
	expect(tried).toEqual([
		['make', { cwd: root }],
		['make', { cwd: `${root}/sub`, timeoutMs: 5 }]
	]);
});

it('starts commands where it is told to', async () => {
	const outer = await temporaryEnvironment();
	await outer.makeDirectory('a/sub');
	const inner = new InDirectory(outer, 'a');
	for (const [options, where] of [
		[{}, 'a'],
		[{ cwd: 'sub' }, 'a/sub']
	] as const) {
		await (
			await inner.start('pwd > where', options)
		).exited;
		expect(await outer.readFile(`${where}/where`)).toBe(`${outer.workingDirectory()}/${where}\n`);
	}
});
