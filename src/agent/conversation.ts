import type { Message } from '#llm/types.ts';
import type { MessageOrigin, SessionEntry, SessionLog } from './session-log.ts';

/** How a summary stands in the conversation: as a user message (001 §3.1). */
export function summaryMessage(summary: string): Message {
	const text = `The conversation before this point was compacted. Its summary:\n\n<summary>\n${summary}\n</summary>`;
	return { role: 'user', content: [{ type: 'text', text }] };
}

export interface ConversationItem {
	/** Entry in the log; `null` for a summary. */
	entryId: string | null;
	message: Message;
	/** What the message wraps, where it stands for what came before it. */
	summary?: string;
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

	get length(): number {
		return this.#items.length;
	}

	append(message: Message, origin: MessageOrigin = {}): string {
		const entryId = this.log.append({ type: 'message', message, ...origin });
		this.#items.push({ entryId, message });
		return entryId;
	}

	/** The summary the conversation starts with, where it was compacted before. */
	get summary(): string | undefined {
		return this.#items[0]?.summary;
	}

	/** The entry of the first message kept when the last `count` are. */
	entryIdFromEnd(count: number): string | null {
		return this.#items.at(-count)?.entryId ?? null;
	}

	/** Reads the branch anew, after the log's leaf moved. */
	reload(): void {
		this.#items = itemsOf(this.log.branch());
	}

	/** The summary stands for everything before the last `kept` messages. Writes the compaction entry. */
	compact(summary: string, kept: number, beforeTokens: number, afterTokens: number): void {
		const firstKeptId = this.entryIdFromEnd(kept) ?? '';
		this.log.append({ type: 'compaction', summary, firstKeptId, beforeTokens, afterTokens });
		this.#items = [{ entryId: null, message: summaryMessage(summary), summary }, ...this.#items.slice(-kept)];
	}

	/** In memory only: the log keeps what was said. */
	replaceMessages(messages: readonly Message[]): void {
		this.#items = this.#items.map((item, index) => ({ ...item, message: messages[index] ?? item.message }));
	}
}

/** A branch's messages, from its last summary on where it has one (001 §3.1). */
export function itemsOf(branch: readonly SessionEntry[]): ConversationItem[] {
	let items: ConversationItem[] = [];
	for (const entry of branch) {
		if (entry.type === 'message') items.push({ entryId: entry.id, message: entry.message });
		else if (entry.type === 'branch_summary') items.push({ entryId: entry.id, message: summaryMessage(entry.summary) });
		else if (entry.type === 'compaction') {
			const first = items.findIndex(({ entryId }) => entryId === entry.firstKeptId);
			const kept = first === -1 ? [] : items.slice(first);
			items = [{ entryId: null, message: summaryMessage(entry.summary), summary: entry.summary }, ...kept];
		}
	}
	return items;
}
