import type { ExecutionEnvironment } from '../environment/contract.ts';
import type { Client, ContentPart, ReasoningEffort } from '../llm/types.ts';
import type { AgentResult, SessionEvent, SessionState } from './events.ts';
import type { AskPermission, PermissionMode } from './guards/permission-types.ts';
import type { Profile } from './profile.ts';
import type { SessionLog } from './session-log.ts';
import type { TodoItem } from './todo.ts';

/**
 * One run of the loop. Iterating yields its events, to one consumer; an event nobody reads
 * queues and never blocks the loop. `result` never rejects: errors are in it.
 */
export interface AgentRun extends AsyncIterable<SessionEvent> {
	readonly result: Promise<AgentResult>;
}

export interface SessionOptions {
	profile: Profile;
	environment: ExecutionEnvironment;
	client: Client;
	/** Kept when a session is reopened from its log. */
	id?: string;
	log?: SessionLog;
	/** 0 or absent: unlimited. */
	maxTurns?: number;
	maxToolRoundsPerInput?: number;
	defaultCommandTimeoutMs?: number;
	reasoningEffort?: ReasoningEffort | null;
	userInstructions?: string;
	mode?: PermissionMode;
	/** Absent: what would ask is denied with an explanation. */
	askPermission?: AskPermission;
	/** What *Always allow* remembered, and is told when it grows. */
	allowRules?: string[];
	onAllowRule?: (pattern: string) => void;
	/** Whether the repository's own instructions (AGENTS.md and its like) go into the prompt. */
	trustProjectInstructions?: boolean;
	compaction?: boolean;
	spendingCapUsd?: number;
}

/** What hosts use of a session; `Session` in `session.ts` is the implementation. */
export interface SessionApi {
	readonly id: string;
	readonly state: SessionState;
	/** Every event from `seq` 1, for any number of readers; ends when the session closes. */
	readonly events: AsyncIterable<SessionEvent>;
	/** What waits: shown and edited by the page. */
	readonly queues: { steering: readonly ContentPart[][]; followUps: readonly ContentPart[][] };
	readonly todo: readonly TodoItem[];
	/** Throws `SessionBusyError` while processing, `SessionClosedError` after the end. */
	submit(input: string | ContentPart[]): AgentRun;
	steer(message: string | ContentPart[], options?: { interrupt?: boolean }): void;
	followUp(message: string | ContentPart[]): void;
	/** Replaces the queued follow-ups, e.g. after the person edited them. */
	setFollowUps(messages: ContentPart[][]): void;
	/** Ends the run at once and keeps the queues. Resolves when idle. */
	stop(): Promise<void>;
	/** Ends everything, subagents included. Resolves when closed. */
	abort(): Promise<void>;
	/** Waits for the run, then ends the session. */
	close(): Promise<void>;
	/** Answers a suspended `ask_user`. */
	answer(text: string): void;
	compact(): Promise<boolean>;
	setModel(profile: Profile): void;
	setReasoningEffort(effort: ReasoningEffort | null): void;
	setActiveTools(names: string[]): void;
	setMode(mode: PermissionMode): void;
	/** A new session that starts with the conversation up to that entry. */
	fork(entryId: string, options: Partial<SessionOptions>): SessionApi;
	/** Puts back the files as they were before the last tool call that changed any; `null` when there is none. */
	undo(): Promise<string[] | null>;
}
