import type { ExecResult } from '../../environment/contract.ts';
import type { ToolContext } from '../tool.ts';
import { absolutePath } from './paths.ts';

export interface CommandDetails {
	command: string;
	exitCode: number;
	durationMs: number;
	timedOut: boolean;
	truncated: boolean;
	/** Where the whole output lies. */
	outputFile?: string;
	/** The person stopped it. */
	refused?: boolean;
}

export interface CommandRun {
	result: ExecResult;
	timeoutMs: number;
	aborted: boolean;
}

/** The call's own time limit, else the session's; never over the most allowed. Milliseconds. */
export function commandTimeout(context: ToolContext, asked: number | undefined): number {
	return Math.min(asked ?? context.limits.defaultCommandTimeoutMs, context.limits.maxCommandTimeoutMs);
}

/** Asks whether a command may run. Returns the absolute directory it would run in. */
export async function proposeCommand(
	context: ToolContext,
	command: string,
	directory: string | undefined,
	description?: string
): Promise<string> {
	const { environment } = context;
	const cwd = directory === undefined ? environment.workingDirectory() : absolutePath(environment, directory);
	const line = command.length > 200 ? `${command.slice(0, 200)}…` : command;
	await context.propose({ kind: 'execute', command, cwd, description: description ?? `Run \`${line}\`` });
	context.signal.throwIfAborted();
	return cwd;
}

/** What the shell is given: the host's own line, and below it the command. */
export function commandLine({ commandPrefix }: ToolContext, command: string): string {
	return commandPrefix ? `${commandPrefix}\n${command}` : command;
}

/**
 * Runs a command to its end, with its output shown to the page meanwhile.
 *
 * @param take is given both streams in the order they come; the result holds nothing of them
 */
export async function runCommand(
	context: ToolContext,
	command: string,
	options: { cwd: string; timeoutMs: number },
	take: (data: string) => void
): Promise<CommandRun> {
	const result = await context.environment.exec(commandLine(context, command), {
		...options,
		signal: context.signal,
		keptCharacters: 0,
		onOutput: ({ data }) => {
			take(data);
			context.onProgress(data);
		}
	});
	const aborted = context.signal.aborted && result.exitCode === 130;
	return { result, timeoutMs: options.timeoutMs, aborted };
}

export function commandDetails(command: string, { result, aborted }: CommandRun): CommandDetails {
	return {
		command,
		exitCode: result.exitCode,
		durationMs: Math.round(result.durationMs),
		timedOut: result.timedOut,
		truncated: false,
		...(aborted ? { refused: true } : {})
	};
}
