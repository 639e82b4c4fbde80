import { describe, expect, it } from 'vitest';
import { createShellTail } from '#agent/tools/shell-tail.ts';
import { TemporaryFiles } from '#agent/tools/temporary-files.ts';
import type { ExecOptions, ExecResult, ExecutionEnvironment } from '#environment/contract.ts';
import { createHarness } from '#test/contract/tools/harness.ts';

const RESULT: ExecResult = { stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 1 };
const FILE = '/tmp/sandglass-shell-call-0.log';

/** Runs a command that prints this, with a limit of three lines and twenty bytes. */
async function run(printed: string, ended: Partial<ExecResult> = {}, canKeep = true) {
	const environment = {
		workingDirectory: () => '/w',
		exec: (_: string, { onOutput }: ExecOptions) => {
			onOutput?.({ stream: 'stdout', data: printed });
			return Promise.resolve({ ...RESULT, ...ended });
		},
		start: () =>
			Promise.resolve({
				write: () => Promise.resolve(),
				closeInput: () => Promise.resolve(),
				exited: Promise.resolve({ exitCode: canKeep ? 0 : 1 })
			})
	};
	const { context } = createHarness(environment as unknown as ExecutionEnvironment);
	const result = await createShellTail({ maxLines: 3, maxBytes: 20 }).execute({ command: 'make' }, context);
	return { ...result, files: TemporaryFiles.of(context.state) };
}

describe('the end of what a command printed', () => {
	it('is all of it where that is short', async () => {
		expect(await run('a\nb\nc\n')).toMatchObject({
			content: 'a\nb\nc\n',
			fullOutput: 'a\nb\nc\n',
			details: { truncated: false },
			isError: false
		});
		expect((await run('')).details).not.toHaveProperty('outputFile');
	});

	it('says how many lines are left out, by which limit, and where the whole is', async () => {
		const { content, details } = await run('1\n2\n3\n4\n');
		expect(content).toBe(
			`2\n3\n4\n\n[Showing lines 2-4 of 4 (3 lines limit, 8B in all), 1 earlier line left out. Full output: ${FILE}]`
		);
		expect(details).toMatchObject({ truncated: true, outputFile: FILE });
		expect((await run('1\n2\n3\n4\n5\n')).content).toContain(
			'lines 3-5 of 5 (3 lines limit, 10B in all), 2 earlier lines'
		);
		expect((await run(`a\n${'x'.repeat(19)}\n`)).content).toContain(
			'[Showing lines 2-2 of 2 (20B limit, 22B in all), 1 earlier line left out. Full output: '
		);
		expect((await run('y'.repeat(30))).content).toBe(
			`${'y'.repeat(20)}\n\n[Showing lines 1-1 of 1 (20B limit, 30B in all). Full output: ${FILE}]`
		);
	});

	it('says so where the whole could not be kept', async () => {
		const { content, details } = await run('1\n2\n3\n4\n', {}, false);
		expect(content).toContain('left out. The whole could not be kept]');
		expect(details).not.toHaveProperty('outputFile');
	});

	it('says how the command ended, below what it printed', async () => {
		expect(await run('a\n', { exitCode: 2 })).toMatchObject({
			content: 'a\n\n\nCommand exited with code 2',
			isError: true
		});
		expect((await run('', { exitCode: 2 })).content).toBe('Command exited with code 2');
		expect((await run('', { exitCode: 124, timedOut: true })).content).toBe('Command timed out after 10 seconds');
	});
});
