import { repairOrphans } from '#llm/history/orphans.ts';
import type { ContentPart, Message } from '#llm/types.ts';

/**
 * The history as a request carries it: every call answered right after it and in order, no answer
 * without its call, no empty message, neighbouring user messages as blocks of one.
 * The history itself is never changed: a request is repaired, not the log.
 */
export function toRequestMessages(history: readonly Message[]): Message[] {
	const messages: Message[] = [];
	for (const message of repairOrphans(history)) {
		const last = messages.at(-1);
		if (message.role === 'user' && last?.role === 'user')
			messages[messages.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
		else messages.push(message);
	}
	return messages;
}

/** The history without the model's own thinking, for a provider that refuses how it was sent back. */
export function withoutThinking(messages: readonly Message[]): Message[] {
	return messages.map((message) =>
		message.content.some(isThinking)
			? { role: message.role, content: message.content.filter((part) => !isThinking(part)) }
			: message
	);
}

export function isThinking(part: ContentPart): boolean {
	return part.type === 'thinking' || part.type === 'redacted_thinking' || part.type === 'opaque';
}
