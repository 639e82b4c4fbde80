import type { Message, Usage } from '#llm/types.ts';
import type { SessionEvent } from './events.ts';
import type { ImagePolicy } from './image-policy.ts';

/**
 * One line of a session's tree. The agent declares it, `src/session/` stores it.
 * An entry's `parentId` is the entry before it on its branch; the root's is `null`.
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
	 * A message of the conversation, as the model is sent it. `steering` marks text injected between rounds; `usage` and
	 * the provider's own id of the response stand with what a model said.
	 */
	| ({ type: 'message'; message: Message } & MessageOrigin)
	/** Every event but deltas. */
	| { type: 'event'; event: SessionEvent }
	/** From here on the summary stands for everything before `firstKeptId`. */
	| { type: 'compaction'; summary: string; firstKeptId: string; beforeTokens: number; afterTokens: number }
	/** What the person set for the session from here on. */
	| { type: 'settings'; images: ImagePolicy }
	| { type: 'model_change'; provider: string; model: string }
	| { type: 'checkpoint'; checkpointId: string; tree: string; label: string }
	| { type: 'branch_summary'; summary: string; fromId: string }
	| { type: 'label'; targetId: string; label: string };

/** What is known of a message beside its words. */
export interface MessageOrigin {
	steering?: boolean;
	usage?: Usage;
	responseId?: string;
}

export type EntryType = EntryBody['type'];

/** Where a session writes what must last. In memory for the library's default; `src/session/` has the durable one. */
export interface SessionLog {
	/** Adds an entry under the current leaf and makes it the leaf. Returns its id at once; durability is `flush`'s. */
	append(body: EntryBody): string;
	/** Resolves when everything appended, and every journal entry so far, is acknowledged by storage. Rejects with a sentence when it cannot be. */
	flush(): Promise<void>;
	/** The entries from the root to the current leaf. */
	branch(): SessionEntry[];
	/** All entries, in the order written. */
	entries(): SessionEntry[];
	leafId(): string | null;
	/** Moves the leaf: what is appended next becomes a new branch there. */
	moveTo(entryId: string): void;
}
