import { ALL_RIGHTS, type ExecOptions, type ExecResult, type Rights } from '#environment/contract.ts';
import type { CommandGrant, ToolContext } from '../tool.ts';
import { absolutePath } from './paths.ts';

export interface CommandDetails {
	command: string;
	exitCode: number;
	durationMs: number;
	timedOut: boolean;
	truncated: boolean;
	/** Path of the complete output. */
	outputFile?: string;
	/** Stopped by the user. */
	refused?: boolean;
}

export interface CommandRun {
	result: ExecResult;
	timeoutMs: number;
	aborted: boolean;
}

/** Returns the call's own time limit, else the session's, capped at the maximum. Milliseconds. */
export function commandTimeout(context: ToolContext, asked: number | undefined): number {
	return Math.min(asked ?? context.limits.defaultCommandTimeoutMs, context.limits.maxCommandTimeoutMs);
}

/** A command that a tool call requests. */
export interface CommandCall {
	command: string;
	/** Absent: the working directory. */
	directory?: string | undefined;
	/** Short description of the command. */
	description?: string | undefined;
	timeoutMs: number;
	/** Standard input; absent: none. */
	stdin?: string;
	/** The command keeps running when the call returns. */
	background?: boolean;
}

/** Receives a command's output as it arrives. */
export interface OutputSink {
	/** Both streams, in order. */
	add(data: string): void;
	/** The command runs again: earlier output is discarded. */
	restart(): void;
}

/** A command that may run, or has run. */
export type Permitted = CommandGrant & { cwd: string };

/**
 * Gets permission for a command, which may run it on trial.
 *
 * @throws PermissionDenied, GuardRefusal
 */
export async function permitCommand(context: ToolContext, call: CommandCall, sink: OutputSink): Promise<Permitted> {
	const { environment, signal } = context;
	const { command, directory, background = false } = call;
	const cwd = directory === undefined ? environment.workingDirectory() : absolutePath(environment, directory);
	const line = command.length > 200 ? `${command.slice(0, 200)}…` : command;
	const description = call.description ?? `Run \`${line}\``;
	const change = { kind: 'execute' as const, command, cwd, description };
	const exec = {
		line: commandLine(context, command),
		...execution(context, cwd, call, sink),
		onRestart: () => sink.restart()
	};
	if (!context.permitCommand) await context.propose(change);
	const grant = (await context.permitCommand?.({ ...change, background }, exec)) ?? { kind: 'run', rights: ALL_RIGHTS };
	if (grant.kind === 'run') {
		signal.throwIfAborted();
		sink.restart();
	}
	return { ...grant, cwd };
}

/** Builds the shell input: the host's own line, followed by the command. */
export function commandLine({ commandPrefix }: ToolContext, command: string): string {
	return commandPrefix ? `${commandPrefix}\n${command}` : command;
}

/**
 * Runs a command to its end once it is permitted, and shows its output on the page meanwhile. The result contains no
 * output.
 */
export async function runCommand(context: ToolContext, call: CommandCall, sink: OutputSink): Promise<CommandRun> {
	return finishCommand(context, call, sink, await permitCommand(context, call, sink));
}

/** Returns the result of a permitted command, which is run now if it has not run yet. */
export async function finishCommand(
	context: ToolContext,
	call: CommandCall,
	sink: OutputSink,
	permitted: Permitted
): Promise<CommandRun> {
	const { environment, signal } = context;
	const result =
		permitted.kind === 'ended'
			? permitted.result
			: await environment.exec(commandLine(context, call.command), {
					...execution(context, permitted.cwd, call, sink),
					...permittedWith(permitted.rights)
				});
	return { result, timeoutMs: call.timeoutMs, aborted: signal.aborted && result.exitCode === 130 };
}

/** Options of a command that may run for real. Full rights are omitted, since they need no enforcement. */
export function permittedWith(rights: Rights): Pick<ExecOptions, 'rights' | 'takesTemporaryFiles'> {
	return { takesTemporaryFiles: true, ...(rights === ALL_RIGHTS ? {} : { rights }) };
}

function execution(
	context: ToolContext,
	cwd: string,
	{ timeoutMs, stdin }: CommandCall,
	sink: OutputSink
): ExecOptions {
	return {
		cwd,
		timeoutMs,
		...(stdin === undefined ? {} : { stdin }),
		signal: context.signal,
		maxOutputCharacters: 0,
		onOutput: ({ data }) => {
			sink.add(data);
			context.onProgress(data);
		}
	};
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
