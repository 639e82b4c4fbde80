import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ExecOptions, ExecResult, ExecutionEnvironment, OutputChunk, Process } from '#environment/contract.ts';
import type { CommandExecution, ProposedCommand, ToolContext } from '#agent/tool.ts';
import { BackgroundProcesses } from '#agent/tools/background.ts';
import { ReadLedger } from '#agent/guards/read-ledger.ts';
import { listProcesses } from '#agent/tools/list-processes.ts';
import { plainOutput } from '#agent/tools/plain-output.ts';
import { shellInput } from '#agent/tools/shell-input.ts';
import { shell } from '#agent/tools/shell.ts';
import { TemporaryFiles } from '#agent/tools/temporary-files.ts';
import { createToolLimits } from '#agent/tools/truncation.ts';
import { wholeOutputPath } from '#agent/tools/whole-output.ts';
import { createHarness, memoryState } from '#test/contract/tools/harness.ts';

afterEach(() => void vi.useRealTimers());

const ENDED: ExecResult = { stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 12.6 };

/** A process that the test ends, and that records the calls made on it. */
class FakeProcess implements Process {
	readonly done: string[] = [];
	end!: (result: Partial<ExecResult>) => void;
	readonly exited = new Promise<ExecResult>((resolve) => {
		this.end = (result) => resolve({ ...ENDED, ...result });
	});
	readonly pid = 7;
	write(data: string | Uint8Array): Promise<void> {
		this.done.push(`write ${String(data)}`);
		return Promise.resolve();
	}
	closeInput(): Promise<void> {
		this.done.push('close input');
		return Promise.resolve();
	}
	async kill(signal?: string): Promise<void> {
		this.done.push(`kill ${signal}`);
		this.end({ exitCode: 143 });
		await this.exited;
	}
}

/** Commands in an environment where they print and exit as given. */
function commands(result: Partial<ExecResult> = {}, output: string[] = [], overrides: Partial<ToolContext> = {}) {
	const executed: { command: string; options: ExecOptions }[] = [];
	const started: { command: string; options: ExecOptions; process: FakeProcess }[] = [];
	let print: (data: string) => void = () => undefined;
	const environment = {
		workingDirectory: () => '/work',
		fileExists: () => Promise.resolve(false),
		exec: (command: string, options: ExecOptions) => {
			executed.push({ command, options });
			for (const data of output) options.onOutput?.({ stream: 'stdout', data });
			return Promise.resolve({ ...ENDED, ...result });
		},
		start: (command: string, options: ExecOptions) => {
			const process = new FakeProcess();
			started.push({ command, options, process });
			print = (data) => options.onOutput?.({ stream: 'stdout', data });
			return Promise.resolve(process);
		}
	} as unknown as ExecutionEnvironment;
	const harness = createHarness(environment, overrides);
	return { ...harness, executed, started, print: (data: string) => print(data) };
}

