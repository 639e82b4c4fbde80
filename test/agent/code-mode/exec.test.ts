import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createExec } from '#agent/code-mode/exec.ts';
import { MESSAGE_MARK } from '#agent/code-mode/script.ts';
import { PermissionDenied } from '#agent/guards/refusals.ts';
import type { ToolBinding, ToolContext } from '#agent/tool.ts';
import {
	READ_ONLY_RIGHTS,
	type ExecOptions,
	type ExecResult,
	type ExecutionEnvironment
} from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { inTime } from '#test/in-time.ts';
import { fakeTool } from '../fake-tools.ts';

/** Behavior of a script's process: it prints, waits for answers, ends. */
interface Play {
	print(data: string, stream?: 'stdout' | 'stderr'): void;
	/** Prints a request and resolves with its answer. */
	call(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
	/** Resolves with the signal that ends the process. */
	ended: Promise<string>;
}

/** Runs `exec` in an environment whose only process is simulated by the test. */
async function exec(
	play: (process: Play) => Promise<number> | number,
	tools: ToolBinding[] = [],
	options: { callId?: string; signal?: AbortSignal; enforcesRights?: boolean; startFails?: Error } = {}
) {
	const { callId = 'call_1', signal = new AbortController().signal, enforcesRights = true, startFails } = options;
	const files: [string, string][] = [];
	const removed: string[] = [];
	const killed: string[] = [];
	const started: [string, ExecOptions][] = [];
	const answers: Record<string, unknown>[] = [];
	const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
	let serial = 0;
	const start = async (command: string, given: ExecOptions) => {
		if (startFails) throw startFails;
		if (given.rights && !enforcesRights) throw new EnvironmentError('EUNAVAILABLE', 'Nothing enforces rights here.');
		started.push([command, given]);
		let end: (signal: string) => void = () => undefined;
		const ended = new Promise<string>((resolve) => (end = resolve));
		const print: Play['print'] = (data, stream = 'stdout') => given.onOutput?.({ stream, data });
		const call: Play['call'] = (name, args = {}) =>
			new Promise((resolve) => {
				waiting.set(++serial, resolve);
				print(`${MESSAGE_MARK}${JSON.stringify({ type: 'call', id: serial, name, arguments: args })}\n`);
			});
		const exited = Promise.resolve(play({ print, call, ended })).then((exitCode): ExecResult => {
			return { stdout: '', stderr: '', exitCode, timedOut: false, durationMs: 1 };
		});
		return {
			exited,
			kill: async (name: string) => (killed.push(name), end(name)),
			write: async (line: string) => {
				const answer = JSON.parse(line) as { id: number };
				answers.push(answer as never);
				waiting.get(answer.id)?.(answer as never);
			}
		};
	};
	const environment = {
		start,
		workingDirectory: () => '/work',
		writeFile: async (path: string, text: string) => void files.push([path, text]),
		remove: async (path: string) => void removed.push(path)
	} as unknown as ExecutionEnvironment;
	const propose = vi.fn(async () => undefined);
	const onProgress = vi.fn();
	const context = { environment, signal, callId, propose, onProgress } as unknown as ToolContext;
	const result = createExec(tools).execute({ input: 'text(1)' }, context);
	const outcome = result.then(
		(value) => ({
			...value,
			content: value.content.replace(/Wall time [\d.]+/, 'Wall time 0'),
			seconds: Number(/Wall time ([\d.]+) seconds/.exec(value.content)?.[1])
		}),
		(error: unknown) => ({ thrown: error, content: '', isError: true, details: undefined, seconds: 0 })
	);
	const ended = await inTime(outcome, 'the end of the script');
	return { ...ended, files, removed, killed, started, answers, propose, onProgress };
}
const message = (value: object) => `${MESSAGE_MARK}${JSON.stringify(value)}\n`;
const completed = (body: string) => `Script completed\nWall time 0 seconds\nOutput:\n${body}`;

describe('a script of code mode', () => {
	it('is a program that may only read, and leaves no file behind', async () => {
		const run = await exec(() => 0, [], { callId: `call/../${'x'.repeat(60)}` });
		const path = `/tmp/sandglass-script-${'x'.repeat(40)}.cjs`;
		expect(run.files).toEqual([[path, expect.stringContaining('text(1)')]]);
		expect(run.removed).toEqual([path]);
		expect(run.started).toEqual([
			[`node ${path}`, expect.objectContaining({ rights: READ_ONLY_RIGHTS, timeoutMs: 600_000 })]
		]);
		expect(run.propose).not.toHaveBeenCalled();
		expect(run).toMatchObject({ content: completed(''), isError: false, details: { calls: 0, exitCode: 0 } });
		expect((await exec(() => 0, [], { callId: '/..' })).removed).toEqual(['/tmp/sandglass-script-call.cjs']);
	});

	it('is proposed as a whole where nothing enforces rights', async () => {
		const run = await exec(() => 0, [], { enforcesRights: false });
		expect(run.propose).toHaveBeenCalledExactlyOnceWith({
			kind: 'execute',
			command: 'text(1)',
			cwd: '/work',
			description: 'Run a script'
		});
		expect(run.started.map(([, { rights }]) => rights)).toEqual([undefined]);
		expect(run.content).toBe(completed(''));
	});

	it.each([new EnvironmentError('EIO', 'The disk is gone.'), new Error('The worker is gone.')])(
		'is proposed for no other reason: %s',
		async (startFails) => {
			const run = await exec(() => 0, [], { startFails });
			expect(run).toMatchObject({ thrown: startFails });
			expect(run.propose).not.toHaveBeenCalled();
			expect(run.removed).toHaveLength(1);
		}
	);

	it('knows the tools by name, and what each does', async () => {
		const tools = [fakeTool('look', () => ''), fakeTool('change', () => '')];
		const { description, schema, access, guardsItself } = createExec(tools);
		expect(description).toMatch(/tools: look, change; ALL_TOOLS tells what each does/);
		const told = tools.map(({ definition }) => ({ name: definition.name, description: definition.description }));
		expect((await exec(() => 0, tools)).files[0]?.[1]).toContain(`const ALL_TOOLS = ${JSON.stringify(told)};`);
		expect(schema.safeParse({ input: '' }).success).toBe(false);
		expect(schema.safeParse({ input: 'text(1)' }).success).toBe(true);
		// It runs alone, and in plan mode too: calls in it that change something are refused one by one.
		expect([access, guardsItself]).toEqual(['write', true]);
	});

	it('says how long it took, and is not ended after that', async () => {
		vi.useFakeTimers({ toFake: ['performance'] });
		onTestFinished(() => void vi.useRealTimers());
		vi.advanceTimersByTime(5_000);
		const controller = new AbortController();
		const run = await exec(() => (vi.advanceTimersByTime(2_340), 0), [], { signal: controller.signal });
		expect(run.seconds).toBe(2.3);
		controller.abort();
		expect(run.killed).toEqual([]);
	});

	it('shows what it printed and what it was told to show, in pieces or not', async () => {
		const { content, details, answers } = await exec(({ print }) => {
			print('\nplain\nhalf');
			print(` a line\n${message({ type: 'text', text: 'shown' })}`);
			// Invalid messages are dropped: the program may print anything.
			print(`${MESSAGE_MARK}{not json\n${message({ type: 'unheard of' })}${message({ type: 'done' })}`);
			print('without an end');
			return 0;
		});
		expect(content).toBe(completed('\nplain\nhalf a line\nshown'));
		expect([details, answers]).toEqual([{ calls: 0, exitCode: 0 }, []]);
	});

	it.each<[string, Parameters<typeof exec>[0], string, number]>([
		['an error of its own', ({ print }) => (print(message({ type: 'failed', message: 'boom' })), 0), 'boom', 0],
		[
			'what it wrote to standard error',
			({ print }) => (print('syn', 'stderr'), print('tax', 'stderr'), 1),
			'syntax',
			1
		],
		['its exit code alone', () => 7, 'Exit code 7', 7]
	])('fails with %s', async (_, play, reason, exitCode) => {
		expect(await exec(play)).toMatchObject({
			content: `Script failed\nWall time 0 seconds\nOutput:\nScript error:\n${reason}`,
			isError: true,
			details: { calls: 0, exitCode }
		});
	});

	it.each(['while it starts', 'while it runs'])('is ended when the run is stopped %s', async (when) => {
		const controller = new AbortController();
		const run = await exec(
			async ({ ended }) => {
				if (when === 'while it runs') await new Promise((resolve) => setImmediate(resolve));
				controller.abort(new DOMException('stopped', 'AbortError'));
				expect(await ended).toBe('SIGTERM');
				return 143;
			},
			[],
			{ signal: controller.signal }
		);
		expect(run).toMatchObject({ thrown: { name: 'AbortError' } });
		expect(run.removed).toHaveLength(1);
	});
});

describe('a tool that a script calls', () => {
	const command = fakeTool('sh', ({ content }) => ({
		content: String(content),
		details: { exitCode: 3, durationMs: 1500 },
		isError: true
	}));

	it('answers with its text, or with an error', async () => {
		const tools = [
			fakeTool('look', ({ path }) => `of ${String(path)}`),
			fakeTool('fail', () => ({ content: 'No such file', isError: true }))
		];
		const run = await exec(async ({ call }) => {
			await call('look', { path: 'a' });
			await call('fail');
			return 0;
		}, tools);
		expect(run.answers).toEqual([
			{ id: 1, isError: false, value: 'of a' },
			{ id: 2, isError: true, value: 'No such file' }
		]);
		expect(run.details).toEqual({ calls: 2, exitCode: 0 });
		expect(run.onProgress.mock.calls).toEqual([['tools.look({"path":"a"})\n'], ['tools.fail({})\n']]);
	});

	it.each([
		['out\n[Exit code: 3]', 'out\n'],
		['out\n[Exit code: 137]', 'out\n'],
		['[Exit code: 3]', ''],
		['(no output)', ''],
		['a [Exit code: 3]', 'a [Exit code: 3]'],
		['[Exit code: 3]\nmore', '[Exit code: 3]\nmore']
	])('that is a command answers %j with its output alone, never with an error', async (content, output) => {
		const run = await exec(async ({ call }) => (await call('sh', { content }), 0), [command]);
		expect(run.answers).toEqual([{ id: 1, isError: false, value: { output, exit_code: 3, wall_time_seconds: 1.5 } }]);
	});

	it('writes one after another, and reads at the same time', async () => {
		const order: string[] = [];
		const step = (name: string, access: 'read' | 'write') =>
			fakeTool(
				name,
				async ({ text }) => {
					order.push(`${String(text)} begins`);
					await new Promise((resolve) => setImmediate(resolve));
					order.push(`${String(text)} ends`);
					return '';
				},
				access
			);
		await exec(
			async ({ call }) => {
				await Promise.all([call('write', { text: 'w1' }), call('write', { text: 'w2' })]);
				await Promise.all([call('read', { text: 'r1' }), call('read', { text: 'r2' })]);
				return 0;
			},
			[step('write', 'write'), step('read', 'read')]
		);
		expect(order.slice(0, 4)).toEqual(['w1 begins', 'w1 ends', 'w2 begins', 'w2 ends']);
		expect(order.slice(4, 6)).toEqual(['r1 begins', 'r2 begins']);
	});

	it('that writes does not wait for one that reads', async () => {
		let written: () => void = () => undefined;
		const isWritten = new Promise<void>((resolve) => (written = resolve));
		const tools = [
			fakeTool('read', () => isWritten.then(() => 'read')),
			fakeTool('write', () => (written(), 'written'), 'write')
		];
		const run = await exec(async ({ call }) => {
			await Promise.all([call('read'), call('write')]);
			return 0;
		}, tools);
		expect(run.answers.map(({ value }) => value).sort()).toEqual(['read', 'written']);
	});

	it('is shown to the user with 300 characters of its arguments', async () => {
		const run = await exec(
			async ({ call }) => (await call('look', { text: 'x'.repeat(400) }), 0),
			[fakeTool('look', () => '')]
		);
		expect(run.onProgress.mock.calls).toEqual([[`tools.look({"text":"${'x'.repeat(291)})\n`]]);
	});

	it('that the user denied ends the script and the run', async () => {
		const denied = fakeTool('write', () => {
			throw new PermissionDenied('The user said no.');
		});
		const run = await exec(
			async ({ call, ended }) => {
				void call('write');
				expect(await ended).toBe('SIGTERM');
				return 143;
			},
			[denied]
		);
		expect(run).toMatchObject({ thrown: expect.any(PermissionDenied) });
		expect(run.answers).toEqual([]);
	});
});
