import type { OverlayEnvironment } from '#environment/contract.ts';
import type { ReasoningEffort } from '#llm/types.ts';
import type { SessionOptions } from './api.ts';
import type { ContextMeter } from './context-window.ts';
import type { Conversation } from './conversation.ts';
import type { Family } from './family.ts';
import type { FileChanges } from './file-changes.ts';
import type { FileFork } from './file-fork.ts';
import type { PermissionMode } from './guards/permission-types.ts';
import type { HookRunner } from './hooks.ts';
import type { ImagePolicy } from './image-policy.ts';
import type { MessageQueues } from './message-queues.ts';
import type { Profile } from './profile.ts';
import type { PendingQuestion } from './questions.ts';
import type { SessionEmitter } from './session-emitter.ts';
import type { SessionLog } from './session-log.ts';

/**
 * State of a session for its parts, without the methods that control the session. Each part declares what it uses:
 * `Pick<SessionParts, 'log' | 'emitter'>`.
 */
export interface SessionParts {
	readonly id: string;
	readonly log: SessionLog;
	readonly conversation: Conversation;
	readonly hooks: HookRunner;
	readonly mailbox: MessageQueues;
	readonly question: PendingQuestion;
	readonly meter: ContextMeter;
	readonly files: FileChanges;
	readonly fileFork: FileFork;
	/** `environment` is the fork while one is open. */
	readonly options: SessionOptions;
	readonly emitter: SessionEmitter;
	/** Shared with the subagents. */
	readonly family: Family;
	readonly profile: Profile;
	readonly reasoningEffort: ReasoningEffort | null;
	readonly images: ImagePolicy;
	readonly mode: PermissionMode;
	/** Mode used for decisions: `ask` instead of `fork` if the files are not on the fork. */
	readonly effectiveMode: PermissionMode;
	/** Names of the tools shown to the model; `null`: all. */
	readonly activeTools: readonly string[] | null;
	/** `null` for a session that was not started by another one. */
	readonly parent: SessionParent | null;
	/** Root session of the family: the one that no other session started. */
	readonly root: SessionParts;
	/** Fires when the run is stopped. */
	readonly signal: AbortSignal;
}

/** References of a subagent's session to its parent's. */
export interface SessionParent {
	session: SessionParts;
	agentId: string;
	/** 1 for a subagent, 2 for a subagent of a subagent. */
	depth: number;
	/** Absent if the child has its own copy of the files. */
	files?: FileChanges;
	/** Set if the child has its own copy of the files: the fork that they were copied from; `null` for the project. */
	copiedFrom?: OverlayEnvironment | null;
}
