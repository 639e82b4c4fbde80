import type { z } from 'zod';
import type { ExecOptions, ExecResult, ExecutionEnvironment, Rights } from '#environment/contract.ts';
import type { ImagePart, ToolDefinition } from '#llm/types.ts';
import type { ScaleImage } from './image-policy.ts';
import type { TodoItem } from './todo.ts';

/**
 * A tool under its neutral name (`read_file`, `edit_file`, `shell` …). Profiles show the model other names and
 * parameters through a {@link ToolBinding}; the implementation is shared.
 */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
	/** Neutral name; also the key of its truncation limits. */
	name: string;
	description: string;
	schema: Schema;
	/** Effect of the tool: decides parallel execution, plan mode and permission. */
	access: 'none' | 'read' | 'write';
	/** The tool writes only through other tools, each with its own guards: plan mode keeps it. */
	guardsItself?: boolean;
	/** The tool reads a changing state: repeated calls are not a loop as long as the results differ. */
	polls?: boolean;
	/** May throw: the registry turns it into an error result. */
	execute(args: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** Presentation of a tool to the models of one profile. */
export interface ToolBinding {
	/** Definition sent to the model. */
	definition: ToolDefinition;
	tool: Tool;
	/** Other names that the registry resolves to this tool, e.g. the specification's. */
	aliases?: string[];
	/**
	 * Converts the model's arguments to the tool's own shape. Throws with a message for the model. Absent: the shapes
	 * are the same.
	 */
	adapt?(args: Record<string, unknown>): unknown;
	/** Output conventions of the profile, e.g. `cat -n` numbering. */
	present?(result: ToolResult): ToolResult;
}

export interface ToolResult {
	/** Text for the model, before truncation. */
	content: string;
	/** Text for `tool_call_end` if it differs from `content`. */
	fullOutput?: string;
	/** Text from the session for the model, below the content; short and never truncated. */
	note?: string;
	/** Plain JSON data for the page. */
	details?: unknown;
	images?: ImagePart[];
	isError: boolean;
}

/** Context of a tool call. Everything that outlives a call belongs to the session and is passed in here. */
export interface ToolContext {
	callId: string;
	/** `main`, or the subagent's id. */
	agentId: string;
	environment: ExecutionEnvironment;
	/** Fires on stop, abort and interrupting steering. */
	signal: AbortSignal;
	/** Live output for the page. */
	onProgress(delta: string): void;
	/**
	 * Shows a proposed action to the guards and the user. Resolves if it is allowed; throws `PermissionDenied` or
	 * `GuardRefusal` otherwise, which the registry turns into results.
	 */
	propose(change: ProposedChange): Promise<void>;
	/**
	 * Decides how a command may run, by trying it first if possible. Throws as {@link propose} does. Absent: the
	 * command is proposed, and runs once that is allowed.
	 */
	permitCommand?(change: ProposedCommand, exec: CommandExecution): Promise<CommandGrant>;
	/**
	 * Values that tools of one session share (open background processes, content hashes read so far), each under its
	 * own key.
	 */
	state: ToolState;
	limits: ToolLimits;
	/**
	 * The profile's names of the tool's parameters; `null` for a parameter that it lacks. Absent: the tool's own names.
	 */
	parameterNames?: Readonly<Record<string, string | null>>;
	/** Runs before each command of the shell, in the same shell. */
	commandPrefix?: string | undefined;
	/** Size limit for pictures in bytes, and the function that scales them down. */
	images: { maxBytes: number; scale?: ScaleImage | undefined };
	todo: { read(): TodoItem[]; replace(items: TodoItem[]): void };
	/**
	 * Asks the user a question; absent if there is no user to answer.
	 *
	 * @param multiple several of the options may be chosen
	 */
	askUser?(question: string, options?: string[], multiple?: boolean): Promise<string>;
	/** Subagents; absent at the depth limit. */
	agents?: SubagentHost;
}

export interface ToolState {
	/** Returns the value under `key`, created on first use. */
	get<T>(key: symbol, create: () => T): T;
}

export type ProposedChange =
	| {
			kind: 'write';
			path: string;
			before: Uint8Array | null;
			after: Uint8Array | null;
			description: string;
			/** Each replaced text was found exactly once, and a command had shown it to the model. */
			isMatchedInShell?: boolean;
	  }
	/** A command; with `input`, text typed into a running command. */
	| { kind: 'execute'; command: string; input?: string; cwd: string; description: string }
	| { kind: 'network'; url: string; description: string }
	/** Displays or uses the project in the preview. `mayLeak`: this browser cannot block the page's network access. */
	| { kind: 'preview'; description: string; mayLeak: boolean };

/** A command that a tool wants to run. */
export interface ProposedCommand extends Extract<ProposedChange, { kind: 'execute' }> {
	/** The command keeps running when the call returns. */
	background: boolean;
}

/** Parameters for executing the command on trial. */
export interface CommandExecution extends ExecOptions {
	/** Complete shell input: the command with the host's own lines before it. */
	line: string;
	/** Called when the command runs again, so that earlier output is dropped. */
	onRestart?: () => void;
}

export type CommandGrant =
	/** The command has run, and its effects have been applied or there were none. */
	| { kind: 'ended'; result: ExecResult }
	/** The tool must run it, with these rights. */
	| { kind: 'run'; rights: Rights };

export interface ToolLimits {
	defaultCommandTimeoutMs: number;
	maxCommandTimeoutMs: number;
	/** Per neutral tool name. */
	outputCharacters: Record<string, number>;
	outputLines: Record<string, number>;
}

export interface SubagentHost {
	spawn(options: {
		task: string;
		model?: string;
		workingDirectory?: string;
		maxTurns?: number;
		overlay?: boolean;
	}): Promise<{ agentId: string; status: string }>;
	send(agentId: string, message: string): Promise<string>;
	wait(agentId: string, signal: AbortSignal): Promise<{ output: string; success: boolean; turns: number }>;
	/**
	 * Resolves as soon as at least one agent is done, with all that are done, in the given order; with an empty list
	 * after `timeoutMs`. Throws for an unknown agent.
	 */
	anyDone(agentIds: readonly string[], timeoutMs: number | undefined, signal: AbortSignal): Promise<string[]>;
	close(agentId: string): Promise<string>;
}
