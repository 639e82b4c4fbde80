import { repairOrphans } from '#llm/history/orphans.ts';
import type { ContentPart, Message } from '#llm/types.ts';

/**
 * Prepares the history for a request: every call is followed by its answer in order, answers without calls and empty
 * messages are removed, adjacent user messages are merged. The history itself is not changed: the request is repaired,
 * not the log. A message with an attachment is not merged with the next one, so that the attachment can still be
 * removed if a provider refuses it.
 */
export function toRequestMessages(history: readonly Message[]): Message[] {
	const messages: Message[] = [];
	for (const message of repairOrphans(history)) {
		const last = messages.at(-1);
		if (message.role === 'user' && last?.role === 'user' && !last.content.some(isAttachment))
			messages[messages.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
		else messages.push(message);
	}
	return messages;
}

function isAttachment({ type }: ContentPart): boolean {
	return type === 'document' || type === 'audio' || type === 'image_url';
}

/** Removes the model's own thinking, for a provider that rejects it. */
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
