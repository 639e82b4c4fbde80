import type { FinishReason, Message, Request, StreamEvent, Usage } from '#llm/types.ts';
import type { EventBody } from '../events.ts';
import { AbortableReader } from './abortable.ts';

/** Outcome of one request to the model. */
export type ResponseOutcome =
	| {
			kind: 'finished';
			/** Id assigned by the provider. */
			id: string;
			message: Message;
			finishReason: FinishReason;
			rawFinishReason?: string;
			usage: Usage;
	  }
	/** `partial` is the received part; `hasContent` is set if it has any content. */
	| { kind: 'failed'; error: Error; partial: Message; hasContent: boolean }
	| { kind: 'aborted'; partial: Message };

/** Collects a response's text while it streams. */
interface Streamed {
	text: string[];
	reasoning: string[];
	textOpen: boolean;
	reasoningOpen: boolean;
	hasContent: boolean;
	/** Names of calls still streaming, by id. */
	callNames: Map<string, string>;
}

/**
 * Streams one response and emits its events. Each start event gets its end event here, even if the stream breaks off;
 * the caller emits `message_start` and `message_end`. Takes O(delta) time per delta.
 */
export async function streamResponse(
	stream: (request: Request) => AsyncIterable<StreamEvent>,
	request: Request,
	signal: AbortSignal,
	emit: (body: EventBody) => void
): Promise<ResponseOutcome> {
	const streamed: Streamed = {
		text: [],
		reasoning: [],
		textOpen: false,
		reasoningOpen: false,
		hasContent: false,
		callNames: new Map()
	};
	const reader = new AbortableReader(stream(request), signal);
	try {
		for (;;) {
			const event = reader.arrived() ?? (await reader.next())?.value;
			if (!event) break;
			if (event.type === 'finish') {
				closeOpen(streamed, emit);
				const { id, message, finishReason, rawFinishReason, usage } = event.response;
				return {
					kind: 'finished',
					id,
					message: inParts(message),
					finishReason,
					usage,
					...(rawFinishReason ? { rawFinishReason } : {})
				};
			}
			if (event.type === 'error') {
				closeOpen(streamed, emit);
				const partial = event.partial ?? partialMessage(streamed);
				if (signal.aborted) return { kind: 'aborted', partial };
				return { kind: 'failed', error: event.error, partial, hasContent: streamed.hasContent };
			}
			onEvent(event, streamed, emit);
		}
	} catch (error) {
		closeOpen(streamed, emit);
		const failure = error instanceof Error ? error : new Error(String(error));
		if (!signal.aborted)
			return { kind: 'failed', error: failure, partial: partialMessage(streamed), hasContent: streamed.hasContent };
	} finally {
		reader.close();
	}
	closeOpen(streamed, emit);
	if (signal.aborted) return { kind: 'aborted', partial: partialMessage(streamed) };
	const error = new Error('The response ended without a finish. Try again.');
	return { kind: 'failed', error, partial: partialMessage(streamed), hasContent: streamed.hasContent };
}

/** Converts the content to parts: a host's own client may pass on a plain text, or nothing, as its provider sent it. */
function inParts(message: Message): Message {
	const content: unknown = message.content;
	if (Array.isArray(content)) return message;
	return {
		role: 'assistant',
		content: typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []
	};
}

function onEvent(
	event: Exclude<StreamEvent, { type: 'finish' | 'error' }>,
	streamed: Streamed,
	emit: (body: EventBody) => void
): void {
	switch (event.type) {
		case 'text_delta':
			if (event.delta === '') return;
			streamed.hasContent = true;
			if (!streamed.textOpen) {
				// A new block: the previous one has ended.
				streamed.textOpen = true;
				emit({ type: 'assistant_text_start' });
			}
			streamed.text.push(event.delta);
			return emit({ type: 'assistant_text_delta', delta: event.delta });
		case 'text_end':
			return closeText(streamed, emit, event.text);
		case 'reasoning_delta':
			if (event.delta === '') return;
			streamed.hasContent = true;
			if (!streamed.reasoningOpen) {
				streamed.reasoningOpen = true;
				emit({ type: 'reasoning_start' });
			}
			streamed.reasoning.push(event.delta);
			return emit({ type: 'reasoning_delta', delta: event.delta });
		case 'reasoning_end':
			return closeReasoning(streamed, emit, event.text);
		case 'tool_call_start':
			streamed.hasContent = true;
			streamed.callNames.set(event.id, event.name);
			return;
		case 'tool_call_delta': {
			const toolName = streamed.callNames.get(event.id) ?? '';
			return emit({ type: 'tool_call_delta', callId: event.id, toolName, partialArguments: event.partialArguments });
		}
		case 'retry':
			return emit({ ...event });
		case 'start':
		case 'text_start':
		case 'reasoning_start':
		case 'tool_call_end':
			return;
	}
}

function closeText(streamed: Streamed, emit: (body: EventBody) => void, text?: string): void {
	if (!streamed.textOpen) return;
	streamed.textOpen = false;
	emit({ type: 'assistant_text_end', text: text ?? streamed.text.join('') });
}

function closeReasoning(streamed: Streamed, emit: (body: EventBody) => void, text?: string): void {
	if (!streamed.reasoningOpen) return;
	streamed.reasoningOpen = false;
	emit({ type: 'reasoning_end', text: text ?? streamed.reasoning.join('') });
}

function closeOpen(streamed: Streamed, emit: (body: EventBody) => void): void {
	closeReasoning(streamed, emit);
	closeText(streamed, emit);
}

/** Omits unfinished calls, whose arguments are incomplete. */
function partialMessage({ text, reasoning }: Streamed): Message {
	const message: Message = { role: 'assistant', content: [] };
	if (reasoning.length > 0) message.content.push({ type: 'thinking', text: reasoning.join('') });
	if (text.length > 0) message.content.push({ type: 'text', text: text.join('') });
	return message;
}
