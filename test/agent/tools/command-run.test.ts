import { describe, expect, it } from 'vitest';
import { commandDetails, commandLine, commandTimeout, permitCommand, runCommand } from '#agent/tools/command-run.ts';
import type { CommandGrant, ToolContext } from '#agent/tool.ts';
import { ALL_RIGHTS, type ExecOptions, type ExecutionEnvironment, READ_ONLY_RIGHTS } from '#environment/contract.ts';

const ended = { stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 1.6 };

function context(more: Partial<ToolContext> = {}, result = ended) {
	const ran: [string, ExecOptions][] = [];
	const sink: string[] = [];
	const shown: string[] = [];
	const environment = {
		workingDirectory: () => '/work',
		exec: (command: string, options: ExecOptions) => {
			ran.push([command, options]);
			options.onOutput?.({ stream: 'stderr', data: 'out' });
			return Promise.resolve(result);
		}
	} as unknown as ExecutionEnvironment;
	const made = {
		environment,
		signal: new AbortController().signal,
		limits: { defaultCommandTimeoutMs: 1_000, maxCommandTimeoutMs: 5_000 },
		propose: () => Promise.resolve(),
		onProgress: (delta: string) => shown.push(delta),
		...more
	} as unknown as ToolContext;
	return {
		made,
		ran,
		shown,
		sink,
		output: { add: (data: string) => sink.push(data), restart: () => sink.push('restart') }
	};
}
const granting = (grant: CommandGrant) => {
	const asked: unknown[][] = [];
	return {
		asked,
		permitCommand: ((...all) => (asked.push(all), Promise.resolve(grant))) as ToolContext['permitCommand']
	};
};

describe('a command', () => {
	it('lasts as long as it asks, up to the most that is allowed', () => {
		const { made } = context();
		expect([undefined, 200, 5_000, 9_000].map((asked) => commandTimeout(made, asked))).toEqual([
			1_000, 200, 5_000, 5_000
		]);
	});

	it('has the host’s own line before it', () => {
		expect(commandLine(context().made, 'make')).toBe('make');
		expect(commandLine(context({ commandPrefix: 'set -e' }).made, 'make')).toBe('set -e\nmake');
	});

	it('is proposed where nothing judges commands, by its beginning if it is long', async () => {
		const proposed: unknown[] = [];
		const propose = (change: unknown) => Promise.resolve(void proposed.push(change));
		const { made, output } = context({ propose } as Partial<ToolContext>);
		const permitted = await permitCommand(made, { command: 'x'.repeat(201), timeoutMs: 1 }, output);
		expect(permitted).toEqual({ kind: 'run', rights: ALL_RIGHTS, cwd: '/work' });
		await permitCommand(made, { command: 'y'.repeat(200), directory: 'src', timeoutMs: 1 }, output);
		await permitCommand(made, { command: 'make', directory: '/tmp', description: 'Build', timeoutMs: 1 }, output);
		const change = { kind: 'execute', cwd: '/work' };
		expect(proposed).toEqual([
			{ ...change, command: 'x'.repeat(201), description: `Run \`${'x'.repeat(200)}…\`` },
			{ ...change, command: 'y'.repeat(200), cwd: '/work/src', description: `Run \`${'y'.repeat(200)}\`` },
			{ ...change, command: 'make', cwd: '/tmp', description: 'Build' }
		]);
	});

	it('is judged with all that it would run with', async () => {
		const { asked, permitCommand: judge } = granting({ kind: 'run', rights: READ_ONLY_RIGHTS });
		const { made, ran, output, sink, shown } = context({ permitCommand: judge!, commandPrefix: 'set -e' });
		const call = { command: 'cat', timeoutMs: 700, stdin: 'in', background: true };
		expect(await runCommand(made, call, output)).toEqual({ result: ended, timeoutMs: 700, aborted: false });
		expect(asked[0]?.[0]).toMatchObject({
			kind: 'execute',
			command: 'cat',
			background: true,
			description: 'Run `cat`'
		});
		expect(asked[0]?.[1]).toMatchObject({ line: 'set -e\ncat', cwd: '/work', stdin: 'in', timeoutMs: 700 });
		expect(ran).toEqual([
			[
				'set -e\ncat',
				expect.objectContaining({
					cwd: '/work',
					stdin: 'in',
					timeoutMs: 700,
					rights: READ_ONLY_RIGHTS,
					takesTemporaryFiles: true,
					maxOutputCharacters: 0,
					signal: made.signal
				})
			]
		]);
		// Output of a trial run is ignored.
		expect(sink).toEqual(['restart', 'out']);
		expect(shown).toEqual(['out']);
	});

	it('that has run on trial is not run again', async () => {
		const result = { ...ended, exitCode: 4 };
		const { permitCommand: judge } = granting({ kind: 'ended', result });
		const { made, ran, output, sink } = context({ permitCommand: judge! });
		expect((await runCommand(made, { command: 'make', timeoutMs: 1 }, output)).result).toBe(result);
		expect(ran).toEqual([]);
		expect(sink).toEqual([]);
	});

	it('does not run once the run has been stopped', async () => {
		const { permitCommand: judge } = granting({ kind: 'run', rights: ALL_RIGHTS });
		const stopped = context({ permitCommand: judge!, signal: AbortSignal.abort() });
		await expect(runCommand(stopped.made, { command: 'make', timeoutMs: 1 }, stopped.output)).rejects.toThrow();
		expect(stopped.ran).toEqual([]);
	});
});

describe('the details of a command', () => {
	it('say how it ended, and that the user stopped it', () => {
		const details = { command: 'make', exitCode: 0, durationMs: 2, timedOut: false, truncated: false };
		expect(commandDetails('make', { result: ended, timeoutMs: 1, aborted: false })).toEqual(details);
		expect(commandDetails('make', { result: { ...ended, exitCode: 130 }, timeoutMs: 1, aborted: true })).toEqual({
			...details,
			exitCode: 130,
			refused: true
		});
	});

	it.each([
		[130, true, true],
		[130, false, false],
		[1, true, false]
	])('of exit code %i, stopped %s, are a stop: %s', async (exitCode, isStopped, aborted) => {
		const controller = new AbortController();
		const { made, output } = context({ signal: controller.signal }, { ...ended, exitCode });
		const exec = made.environment.exec.bind(made.environment);
		made.environment.exec = (command, options) => {
			if (isStopped) controller.abort();
			return exec(command, options);
		};
		expect((await runCommand(made, { command: 'make', timeoutMs: 1 }, output)).aborted).toBe(aborted);
	});
});