describe('a command', () => {
	it.each<[string, Partial<ExecResult>, string[], string, boolean]>([
		['that printed lines', {}, ['a\n', 'b\n'], 'a\nb\n', false],
		['without output', {}, [], '(no output)', false],
		['that fails without output', { exitCode: 2 }, [], '[Exit code: 2]', true],
		['that fails behind a line', { exitCode: 2 }, ['a\n'], 'a\n[Exit code: 2]', true],
		['that fails behind a line without its end', { exitCode: 2 }, ['a'], 'a\n[Exit code: 2]', true],
		['that was interrupted by itself', { exitCode: 130 }, ['a'], 'a\n[Exit code: 130]', true],
		[
			'that takes too long',
			{ exitCode: 124, timedOut: true },
			['a'],
			'a\n[ERROR: Command timed out after 10000ms. Partial output is shown above.\nYou can retry with a longer timeout by setting the timeout_ms parameter.]',
			true
		]
	])('%s is shown with what it came to', async (_, result, output, content, isError) => {
		const { call } = commands(result, output);
		expect(await call('shell', { command: 'run' })).toEqual({
			content,
			isError,
			details: {
				command: 'run',
				exitCode: result.exitCode ?? 0,
				durationMs: 13,
				timedOut: result.timedOut ?? false,
				truncated: false
			}
		});
	});

	it.each<[string, Partial<ExecResult>, string[], string]>([
		['without output', {}, [], ''],
		['that fails without output', { exitCode: 2 }, [], 'Command exited with code 2'],
		['that fails behind output', { exitCode: 2 }, ['a\n'], 'a\n\n\nCommand exited with code 2'],
		['that takes too long', { exitCode: 124, timedOut: true }, ['a'], 'a\n\nCommand timed out after 10 seconds']
	])('of the generic profile %s is shown with what it came to', async (_, result, output, content) => {
		const { call } = commands(result, output);
		expect(await call('bash', { command: 'run' })).toEqual({
			content,
			fullOutput: content,
			isError: result.exitCode !== undefined,
			details: {
				command: 'run',
				exitCode: result.exitCode ?? 0,
				durationMs: 13,
				timedOut: result.timedOut ?? false,
				truncated: false
			}
		});
	});

	it.each(['shell', 'bash'])('of %s that the user stops counts as no failure of its own', async (name) => {
		const controller = new AbortController();
		const { registry, context, environment } = commands();
		const { exec } = environment;
		environment.exec = (command, options) => {
			controller.abort();
			return exec(command, options).then((result) => ({ ...result, exitCode: 130 }));
		};
		const result = await registry.execute(
			{ type: 'tool_call', id: 'c', name, arguments: { command: 'run' } },
			{ ...context, signal: controller.signal }
		);
		expect(result).toMatchObject({ content: 'Command aborted', isError: true, details: { refused: true } });
	});

	it('runs where and as it is asked, and is shown to the user first', async () => {
		const { call, executed, proposals, progress } = commands({}, ['a', 'b']);
		await call('shell', { command: 'run', working_dir: 'src/../lib', timeout_ms: 5_000, description: 'Runs it' });
		expect(executed).toEqual([
			{
				command: 'run',
				options: {
					cwd: '/work/lib',
					timeoutMs: 5_000,
					signal: expect.any(AbortSignal),
					maxOutputCharacters: 0,
					onOutput: expect.any(Function),
					takesTemporaryFiles: true
				}
			}
		]);
		expect(proposals).toEqual([{ kind: 'execute', command: 'run', cwd: '/work/lib', description: 'Runs it' }]);
		expect(progress).toEqual(['a', 'b']);
	});

	it('is described by itself, up to 200 characters', async () => {
		const described = async (command: string): Promise<string | undefined> => {
			const { call, proposals } = commands();
			await call('shell', { command });
			return proposals[0]?.description;
		};
		expect(await described('run it')).toBe('Run `run it`');
		expect(await described('x'.repeat(200))).toBe(`Run \`${'x'.repeat(200)}\``);
		expect(await described('x'.repeat(201))).toBe(`Run \`${'x'.repeat(200)}…\``);
	});

	it('gets the time that it asks for, within what the session allows', async () => {
		const limits = createToolLimits({ defaultCommandTimeoutMs: 3_000, maxCommandTimeoutMs: 9_000 });
		const { call, executed } = commands({}, [], { limits });
		await call('shell', { command: 'run' });
		await call('shell', { command: 'run', timeout_ms: 9_000 });
		await call('shell', { command: 'run', timeout_ms: 9_001 });
		await call('bash', { command: 'run', timeout: 2.5 });
		expect(executed.map(({ options }) => options.timeoutMs)).toEqual([3_000, 9_000, 9_000, 2_500]);
	});

	it('is told that no longer time is to be had once it has the most', async () => {
		const limits = createToolLimits({ maxCommandTimeoutMs: 9_000 });
		const { call } = commands({ exitCode: 124, timedOut: true }, [], { limits });
		expect((await call('shell', { command: 'run', timeout_ms: 9_000 })).content).toBe(
			'[ERROR: Command timed out after 9000ms. Partial output is shown above.\nThere is no longer timeout. Run a part of it, or run it in the background.]'
		);
		expect((await call('shell', { command: 'run', timeout_ms: 8_999 })).content).toContain('You can retry');
	});

	it('is told to run it in the background where it cannot set the limit', async () => {
		const advice = async (timeout_ms: string | null): Promise<string> => {
			const { call } = commands({ exitCode: 124, timedOut: true }, [], { parameterNames: { timeout_ms } });
			return (await call('shell', { command: 'run' })).content;
		};
		expect(await advice(null)).toContain('There is no longer timeout.');
		expect(await advice('timeout')).toContain('by setting the timeout parameter.');
	});

	it('that has run on trial is not run again, however long it may be waited for', async () => {
		const { call, executed, started } = commands({}, [], {
			permitCommand: () => Promise.resolve({ kind: 'ended', result: ENDED })
		});
		expect((await call('shell', { command: 'run', yield_time_ms: 500 })).content).toBe('(no output)');
		expect((await call('shell', { command: 'run', run_in_background: true })).content).toBe('(no output)');
		expect([executed, started]).toEqual([[], []]);
	});

	it('shows the model no colours, and the user what was printed', async () => {
		const { call } = commands({}, ['\u001b[31mred\u001b[0m\n']);
		expect(await call('shell', { command: 'run' })).toMatchObject({
			content: 'red\n',
			fullOutput: '\u001b[31mred\u001b[0m\n'
		});
		expect(await commands({}, ['plain\n']).call('shell', { command: 'run' })).not.toHaveProperty('fullOutput');
	});

	it('names a file with the whole of an output that the model sees in part, until the session ends', async () => {
		const lines = Array.from({ length: 400 }, (_, index) => `line ${index + 1}\n`);
		const { call, started, context, environment } = commands({}, lines);
		const { start } = environment;
		environment.start = async (command, options) => {
			const process = await start(command, options);
			process.closeInput = () => Promise.resolve(started.at(-1)?.process.end({}));
			return process;
		};
		const { content, note } = await call('shell', { command: 'seq it' });
		expect(content).toBe(lines.join(''));
		expect(note).toBe('[The whole output, 400 lines, is in /tmp/sandglass-shell-call-1.log]');
		expect(started.map(({ command, process }) => [command, process.done])).toEqual([
			['cat > /tmp/sandglass-shell-call-1.log', [`write ${lines.join('')}`]]
		]);
		const removed: string[] = [];
		environment.fileExists = () => Promise.resolve(true);
		environment.remove = async (path) => void removed.push(path);
		for (let count = 0; count < 2; count++) await TemporaryFiles.of(context.state).removeAll(environment);
		expect(removed).toEqual(['/tmp/sandglass-shell-call-1.log']);
	});

	it('names no file where it is shown whole, or where none could be written', async () => {
		expect(await commands({}, ['short\n']).call('shell', { command: 'run' })).not.toHaveProperty('note');
		const { call, context, environment } = commands({}, ['line\n'.repeat(400)]);
		environment.start = () => Promise.reject(new Error('no process'));
		expect(await call('shell', { command: 'run' })).not.toHaveProperty('note');
		environment.fileExists = () => Promise.reject(new Error('It has no file to look for.'));
		await TemporaryFiles.of(context.state).removeAll(environment);
	});

	it('removes no kept file that is gone already', async () => {
		const { environment } = commands();
		environment.remove = () => Promise.reject(new Error('It is gone.'));
		const files = new TemporaryFiles();
		files.add('/tmp/gone');
		await files.removeAll(environment);
	});

	it('makes known to the model what it wrote and what it was shown, for edits', async () => {
		const { call, context } = commands({}, ['printed by the command\n']);
		await call('shell', { command: 'echo written in the command' });
		const ledger = ReadLedger.of(context.state);
		expect(ledger.wasInShell('written in the command')).toBe(true);
		expect(ledger.wasInShell('printed by the command')).toBe(true);
		expect(ledger.wasInShell('neither of the two')).toBe(false);
	});

	it('runs alone, as what is typed into one does, and looks are no loop', () => {
		const { registry } = commands();
		expect(['shell', 'shell_input'].map((name) => registry.access(name))).toEqual(['write', 'write']);
		expect([shell, shellInput, listProcesses].map(({ polls = false }) => polls)).toEqual([false, true, true]);
		expect(listProcesses.access).toBe('read');
	});

	it('runs behind the lines of the host, and on trial with them too', async () => {
		const tried: [ProposedCommand, CommandExecution][] = [];
		const { call, executed, proposals, progress } = commands({}, [], {
			commandPrefix: 'set -e',
			permitCommand: (change, exec) => {
				tried.push([change, exec]);
				exec.onOutput?.({ stream: 'stdout', data: 'tried\n' });
				exec.onRestart?.();
				exec.onOutput?.({ stream: 'stdout', data: 'ran\n' });
				return Promise.resolve({ kind: 'ended', result: { ...ENDED, exitCode: 3 } });
			}
		});
		const result = await call('shell', { command: 'run' });
		expect(result.content).toBe('ran\n[Exit code: 3]');
		expect(tried[0]?.[0]).toEqual({
			kind: 'execute',
			command: 'run',
			cwd: '/work',
			description: 'Run `run`',
			background: false
		});
		expect(tried[0]?.[1]).toMatchObject({ line: 'set -e\nrun', cwd: '/work', timeoutMs: 10_000 });
		expect([executed, proposals, progress]).toEqual([[], [], ['tried\n', 'ran\n']]);
	});

	it('that may run after a trial shows only what it prints then, with the rights that it has', async () => {
		const rights = { write: false } as never;
		const { call, executed } = commands({}, ['ran\n'], {
			permitCommand: (_, exec) => {
				exec.onOutput?.({ stream: 'stdout', data: 'tried\n' });
				return Promise.resolve({ kind: 'run', rights });
			}
		});
		expect((await call('shell', { command: 'run' })).content).toBe('ran\n');
		expect((await call('bash', { command: 'run' })).content).toBe('ran\n');
		expect(executed.map(({ options }) => options.rights)).toEqual([rights, rights]);
	});

	it('does not run once the user has stopped while it was asked about', async () => {
		const controller = new AbortController();
		const { call, executed } = commands({}, [], {
			signal: controller.signal,
			propose: () => (controller.abort(), Promise.resolve())
		});
		expect((await call('shell', { command: 'run' })).content).toBe('Operation aborted');
		expect(executed).toEqual([]);
	});
});

