import type { Message } from '#llm/types.ts';
import type { MessageOrigin, SessionEntry, SessionLog } from './session-log.ts';

/** Wraps a summary in a user message, the form it has in the conversation (001 §3.1). */
export function summaryMessage(summary: string): Message {
	const text = `The conversation before this point was compacted. Its summary:\n\n<summary>\n${summary}\n</summary>`;
	return { role: 'user', content: [{ type: 'text', text }] };
}

export interface ConversationItem {
	/** Entry in the log; `null` for a summary. */
	entryId: string | null;
	message: Message;
	/** Summary that the message contains, if it replaces earlier messages. */
	summary?: string;
	/** Set for messages that are not the user's words: reminders and summaries. */
	isNotice?: boolean | undefined;
}

/** The messages of the current branch, each with its entry in the log. */
export class Conversation {
	#items: ConversationItem[];

	constructor(private readonly log: SessionLog) {
		this.#items = itemsOf(log.branch());
	}

	get messages(): Message[] {
		return this.#items.map(({ message }) => message);
	}

	/** Messages with the role `user` that the user did not write. */
	get notices(): ReadonlySet<Message> {
		return new Set(this.#items.flatMap(({ message, isNotice }) => (isNotice ? [message] : [])));
	}

	get length(): number {
		return this.#items.length;
	}

	append(message: Message, origin: MessageOrigin = {}): string {
		const entryId = this.log.append({ type: 'message', message, ...origin });
		this.#items.push({ entryId, message, isNotice: origin.notice });
		return entryId;
	}

	/** Summary that the conversation starts with, if it was compacted. */
	get summary(): string | undefined {
		return this.#items[0]?.summary;
	}

	/** Id of the first kept message's entry when the last `count` messages are kept. */
	entryIdFromEnd(count: number): string | null {
		return this.#items.at(-count)?.entryId ?? null;
	}

	/** Reads the branch again after the log's leaf moved. */
	reload(): void {
		this.#items = itemsOf(this.log.branch());
	}

	/** Replaces everything before the last `kept` messages by the summary and writes the compaction entry. */
	compact(summary: string, kept: number, beforeTokens: number, afterTokens: number): void {
		const firstKeptId = this.entryIdFromEnd(kept) ?? '';
		this.log.append({ type: 'compaction', summary, firstKeptId, beforeTokens, afterTokens });
		this.#items = [summaryItem(summary), ...this.#items.slice(-kept)];
	}

	/** Changes memory only: the log keeps the original messages. */
	replaceMessages(messages: readonly Message[]): void {
		this.#items = this.#items.map((item, index) => ({ ...item, message: messages[index] ?? item.message }));
	}
}

function summaryItem(summary: string): ConversationItem {
	return { entryId: null, message: summaryMessage(summary), summary, isNotice: true };
}

/** Messages of a branch, from its last summary on if it has one (001 §3.1). */
export function itemsOf(branch: readonly SessionEntry[]): ConversationItem[] {
	let items: ConversationItem[] = [];
	for (const entry of branch) {
		if (entry.type === 'message') items.push({ entryId: entry.id, message: entry.message, isNotice: entry.notice });
		else if (entry.type === 'branch_summary')
			items.push({ entryId: entry.id, message: summaryMessage(entry.summary), isNotice: true });
		else if (entry.type === 'compaction') {
			const first = items.findIndex(({ entryId }) => entryId === entry.firstKeptId);
			const kept = first === -1 ? [] : items.slice(first);
			items = [summaryItem(entry.summary), ...kept];
		}
	}
	return items;
}
