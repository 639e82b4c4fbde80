import type { z } from 'zod';
import type { ExecOptions, ExecResult, ExecutionEnvironment, Rights } from '#environment/contract.ts';
import type { ImagePart, ToolDefinition } from '#llm/types.ts';
import type { ScaleImage } from './image-policy.ts';
import type { TodoItem } from './todo.ts';

/**
 * A tool under its neutral name (`read_file`, `edit_file`, `shell` …). Profiles show the model
 * other names and parameters through a {@link ToolBinding}; the work is done here once.
 */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
	/** Neutral name; also the key of its truncation limits. */
	name: string;
	description: string;
	schema: Schema;
	/** What it does to the world: decides parallel execution, plan mode and permission. */
	access: 'none' | 'read' | 'write';
	/** A tool that writes only through others, each guarded by itself: plan mode keeps it. */
	guardsItself?: boolean;
	/** Looks at something that goes on by itself: the same call again is no repetition while its answers differ. */
	polls?: boolean;
	/** May throw: the registry turns it into an error result. */
	execute(args: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** How one profile shows a tool to its models. */
export interface ToolBinding {
	/** What the model sees. */
	definition: ToolDefinition;
	tool: Tool;
	/** Other names the registry resolves to it, e.g. the specification's. */
	aliases?: string[];
	/** The model's arguments in the tool's own shape. Throws with a sentence for the model. Absent: the same shape. */
	adapt?(args: Record<string, unknown>): unknown;
	/** Output conventions of the profile, e.g. `cat -n` numbering. */
	present?(result: ToolResult): ToolResult;
}

export interface ToolResult {
	/** For the model, before truncation. */
	content: string;
	/** For `tool_call_end` where it differs from `content`. */
	fullOutput?: string;
	/** What the session adds for the model, below the content: short by itself, and never cut. */
	note?: string;
	/** For the page; plain JSON data. */
	details?: unknown;
	images?: ImagePart[];
	isError: boolean;
}

/** What a tool may use. Everything that outlives a call belongs to the session and comes in here. */
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
	 * Shows guards and the person what is about to happen, before it does. Resolves when it may;
	 * throws `PermissionDenied` or `GuardRefusal` (the registry turns them into the right result) otherwise.
	 */
	propose(change: ProposedChange): Promise<void>;
	/**
	 * Decides how a command may run, by trying it first where that is possible. Throws as {@link propose} does.
	 * Absent: it is proposed, and runs when that resolves.
	 */
	permitCommand?(change: ProposedCommand, exec: CommandExecution): Promise<CommandGrant>;
	/** Values that tools of one session share (open background processes, content hashes read so far), by their own key. */
	state: ToolState;
	limits: ToolLimits;
	/** Runs before each command of the shell, in the same shell. */
	commandPrefix?: string | undefined;
	/** How large a picture may be, in bytes, and what makes one smaller. */
	images: { maxBytes: number; scale?: ScaleImage | undefined };
	todo: { read(): TodoItem[]; replace(items: TodoItem[]): void };
	/**
	 * Asks the person a question; absent where nobody can answer.
	 *
	 * @param multiple several of the options may be chosen
	 */
	askUser?(question: string, options?: string[], multiple?: boolean): Promise<string>;
	/** Subagents; absent at the depth limit. */
	agents?: SubagentHost;
}

export interface ToolState {
	/** The value under `key`, made on first use. */
	get<T>(key: symbol, create: () => T): T;
}

export type ProposedChange =
	| { kind: 'write'; path: string; before: Uint8Array | null; after: Uint8Array | null; description: string }
	/** With `input`, that is typed into the command, which runs already. */
	| { kind: 'execute'; command: string; input?: string; cwd: string; description: string }
	| { kind: 'network'; url: string; description: string }
	/** Displays or uses the project in the preview. `mayLeak`: this browser does not keep the page from the network. */
	| { kind: 'preview'; description: string; mayLeak: boolean };

/** A command that a tool wants to run. */
export interface ProposedCommand extends Extract<ProposedChange, { kind: 'execute' }> {
	/** It is to keep running when the call returns. */
	background: boolean;
}

/** How the command would be executed, for a trial. */
export interface CommandExecution extends ExecOptions {
	/** What the shell is given: the command, with the host's own lines before it. */
	line: string;
	/** Called when it runs once more, so that earlier output is dropped. */
	onRestart?: () => void;
}

export type CommandGrant =
	/** It has run, and its effects have been applied or there were none. */
	| { kind: 'ended'; result: ExecResult }
	/** The tool runs it, with these rights. */
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
	 * Resolves as soon as one of them is done, with all that are, in the given order; with none after `timeoutMs`.
	 * Throws for an agent that is not there.
	 */
	anyDone(agentIds: readonly string[], timeoutMs: number | undefined, signal: AbortSignal): Promise<string[]>;
	close(agentId: string): Promise<string>;
}
