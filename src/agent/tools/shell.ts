import { z } from 'zod';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { ReadLedger } from '../guards/read-ledger.ts';
import { BackgroundProcesses, type BackgroundProcess } from './background.ts';
import {
	commandDetails,
	commandLine,
	commandTimeout,
	finishCommand,
	permittedWith,
	permitCommand,
	type CommandRun,
	type Permitted
} from './command-run.ts';
import { CollectedOutput } from './collected-output.ts';
import { plainOutput } from './plain-output.ts';
import { keepWholeOutput } from './whole-output.ts';
import { truncateForModel } from './truncation.ts';

const schema = z.object({
	command: z.string().min(1).describe('The command; bash runs it.'),
	timeout_ms: z.number().int().positive().optional().describe('Time limit in milliseconds.'),
	description: z.string().optional().describe('What it does, in a few words, for the user.'),
	working_dir: z.string().optional().describe('Where to run it; the working directory otherwise.'),
	run_in_background: z.boolean().optional().describe('Return at once and let it run; look at it with shell_input.'),
	yield_time_ms: z
		.number()
		.int()
		.min(0)
		.optional()
		.describe('Milliseconds to wait; a command still running then continues in the background.')
});

/** Description of the shell tool. @param longCommands advice on commands that run long, in the vendor's parameters */
export function shellDescription(longCommands: string): string {
	return `Runs a bash command and returns its output and exit code. ${longCommands} Commands have no terminal: one that asks for input ends. Output over 30,000 characters or 256 lines (unless the user set other limits) is cut to its beginning and end, with the name of a file that has all of it.`;
}

/** Runs a shell command, to its end or in the background. */
export const shell: Tool<typeof schema> = {
	name: 'shell',
	description: shellDescription(
		'Commands have a time limit: give long ones a longer limit, and run servers and watchers in the background.'
	),
	schema,
	access: 'write',
	async execute(args, context) {
		const { command, description, working_dir: directory, run_in_background: background = false } = args;
		const call = { command, directory, description, background, timeoutMs: commandTimeout(context, args.timeout_ms) };
		const output = new CollectedOutput();
		const permitted = await permitCommand(context, call, output);
		const yieldMs = background ? 0 : args.yield_time_ms;
		if (permitted.kind === 'run' && yieldMs !== undefined) return inBackground(context, command, permitted, yieldMs);
		const run = await finishCommand(context, call, output, permitted);
		const failed = run.result.exitCode !== 0;
		const text = printed(shellText(run, output.text(), context));
		const shown = truncateForModel('shell', text.content, context.limits);
		noteShown(context, command, shown);
		const note = shown === text.content ? undefined : await keepWholeOutput(context, text.content);
		return {
			...text,
			...(note === undefined ? {} : { note }),
			details: commandDetails(command, run),
			isError: failed
		};
	}
};

/** Records the command and its output as seen by the model, for later edits of files. */
function noteShown(context: ToolContext, command: string, shown: string): void {
	const ledger = ReadLedger.of(context.state);
	ledger.noteShell(command);
	ledger.noteShell(shown);
}

/** Gives the model the output without colors, which only cost tokens; the log keeps the output as printed. */
function printed(output: string): Pick<ToolResult, 'content' | 'fullOutput'> {
	const content = plainOutput(output);
	return content === output ? { content } : { content, fullOutput: output };
}

/** Formats the output, followed by notes on the exit code and a timeout (000 §5.4). */
function shellText({ result, timeoutMs, aborted }: CommandRun, output: string, context: ToolContext): string {
	const above = output === '' || output.endsWith('\n') ? output : `${output}\n`;
	if (aborted) return `${above}Command aborted`;
	if (result.timedOut)
		return `${above}[ERROR: Command timed out after ${timeoutMs}ms. Partial output is shown above.\n${timeoutAdvice(timeoutMs, context)}]`;
	if (result.exitCode !== 0) return `${above}[Exit code: ${result.exitCode}]`;
	return output === '' ? '(no output)' : output;
}

/** Suggests what the model can do: not every profile lets it set the limit, and there is a maximum. */
function timeoutAdvice(timeoutMs: number, { limits, parameterNames = {} }: ToolContext): string {
	const { timeout_ms: name = 'timeout_ms' } = parameterNames;
	if (name === null || timeoutMs >= limits.maxCommandTimeoutMs)
		return 'There is no longer timeout. Run a part of it, or run it in the background.';
	return `You can retry with a longer timeout by setting the ${name} parameter.`;
}

async function inBackground(
	context: ToolContext,
	command: string,
	{ cwd, rights }: Extract<Permitted, { kind: 'run' }>,
	waitMs: number
): Promise<ToolResult> {
	const started = await BackgroundProcesses.of(context.state).start(command, (onOutput) =>
		context.environment.start(commandLine(context, command), {
			cwd,
			...permittedWith(rights),
			onOutput: (chunk) => {
				onOutput(chunk);
				if (!context.signal.aborted) context.onProgress(chunk.data);
			}
		})
	);
	if (waitMs > 0) await started.settle(waitMs, context.signal);
	if (context.signal.aborted) await started.process.kill('SIGTERM');
	return backgroundResult(started);
}

/** Formats the new output and the state of a background process. */
export function backgroundResult(process: BackgroundProcess): ToolResult {
	const { result } = process;
	const output = process.take();
	const above = output === '' || output.endsWith('\n') ? output : `${output}\n`;
	const state = result
		? `[Process ${process.id} exited with code ${result.exitCode}]`
		: `[Process ${process.id} is running. Use its number ${process.id} to read its output, write to it or end it.]`;
	const details = {
		command: process.command,
		processId: process.id,
		running: result === undefined,
		...(result ? { exitCode: result.exitCode, durationMs: Math.round(result.durationMs) } : {})
	};
	return { ...printed(above + state), details, isError: result !== undefined && result.exitCode !== 0 };
}
