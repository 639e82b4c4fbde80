import { describe, expect, it } from 'vitest';
import { ProjectHooks } from '#agent/extensions/project-hooks/project-hooks.ts';
import type { ProjectHook } from '#agent/extensions/project-hooks/settings.ts';
import type { ToolContext, ToolResult } from '#agent/tool.ts';
import type { ExecOptions, ExecutionEnvironment } from '#environment/contract.ts';

interface Ending {
	prints?: string;
	exitCode?: number;
	timedOut?: boolean;
	/** The run is aborted while the command runs. */
	stops?: boolean;
}

/** Hooks whose commands print and exit as their names specify. */
function hooked(hooks: readonly ProjectHook[], endings: Record<string, Ending> = {}) {
	const ran: { command: string; stdin: unknown }[] = [];
	const emitted: Record<string, unknown>[] = [];
	const controller = new AbortController();
	const environment = {
		workingDirectory: () => '/work',
		exec: async (command: string, { stdin, onOutput }: ExecOptions) => {
			ran.push({ command, stdin: JSON.parse(String(stdin)) });
			const { prints = '', exitCode = 0, timedOut = false, stops = false } = endings[command] ?? {};
			onOutput?.({ stream: 'stdout', data: prints });
			if (stops) controller.abort();
			return { stdout: '', stderr: '', exitCode: stops ? 130 : exitCode, timedOut, durationMs: 1 };
		}
	} as unknown as ExecutionEnvironment;
	const context = {
		callId: 'call_1',
		environment,
		signal: controller.signal,
		propose: () => Promise.resolve(),
		onProgress: () => undefined
	} as unknown as ToolContext;
	const project = new ProjectHooks(
		() => hooks,
		(body) => emitted.push({ ...body })
	);
	const commands = () => ran.map(({ command }) => command);
	return { project, context, ran, commands, emitted };
}

const limits = { timeout_seconds: 60 };
const call = { names: ['edit_file', 'Edit'] as const, arguments: { file_path: 'a.ts' } };
const result: ToolResult = { content: 'edited', isError: false };

describe('hooks around a call', () => {
	const around = (event: 'before_tool' | 'after_tool', command: string, tools?: string[]): ProjectHook => ({
		...limits,
		event,
		command,
		...(tools ? { tools } : {})
	});

	it('run for the tools that they name, by either name, or for all', () => {
		const concerns = (hook: ProjectHook, event: 'before_tool' | 'after_tool' = 'before_tool') =>
			hooked([hook]).project.concerns(event, call);
		expect(concerns(around('before_tool', 'x'))).toBe(true);
		expect(concerns(around('before_tool', 'x', ['edit_file']))).toBe(true);
		expect(concerns(around('before_tool', 'x', ['shell', 'Edit']))).toBe(true);
		expect(concerns(around('before_tool', 'x', ['shell']))).toBe(false);
		expect(concerns(around('before_tool', 'x'), 'after_tool')).toBe(false);
		expect(concerns(around('after_tool', 'x'), 'after_tool')).toBe(true);
		expect(concerns({ ...limits, event: 'end', command: 'x' })).toBe(false);
	});

	it('refuse it: the first that fails decides, and what it printed is the reason', async () => {
		const { project, context, ran, commands, emitted } = hooked(
			['first', 'second', 'third'].map((command) => around('before_tool', command)),
			{ first: { prints: 'fine\n' }, second: { prints: 'Not here.\n', exitCode: 2 } }
		);
		expect(await project.beforeTool(call, context)).toBe(
			'Not run: a hook of this project refused it (`second` failed, exit code 2).\nNot here.'
		);
		expect(commands()).toEqual(['first', 'second']);
		expect(ran[0]?.stdin).toEqual({ event: 'before_tool', tool: 'edit_file', arguments: { file_path: 'a.ts' } });
		expect(emitted).toMatchObject([
			{ type: 'hook_run', event: 'before_tool', command: 'first', exitCode: 0, output: 'fine', callId: 'call_1' },
			{ type: 'hook_run', command: 'second', exitCode: 2 }
		]);
	});

	it.each<[Ending, string | null]>([
		[{}, null],
		[{ exitCode: 1 }, 'Not run: a hook of this project refused it (`check` failed, exit code 1).'],
		[
			{ timedOut: true },
			'Not run: a hook of this project refused it (`check` did not finish).\nIt was ended after its limit of 60 s.'
		],
		[{ stops: true }, 'Operation aborted']
	])('that end with %j answer %j', async (ending, answer) => {
		const { project, context } = hooked([around('before_tool', 'check')], { check: ending });
		expect(await project.beforeTool(call, context)).toBe(answer);
	});

	it('add what they print to the result, behind the note that it has', async () => {
		const { project, context, ran } = hooked(
			['quiet', 'format', 'lint'].map((command) => around('after_tool', command)),
			{ format: { prints: 'formatted\n' }, lint: { exitCode: 1 } }
		);
		const changed = await project.afterTool(call, { ...result, note: 'A note.' }, ['a.ts'], context);
		expect(changed).toEqual({
			...result,
			note: 'A note.\n[Hook of this project: `format`]\nformatted\n[Hook of this project: `lint` failed, exit code 1]'
		});
		expect(ran[0]?.stdin).toEqual({
			event: 'after_tool',
			tool: 'edit_file',
			arguments: { file_path: 'a.ts' },
			paths: ['a.ts'],
			is_error: false,
			output: 'edited'
		});
	});

	it('leave the result as it is where they print nothing, and stop with the run', async () => {
		const { project, context } = hooked([around('after_tool', 'quiet')]);
		expect(await project.afterTool(call, result, [], context)).toBe(result);
		const stopped = hooked(
			['stops', 'never'].map((command) => around('after_tool', command)),
			{ stops: { prints: 'half', stops: true } }
		);
		expect(await stopped.project.afterTool(call, result, [], stopped.context)).toBe(result);
		expect(stopped.commands()).toEqual(['stops']);
		expect(stopped.emitted).toEqual([]);
	});
});

