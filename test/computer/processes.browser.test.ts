import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { execLimited } from '#test/contract/longer-limits.ts';
import shellUrl from './fixtures/shell.ts?program';
import wordUrl from './fixtures/word.ts?program';
import { sandboxInPage } from './in-page.ts';

describe('processes', () => {
	let sandbox: WasmExecutionEnvironment;
	beforeEach(async () => {
		sandbox = await sandboxInPage([
			{ ...PROGRAMS.shell, url: shellUrl },
			{ name: 'word', commands: ['word'], hot: false, url: wordUrl }
		]);
	});
	afterEach(() => sandbox.cleanup());

	it('runs a command and gives its output and exit code', async () => {
		expect(await sandbox.exec('echo hello')).toMatchObject({
			stdout: 'hello\n',
			stderr: '',
			exitCode: 0,
			timedOut: false
		});
		expect((await sandbox.exec('exit 7')).exitCode).toBe(7);
	});

	it('prints an exception on stderr and ends with 1', async () => {
		const { stderr, exitCode } = await sandbox.exec('throw');
		expect(stderr).toContain('as asked');
		expect(exitCode).toBe(1);
	});

	it('passes replies longer than the shared memory in pieces', async () => {
		expect((await sandbox.exec('big 5000000')).stdout).toBe('true');
		expect((await sandbox.stat('big')).size).toBe(5_000_000);
	});

	it('runs a child synchronously and collects what it prints', async () => {
		expect((await sandbox.exec('run echo a b')).stdout).toBe('[a b\n||0]');
		expect((await sandbox.exec('run exit 3')).stdout).toBe('[||3]');
	});

	it('pipes more than a pipe holds from child to child', async () => {
		expect(await sandbox.exec('pipe 3000000')).toMatchObject({ stdout: '3000000\n', exitCode: 0 });
	});

	it('feeds standard input', async () => {
		expect((await sandbox.exec('cat', { stdin: 'from outside' })).stdout).toBe('from outside');
		const process = await sandbox.start('cat');
		await process.write('one ');
		await process.write('two');
		await process.closeInput();
		expect(await process.exited).toMatchObject({ stdout: 'one two', exitCode: 0 });
	});

	it('ends all that runs and goes on with the files, for who takes the computer over', async () => {
		const loop = await sandbox.start('spin 3', {});
		await expect.poll(() => sandbox.fileExists('spin2')).toBe(true);
		await sandbox.endProcesses?.();
		expect((await loop.exited).exitCode).toBe(137);
		expect(await sandbox.glob('spin*', '/workspace')).toHaveLength(3);
		expect((await sandbox.exec('echo goes on')).stdout).toBe('goes on\n');
	});

	it('kills a loop that never yields, and what it wrote before is there', async () => {
		const process = await sandbox.start('spin 100', {});
		await expect.poll(() => sandbox.fileExists('spin99')).toBe(true);
		await process.kill('SIGKILL');
		expect((await process.exited).exitCode).toBe(137);
		expect(await sandbox.glob('spin*', '/workspace')).toHaveLength(100);
	});

	it('stops at the time limit and at an abort, with what was printed so far', async () => {
		const late = await execLimited(sandbox, 'spin 1');
		expect(late).toMatchObject({ exitCode: 124, timedOut: true, stdout: 'spinning\n' });
		const controller = new AbortController();
		const aborted = sandbox.exec('spin 1', { signal: controller.signal, onOutput: () => controller.abort() });
		expect(await aborted).toMatchObject({ exitCode: 130, timedOut: false, stdout: 'spinning\n' });
	});
});
