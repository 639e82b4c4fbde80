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
 * State of a session as its parts read it, without the methods that drive the session. Each part names what it uses:
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
	/** The environment in it is the fork while one is open. */
	readonly options: SessionOptions;
	readonly emitter: SessionEmitter;
	/** Shared with the subagents. */
	readonly family: Family;
	readonly profile: Profile;
	readonly reasoningEffort: ReasoningEffort | null;
	readonly images: ImagePolicy;
	readonly mode: PermissionMode;
	/** The mode that decides: `ask` in place of `fork` where the files are not on the fork. */
	readonly effectiveMode: PermissionMode;
	/** Names of the tools that the model is shown; `null`: all. */
	readonly activeTools: readonly string[] | null;
	/** `null` for a session that no other one started. */
	readonly parent: SessionParent | null;
	/** The session at the top of the family: the one that no other session started. */
	readonly root: SessionParts;
	/** Fires when the run is stopped. */
	readonly signal: AbortSignal;
}

/** Ties of a subagent's session to its parent's. */
export interface SessionParent {
	session: SessionParts;
	agentId: string;
	/** 1 for a subagent, 2 for a subagent's. */
	depth: number;
	/** Absent where the child works on files of its own. */
	files?: FileChanges;
	/** With files of its own: the fork they were copied from, `null` for the project. */
	copiedFrom?: OverlayEnvironment | null;
}
