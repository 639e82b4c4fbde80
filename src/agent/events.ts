import type { ContentPart, Message, ReasoningEffort, ToolCallPart, Usage } from '#llm/types.ts';
import type { PermissionDecision, PermissionRequest } from './guards/permission-types.ts';
import type { HookEvent } from './extensions/project-hooks/settings.ts';
import type { TodoItem } from './todo.ts';

/**
 * Everything that happens in a session, as one union on `type`. Events are plain JSON data:
 * they are stored, replayed and shared as they are.
 *
 * `seq` counts 1, 2, 3 … with no gap through the whole life of a session, reloads included.
 * Each `*_start` has exactly one `*_end`, also when it fails, is denied, is skipped or is stopped.
 */
export type SessionEvent = EventHeader & EventBody;
export type EventType = EventBody['type'];
export type EventOf<T extends EventType> = EventHeader & Extract<EventBody, { type: T }>;

export interface EventHeader {
	sessionId: string;
	seq: number;
	/** Milliseconds since the epoch. */
	timestamp: number;
}

export type SessionState = 'idle' | 'processing' | 'awaiting_input' | 'closed';

export type StopReason =
	| 'end_turn'
	| 'max_tokens'
	| 'max_iterations'
	| 'turn_limit'
	| 'failure_threshold'
	| 'permission_denied'
	| 'aborted'
	/** The session's process or page ended during the run; added when the session is opened again. */
	| 'interrupted'
	/** The conversation was rewound to a point in the middle of a run. */
	| 'rewound'
	| 'content_filter'
	| 'error';

export interface AgentResult {
	/** The last response's text. */
	text: string;
	stopReason: StopReason;
	turns: number;
	usage: Usage;
	error?: ErrorData;
}

/** An error as data, because events are stored. */
export interface ErrorData {
	/** Machine-readable: a `ProviderError` code, an `EnvironmentError` code or the class name. */
	code: string;
	message: string;
	retryable?: boolean;
	status?: number;
	provider?: string;
	/** Delay that the provider requested, in milliseconds. */
	retryAfterMs?: number;
}

export interface DiagnosticItem {
	line: number;
	column: number;
	severity: 'error' | 'warning';
	code?: string;
	message: string;
}

/** Move of the session's files and commands to another machine or back. */
/** Kinds of machines beside the tab. */
export const MACHINE_KINDS = ['docker', 'kubernetes', 'host'] as const;

export interface MachineChange {
	/** `lost`: the machine ended on its own, and the session continues in the tab. */
	action: 'move' | 'return' | 'lost';
	/** The machine: a container, or the folder of a computer. */
	kind: (typeof MACHINE_KINDS)[number];
	/** Name given by the server's operator. */
	name: string;
	/** Id of the tree that both sides shared. */
	tree: string;
	/** Files that were sent. */
	files: number;
	durationMs: number;
}

