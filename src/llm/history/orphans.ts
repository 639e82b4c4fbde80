import type { ContentPart, Message, ToolCallPart, ToolResultPart } from '../types.ts';

/**
 * Adds a result to every tool call that lacks one and drops results without a call, which providers refuse (003
 * §4.5). A result belongs to the calls of the assistant message before it; missing ones are added directly
 * after that message, in call order. The given list is not changed.
 */
export function repairOrphans(messages: readonly Message[]): readonly Message[] {
	// Usually there is nothing to repair, and the whole history is checked for each request.
	return messages.every(isInPlace) ? messages : repair(messages);
}

/**
 * Checks whether a message can stay unchanged: not empty, its results after their calls, its calls before their
 * results.
 */
function isInPlace({ role, content }: Message, index: number, messages: readonly Message[]): boolean {
	if (content.length === 0) return false;
	if (role === 'assistant') return !content.some(isCall) || answers(messages[index + 1], content);
	if (role !== 'tool') return !content.some(isResult);
	const before = messages[index - 1];
	return before?.role === 'assistant' && answers(messages[index], before.content);
}

function repair(messages: readonly Message[]): Message[] {
	const repaired: Message[] = [];
	let index = 0;
	while (index < messages.length) {
		const message = messages[index];
		if (!message) break;
		index++;
		if (message.role !== 'assistant') {
			push(repaired, withoutResults(message));
			continue;
		}
		if (message.content.length === 0) continue;
		repaired.push(message);
		const calls = message.content.filter(isCall);
		// All messages up to the next assistant message may contain results of these calls.
		const following: Message[] = [];
		while (index < messages.length && messages[index]?.role !== 'assistant') {
			const next = messages[index++];
			if (next) following.push(next);
		}
		if (calls.length > 0) repaired.push({ role: 'tool', content: resultsFor(calls, following) });
		for (const other of following) push(repaired, withoutResults(other));
	}
	return repaired;
}

/** Checks whether a message contains the results of exactly these calls, in their order. */
function answers(message: Message | undefined, callers: ContentPart[]): boolean {
	if (message?.role !== 'tool') return false;
	let answered = 0;
	for (const part of callers) {
		if (part.type !== 'tool_call') continue;
		const result = message.content[answered++];
		if (result?.type !== 'tool_result' || result.callId !== part.id) return false;
	}
	return answered === message.content.length;
}

function isCall(part: ContentPart): part is ToolCallPart {
	return part.type === 'tool_call';
}

function isResult(part: ContentPart): part is ToolResultPart {
	return part.type === 'tool_result';
}

function resultsFor(calls: ToolCallPart[], following: Message[]): ToolResultPart[] {
	const found = following.flatMap((message) => message.content.filter(isResult));
	return calls.map((call) => {
		const at = found.findIndex((result) => result.callId === call.id);
		const [result] = at === -1 ? [] : found.splice(at, 1);
		return (
			result ?? {
				type: 'tool_result',
				callId: call.id,
				toolName: call.name,
				content: 'No result provided',
				isError: true
			}
		);
	});
}

function withoutResults(message: Message): Message {
	const content = message.content.filter((part) => part.type !== 'tool_result');
	return content.length === message.content.length ? message : { ...message, content };
}

function push(messages: Message[], message: Message): void {
	if (message.content.length > 0) messages.push(message);
}