describe('a command in the background', () => {
	const RUNNING = '[Process 1 is running. Use its number 1 to read its output, write to it or end it.]';

	it('is shown with its number, then with what it printed since, then with its end', async () => {
		const { call, started, print, executed } = commands({}, [], { commandPrefix: 'set -e' });
		expect(await call('shell', { command: 'serve', run_in_background: true, working_dir: 'src' })).toEqual({
			content: RUNNING,
			details: { command: 'serve', processId: 1, running: true },
			isError: false
		});
		expect(executed).toEqual([]);
		expect(started).toMatchObject([
			{ command: 'set -e\nserve', options: { cwd: '/work/src', takesTemporaryFiles: true } }
		]);
		print('up\n');
		expect((await call('shell_input', { session_id: 1, yield_time_ms: 0 })).content).toBe(`up\n${RUNNING}`);
		print('half');
		started[0]?.process.end({ exitCode: 2, durationMs: 99.5 });
		expect(await call('shell_input', { session_id: 1, yield_time_ms: 0 })).toEqual({
			content: 'half\n[Process 1 exited with code 2]',
			details: { command: 'serve', processId: 1, running: false, exitCode: 2, durationMs: 100 },
			isError: true
		});
		expect((await call('shell_input', { session_id: 1, yield_time_ms: 0 })).content).toBe(
			'[Process 1 exited with code 2]'
		);
	});

	it('keeps what was printed before it was known, and shows it to the user as it comes', async () => {
		const { call, environment, progress } = commands();
		const { start } = environment;
		environment.start = (command, options) => {
			options?.onOutput?.({ stream: 'stdout', data: 'early\n' });
			return start(command, options);
		};
		const { content } = await call('shell', { command: 'serve', run_in_background: true });
		expect(content).toBe(`early\n${RUNNING}`);
		expect(progress).toEqual(['early\n']);
	});

	it('is one that still runs when its time to wait is over, or has ended by then', async () => {
		vi.useFakeTimers();
		const { call, started } = commands();
		const waiting = call('shell', { command: 'serve', yield_time_ms: 500 });
		await vi.advanceTimersByTimeAsync(499);
		const early = await Promise.race([waiting, Promise.resolve('waits')]);
		expect(early).toBe('waits');
		await vi.advanceTimersByTimeAsync(1);
		expect((await waiting).content).toBe(RUNNING);
		const quick = call('shell', { command: 'build', yield_time_ms: 500 });
		await vi.advanceTimersByTimeAsync(10);
		started[1]?.process.end({});
		expect(await quick).toMatchObject({ content: '[Process 2 exited with code 0]', isError: false });
		expect(vi.getTimerCount()).toBe(0);
	});

	it('ends with the run that waits for it, and shows the user nothing after that', async () => {
		const controller = new AbortController();
		const { call, started, print, progress } = commands({}, [], { signal: controller.signal });
		const waiting = call('shell', { command: 'serve', yield_time_ms: 60_000 });
		await vi.waitFor(() => expect(started).toHaveLength(1), 10_000);
		controller.abort();
		await waiting;
		expect(started[0]?.process.done).toEqual(['kill SIGTERM']);
		print('late\n');
		expect(progress).toEqual([]);
	});

	it('is waited for a second by a look, or as long as asked, at most a minute', async () => {
		vi.useFakeTimers();
		const { call } = commands();
		await call('shell', { command: 'serve', run_in_background: true });
		const waits = async (args: Record<string, unknown>): Promise<number> => {
			const fromMs = Date.now();
			const look = call('shell_input', { session_id: 1, ...args });
			await vi.runAllTimersAsync();
			await look;
			return Date.now() - fromMs;
		};
		expect(await waits({})).toBe(1_000);
		expect(await waits({ yield_time_ms: 20 })).toBe(20);
		expect(await waits({ yield_time_ms: 60_001 })).toBe(60_000);
	});

	it('leaves nothing at the signal of the run that waited for it', async () => {
		const { signal } = new AbortController();
		const added = vi.spyOn(signal, 'addEventListener');
		const removed = vi.spyOn(signal, 'removeEventListener');
		const { call } = commands({}, [], { signal });
		await call('shell', { command: 'serve', run_in_background: true });
		await call('shell_input', { session_id: 1, yield_time_ms: 1 });
		const listeners = (calls: unknown[][]) => calls.map(([type, listener]) => [type, listener]);
		expect(added).toHaveBeenCalled();
		expect(listeners(removed.mock.calls)).toEqual(listeners(added.mock.calls));
	});

	it('gets what is typed once the user allows it, an interrupt and the end of its input without asking', async () => {
		const { call, started, proposals } = commands();
		await call('shell', { command: 'serve', run_in_background: true });
		proposals.length = 0;
		const input = (chars?: string) =>
			call('shell_input', { session_id: 1, yield_time_ms: 0, ...(chars ? { chars } : {}) });
		await input();
		await input('y\n');
		await input('x'.repeat(81));
		await input('\u0004');
		expect(started[0]?.process.done).toEqual(['write y\n', `write ${'x'.repeat(81)}`, 'close input']);
		await input('x'.repeat(80));
		expect(proposals.pop()?.description).toBe(`Write "${'x'.repeat(80)}" to \`serve\``);
		expect(proposals).toEqual([
			{ kind: 'execute', command: 'serve', input: 'y\n', cwd: '/work', description: 'Write "y\\n" to `serve`' },
			{
				kind: 'execute',
				command: 'serve',
				input: 'x'.repeat(81),
				cwd: '/work',
				description: `Write "${'x'.repeat(80)}…" to \`serve\``
			}
		]);
		await input('\u0003');
		expect(started[0]?.process.done.at(-1)).toBe('kill SIGINT');
		await input('more');
		expect(started[0]?.process.done.at(-1)).toBe('kill SIGINT');
		expect(proposals).toHaveLength(2);
	});

	it('that is ended when asked is no failure, and one that had failed before stays one', async () => {
		const { call, started } = commands();
		for (const command of ['a', 'b']) await call('shell', { command, run_in_background: true });
		expect(await call('shell_input', { session_id: 1, kill: true })).toMatchObject({
			content: '[Process 1 exited with code 143]',
			isError: false
		});
		expect(started[0]?.process.done).toEqual(['kill SIGTERM']);
		started[1]?.process.end({ exitCode: 9 });
		await started[1]?.process.exited;
		expect(await call('shell_input', { session_id: 2, kill: true })).toMatchObject({
			content: '[Process 2 exited with code 9]',
			isError: true
		});
	});

	it('is looked for by its number, and those there are are named', async () => {
		const { call } = commands();
		expect((await call('shell_input', { session_id: 3 })).content).toBe(
			'There is no background process 3. Known: none.'
		);
		for (const command of ['a', 'b']) await call('shell', { command, run_in_background: true });
		expect((await call('shell_input', { session_id: 3 })).content).toBe(
			'There is no background process 3. Known: 1, 2.'
		);
	});

	it('is listed with its state', async () => {
		const { call, context, started } = commands();
		expect(await listProcesses.execute({}, context)).toEqual({
			content: 'No background processes.',
			details: { count: 0 },
			isError: false
		});
		for (const command of ['a', 'b']) await call('shell', { command, run_in_background: true });
		started[0]?.process.end({ exitCode: 1 });
		await started[0]?.process.exited;
		expect(await listProcesses.execute({}, context)).toEqual({
			content: '1: a (exited with 1)\n2: b (running)',
			details: { count: 2 },
			isError: false
		});
		const processes = BackgroundProcesses.of(context.state);
		expect(processes.running()).toEqual([{ id: 2, command: 'b' }]);
		await processes.killAll();
		expect(started.map(({ process }) => process.done)).toEqual([[], ['kill SIGTERM']]);
		expect(processes.running()).toEqual([]);
	});

	it('keeps a million characters between two looks, the last of them', async () => {
		const processes = BackgroundProcesses.of(memoryState());
		let print: (chunk: OutputChunk) => void = () => undefined;
		const added = await processes.start('yes', (onOutput) => {
			print = onOutput;
			return Promise.resolve(new FakeProcess());
		});
		const chunk = (data: string): OutputChunk => ({ stream: 'stdout', data });
		print(chunk(`${'a'.repeat(999_999)}\n`));
		expect(added.take()).toBe(`${'a'.repeat(999_999)}\n`);
		print(chunk(`xyz${'b'.repeat(999_999)}\n`));
		print(chunk('c\n'));
		expect(added.take()).toBe(`[5 earlier characters were dropped]\n${'b'.repeat(999_997)}\nc\n`);
		print(chunk('d\n'));
		expect(added.take()).toBe('d\n');
	});
});

it.each([
	['\u001b[1;31mred\u001b[0m', 'red'],
	['\u001b[?25la\u001b[2K', 'a'],
	['\u001b]0;title\u0007a', 'a'],
	['\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\', 'link'],
	['\u001bMa\u001b\\b', 'ab'],
	['a\r\nb\r\n', 'a\nb\n'],
	[' 10%\r 20%\r100%\n', '100%\n'],
	['a\rb\nc\rd', 'b\nd'],
	['ends so\r', 'ends so\r'],
	['a [31m b', 'a [31m b']
])('shows the output %j as %j', (output, plain) => {
	expect(plainOutput(output)).toBe(plain);
});

it.each([
	['call_1-a', '/tmp/sandglass-shell-call_1-a.log'],
	['../../etc/x y$', '/tmp/sandglass-shell-etcxy.log'],
	[`${'a'.repeat(30)}${'b'.repeat(40)}`, `/tmp/sandglass-shell-${'b'.repeat(40)}.log`],
	['/.', '/tmp/sandglass-shell-call.log']
])('keeps the whole output of the call %j in %s', (callId, path) => {
	expect(wholeOutputPath({ callId } as ToolContext)).toBe(path);
});
