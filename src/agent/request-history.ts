import type { ContentPart, Message, ToolCallPart, ToolResultPart } from '../llm/types.ts';

/** What a call without a result gets in the request (003 §4.5). */
export const MISSING_RESULT = 'No result provided';

/**
 * The history as a request carries it: every call answered right after it and in order, no answer
 * without its call, no empty message, neighbouring user messages as blocks of one.
 * The history itself is never changed: a request is repaired, not the log.
 */
export function toRequestMessages(history: readonly Message[]): Message[] {
	const messages: Message[] = [];
	for (let index = 0; index < history.length; index++) {
		const message = history[index] as Message;
		if (message.content.length === 0 || message.role === 'tool') continue;
		const last = messages.at(-1);
		if (message.role === 'user' && last?.role === 'user') {
			messages[messages.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
			continue;
		}
		messages.push(message);
		if (message.role !== 'assistant') continue;
		if (message.content.some(isCall)) messages.push(answersTo(message, history, index));
	}
	return messages;
}

/** The tool message behind the calls itself, where it is just their results in order; else one made of what there is. */
function answersTo(caller: Message, history: readonly Message[], index: number): Message {
	const next = history[index + 1];
	const after = history[index + 2];
	// As in nearly every turn: the whole history comes through here with each request.
	if (next?.role === 'tool' && (after === undefined || after.role === 'assistant') && isAnswer(next, caller))
		return next;
	return { role: 'tool', content: answers(caller.content.filter(isCall), history, index) };
}

function isAnswer(message: Message, caller: Message): boolean {
	let answered = 0;
	for (const part of caller.content) {
		if (!isCall(part)) continue;
		const result = message.content[answered++];
		if (result?.type !== 'tool_result' || result.callId !== part.id) return false;
	}
	return answered === message.content.length;
}

function isCall(part: ContentPart): part is ToolCallPart {
	return part.type === 'tool_call';
}

/** Results stand in the tool messages between the calls and the next assistant message. */
function answers(calls: readonly ToolCallPart[], history: readonly Message[], index: number): ToolResultPart[] {
	const found = new Map<string, ToolResultPart>();
	for (let next = index + 1; next < history.length && history[next]?.role !== 'assistant'; next++)
		for (const part of history[next]?.content ?? []) if (part.type === 'tool_result') found.set(part.callId, part);
	return calls.map(
		(call) =>
			found.get(call.id) ?? {
				type: 'tool_result',
				callId: call.id,
				toolName: call.name,
				content: MISSING_RESULT,
				isError: true
			}
	);
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
