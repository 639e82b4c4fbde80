import type { Message, ToolCallPart, ToolResultPart } from '../types.ts';

/**
 * Gives every tool call its result and drops results without a call, which providers refuse (003 §4.5). A result belongs
 * to the calls of the assistant message before it; the ones missing are added right behind that message, in call order.
 * The list given is not changed.
 */
export function repairOrphans(messages: Message[]): Message[] {
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
		const calls = message.content.filter((part): part is ToolCallPart => part.type === 'tool_call');
		// Everything up to the next assistant message may answer these calls.
		const following: Message[] = [];
		while (index < messages.length && messages[index]?.role !== 'assistant') {
			const next = messages[index++];
			if (next) following.push(next);
		}
		const [only] = following;
		if (only && following.length === 1 && answers(only, calls)) {
			// Nothing to repair, as in nearly every turn: the whole history comes through here with each request.
			repaired.push(only);
			continue;
		}
		if (calls.length > 0) repaired.push({ role: 'tool', content: resultsFor(calls, following) });
		for (const other of following) push(repaired, withoutResults(other));
	}
	return repaired;
}

/** Whether a message holds the results of just these calls, in their order. */
function answers(message: Message, calls: ToolCallPart[]): boolean {
	const { role, content } = message;
	if (role !== 'tool' || calls.length === 0 || content.length !== calls.length) return false;
	return content.every((part, index) => part.type === 'tool_result' && part.callId === calls[index]?.id);
}

function resultsFor(calls: ToolCallPart[], following: Message[]): ToolResultPart[] {
	const found = following.flatMap((message) =>
		message.content.filter((part): part is ToolResultPart => part.type === 'tool_result')
	);
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