export type EventBody =
	| { type: 'session_start'; provider: string; model: string }
	| { type: 'session_end'; state: SessionState }
	| {
			type: 'agent_start';
			model: string;
			provider: string;
			tools: string[];
			maxTurns: number;
			maxToolRounds: number;
			reasoningEffort: ReasoningEffort | null;
	  }
	/** `durationMs` is absent in logs of earlier versions. */
	| { type: 'agent_end'; result: AgentResult; durationMs?: number }
	| { type: 'state_change'; from: SessionState; to: SessionState }
	| { type: 'user_input'; content: ContentPart[] }
	| { type: 'turn_start'; turnIndex: number }
	| { type: 'turn_end'; turnIndex: number; toolCalls: ToolCallPart[]; durationMs: number }
	| { type: 'message_start'; role: 'assistant' }
	/** `stopReason` is the provider's own value; `message` is the whole response as added to the history. */
	| { type: 'message_end'; text: string; reasoning: string; stopReason: string; message: Message }
	| { type: 'assistant_text_start' }
	| { type: 'assistant_text_delta'; delta: string }
	| { type: 'assistant_text_end'; text: string }
	| { type: 'reasoning_start' }
	| { type: 'reasoning_delta'; delta: string }
	| { type: 'reasoning_end'; text: string }
	| { type: 'tool_call_delta'; callId: string; toolName: string; partialArguments: Record<string, unknown> }
	| { type: 'tool_call_start'; callId: string; toolName: string; arguments: Record<string, unknown> }
	| { type: 'tool_call_output_delta'; callId: string; delta: string }
	/** `output` is whole, not truncated. `details` is the tool's own data for the page. */
	| {
			type: 'tool_call_end';
			callId: string;
			toolName: string;
			output: string;
			details?: unknown;
			isError: boolean;
			durationMs: number;
	  }
	| { type: 'steering_injected'; content: ContentPart[] }
	/**
	 * Usage of a response. A `purpose` marks a request outside the conversation, which is not a turn; `turnIndex` is 0.
	 */
	| { type: 'usage'; turnIndex: number; usage: Usage; purpose?: 'side_request' }
	| { type: 'retry'; attempt: number; delayMs: number; code: string; message: string }
	| ({ type: 'permission_request' } & PermissionRequest)
	| { type: 'permission_resolved'; requestId: string; decision: PermissionDecision }
	| { type: 'question'; callId: string; question: string; options?: string[]; multiple?: boolean }
	| {
			type: 'file_change';
			path: string;
			kind: 'added' | 'modified' | 'removed' | 'renamed';
			added: number;
			removed: number;
			by: 'tool' | 'shell' | 'user';
	  }
	/**
	 * Change of the file fork (mode `fork`). `paths` are the paths approved, dropped, discarded or restored, the
	 * first 200 of `count`; git's own files are the single path `.git`.
	 */
	| {
			type: 'file_fork';
			action: 'begin' | 'restore' | 'approve' | 'drop' | 'discard' | 'lost';
			isOpen: boolean;
			paths: string[];
			count: number;
			/** Left unchanged because the project changed them too. */
			conflicts: string[];
	  }
	| { type: 'diagnostics'; path: string; items: DiagnosticItem[] }
	/** `tree` is the id of the environment's snapshot. */
	| { type: 'checkpoint'; checkpointId: string; tree: string; label: string }
	| { type: 'todo_reminder'; turnsSinceUpdate: number; items: TodoItem[] }
	| { type: 'context_compact'; beforeTokens: number; afterTokens: number; success: boolean }
	/** Fill level of the model's context after each response. */
	| { type: 'context_usage'; usedTokens: number; windowTokens: number }
	| { type: 'turn_limit'; message: string; limit: number }
	| { type: 'loop_detection'; message: string; pattern: string[] }
	/** Message from the session itself to the model, e.g. that a subagent has ended. */
	| { type: 'notice'; message: string }
	| { type: 'warning'; message: string; code?: string }
	| { type: 'error'; error: ErrorData; fatal: boolean }
	| { type: 'hook_error'; hook: string; point: string; message: string; stack?: string }
	/** A command of the project's settings has run. `exitCode` is `null` if it was not allowed or ran out of time. */
	| {
			type: 'hook_run';
			event: HookEvent;
			command: string;
			exitCode: number | null;
			/** If long, only the first and last part. */
			output: string;
			durationMs: number;
			/** The tool call that it ran before or after. */
			callId?: string;
	  }
	| { type: 'model_change'; provider: string; model: string }
	| ({ type: 'machine_change' } & MachineChange)
	/** Marks the end of the entries copied from the session that this one was forked from. */
	| { type: 'session_fork' }
	| { type: 'subagent_event'; agentId: string; event: SessionEvent };

/** Deltas are shown live but not stored: the matching end event contains the complete text. */
export const DELTA_EVENTS: ReadonlySet<EventType> = new Set<EventType>([
	'assistant_text_delta',
	'reasoning_delta',
	'tool_call_delta',
	'tool_call_output_delta'
]);
