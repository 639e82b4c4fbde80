import type { Message, Usage } from '#llm/types.ts';
import type { SessionEvent } from './events.ts';
import type { ImagePolicy } from './image-policy.ts';
import type { TodoItem } from './todo.ts';

/**
 * One line of a session's tree, stored by `src/session/`. An entry's `parentId` is the entry before it on its
 * branch; the root's is `null`.
 */
export type SessionEntry = {
	id: string;
	parentId: string | null;
	/** Milliseconds since the epoch. */
	timestamp: number;
} & EntryBody;

export type EntryBody =
	| { type: 'session'; version: number; sessionId: string; title: string }
	/**
	 * A message of the conversation as sent to the model. `steering` marks text injected between rounds; `usage`
	 * and the provider's response id belong to answers of the model.
	 */
	| ({ type: 'message'; message: Message } & MessageOrigin)
	/** Any event except deltas. */
	| { type: 'event'; event: SessionEvent }
	/** The summary replaces everything before `firstKeptId`. */
	| { type: 'compaction'; summary: string; firstKeptId: string; beforeTokens: number; afterTokens: number }
	/** The agent's task list at the start of a fork, whose log has no earlier calls. */
	| { type: 'todo_list'; items: TodoItem[] }
	/** User settings that apply from here on. */
	| { type: 'settings'; images: ImagePolicy }
	| { type: 'model_change'; provider: string; model: string }
	| { type: 'checkpoint'; checkpointId: string; tree: string; label: string }
	| { type: 'branch_summary'; summary: string; fromId: string }
	| { type: 'label'; targetId: string; label: string };

/** Data about a message besides its content. */
export interface MessageOrigin {
	steering?: boolean;
	/** Set for Sandglass's own text, such as a reminder, although it is sent as a user message. */
	notice?: boolean;
	usage?: Usage;
	responseId?: string;
}

export type EntryType = EntryBody['type'];

/** Storage of a session. The library keeps it in memory by default; `src/session/` implements durable storage. */
export interface SessionLog {
	/**
	 * Adds an entry under the current leaf and makes it the leaf. Returns its id immediately; `flush` makes it
	 * durable.
	 */
	append(body: EntryBody): string;
	/**
	 * Resolves when everything appended and every journal entry so far is acknowledged by storage. Rejects with a
	 * readable message otherwise.
	 */
	flush(): Promise<void>;
	/** The entries from the root to the current leaf. */
	branch(): SessionEntry[];
	/** All entries, oldest first. */
	entries(): SessionEntry[];
	leafId(): string | null;
	/** Moves the leaf: the next entry starts a new branch there. */
	moveTo(entryId: string): void;
}
