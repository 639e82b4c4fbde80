import type { ErrorData, SessionEvent, StopReason } from '#agent/events.ts';
import type { PermissionDecision, PermissionRequest } from '#agent/guards/permission-types.ts';
import type { ContentPart } from '#llm/types.ts';
import type { PassageKind } from '#session/share/passages.ts';
import type { Meters } from './meters.ts';
import type { ToolKind } from './tool-kind.ts';

/**
 * An entry of the timeline. Items are replaced, never modified, so a renderer detects changes by identity. `key` is
 * stable for the life of the session; `seq` is that of the item's first event.
 */
export type Item = {
	key: string;
	seq: number;
	timestamp: number;
	/** Checkpoint that was taken just before it. */
	checkpointId?: string;
} & ItemBody;
export type ItemKind = ItemBody['kind'];
export type ItemOf<K extends ItemKind> = Item & Extract<ItemBody, { kind: K }>;

/** `waiting`: a permission prompt is open for it; `queued`: the model has written the call, but others run first. */
export type ToolStatus = 'preparing' | 'queued' | 'running' | 'waiting' | 'done' | 'failed';

/** A file that a task changed. Line counts are sums over all changes: a line changed twice counts twice. */
export interface TaskFile {
	/** Relative to the working directory. */
	path: string;
	kind: Extract<SessionEvent, { type: 'file_change' }>['kind'];
	added: number;
	removed: number;
}

/** Cost and changes of one task. */
export interface TaskTotals {
	/** Milliseconds from its message to its end. */
	durationMs: number;
	/** Cost and tokens of this task, including its subagents. */
	spent: Meters;
	files: readonly TaskFile[];
}

export type ItemBody =
	| { kind: 'user'; content: ContentPart[]; steering: boolean }
	| { kind: 'text'; text: string; streaming: boolean }
	| { kind: 'reasoning'; text: string; streaming: boolean; durationMs: number }
	| {
			kind: 'tool';
			callId: string;
			toolName: string;
			tool: ToolKind;
			/** Grows while the model writes them. */
			arguments: Record<string, unknown>;
			status: ToolStatus;
			output: string;
			details?: unknown;
			durationMs?: number;
			/** A subagent's own timeline. */
			nested?: readonly Item[];
	  }
	| { kind: 'permission'; request: PermissionRequest; decision?: PermissionDecision; expired: boolean }
	| { kind: 'question'; callId: string; question: string; options: string[]; multiple: boolean; open: boolean }
	| { kind: 'retry'; attempt: number; delayMs: number; message: string }
	| ({ kind: 'end'; stopReason: StopReason } & TaskTotals)
	| { kind: 'error'; error: ErrorData; fatal: boolean }
	| { kind: 'notice'; tone: 'info' | 'warning'; text: string }
	/** Text in someone else's share that reaches the model and is shown nowhere else. */
	| { kind: 'unshown'; passage: PassageKind; text: string }
	/** Point where the session was forked; items above it belong to the parent. */
	| { kind: 'forked' }
	/** The session continues on another computer from here on. */
	| { kind: 'moved'; text: string }
	/** A limit set by the user ended the run. */
	| { kind: 'limit'; text: string }
	| { kind: 'compacted'; beforeTokens: number; afterTokens: number }
	| { kind: 'diagnostics'; path: string; items: Extract<SessionEvent, { type: 'diagnostics' }>['items'] }
	| { kind: 'agent'; agentId: string; nested: readonly Item[] };