describe('hooks of a message', () => {
	const of = (command: string): ProjectHook => ({ ...limits, event: 'message', command });

	it('add what they print, each with its command, and stop with the run', async () => {
		const { project, context, ran, commands, emitted } = hooked(['branch', 'quiet', 'stops', 'never'].map(of), {
			branch: { prints: 'main' },
			stops: { stops: true }
		});
		expect(await project.beforeMessage('Fix it', context)).toEqual(['[Hook of this project: `branch`]\nmain']);
		expect(ran[0]?.stdin).toEqual({ event: 'message', message: 'Fix it' });
		expect(commands()).toEqual(['branch', 'quiet', 'stops']);
		expect(emitted.every((body) => !('callId' in body))).toBe(true);
	});
});

describe('hooks of the end', () => {
	const of = (command: string): ProjectHook => ({ ...limits, event: 'end', command });
	const asks =
		'The project checks your work before you end, and it failed. Mend the cause, or say why you cannot.\n[Hook of this project: `test` failed, exit code 1]\n2 failed';

	it('send the agent back to work with all that failed, and with nothing that passed', async () => {
		const { project, context, ran } = hooked(['lint', 'test', 'types'].map(of), {
			lint: { prints: 'no problems' },
			test: { prints: '2 failed', exitCode: 1 },
			types: { exitCode: 2 }
		});
		expect(await project.beforeEnd('Done.', context)).toBe(
			`${asks}\n[Hook of this project: \`types\` failed, exit code 2]`
		);
		expect(ran[0]?.stdin).toEqual({ event: 'end', text: 'Done.' });
	});

	it('do so three times for one message', async () => {
		const { project, context, ran } = hooked([of('test')], { test: { prints: '2 failed', exitCode: 1 } });
		const ends = async () => [
			await project.beforeEnd('1', context),
			await project.beforeEnd('2', context),
			await project.beforeEnd('3', context),
			await project.beforeEnd('4', context)
		];
		expect(await ends()).toEqual([asks, asks, asks, null]);
		expect(ran).toHaveLength(3);
		await project.beforeMessage('Again', context);
		expect(await ends()).toEqual([asks, asks, asks, null]);
	});

	it('count no end that they let pass, and none of a run that was stopped', async () => {
		const endings: Record<string, Ending> = {};
		const { project, context } = hooked([of('test')], endings);
		for (let count = 0; count < 4; count++) expect(await project.beforeEnd('Done.', context)).toBeNull();
		endings['test'] = { prints: '2 failed', exitCode: 1 };
		expect(await project.beforeEnd('Done.', context)).toBe(asks);
		const stopped = hooked(['test', 'stops', 'never'].map(of), { test: { exitCode: 1 }, stops: { stops: true } });
		expect(await stopped.project.beforeEnd('Done.', stopped.context)).toBeNull();
		expect(stopped.commands()).toEqual(['test', 'stops']);
	});
});
