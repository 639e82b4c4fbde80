import { isObject, objectOr, PartialJsonReader } from '../partial-json.ts';
import type { ContentPart, Message, OpaqueData, StreamEvent, ToolCallPart } from '../types.ts';

interface OpenCall {
	part: ToolCallPart;
	text: string;
	reader: PartialJsonReader;
	custom: boolean;
}

/**
 * Converts the pieces of a wire format into stream events and the resulting message. Text and reasoning come
 * one segment after the other; tool calls may arrive in parallel, each under the key its wire format uses.
 */
export class MessageAssembler {
	private readonly content: ContentPart[] = [];
	private segment: { type: 'text' | 'thinking'; id: string; text: string; part: ContentPart } | undefined;
	private segments = 0;
	private readonly calls = new Map<string, OpenCall>();
	private queue: StreamEvent[] = [];

	/** Returns and clears the events since the last call. */
	take(): StreamEvent[] {
		const events = this.queue;
		this.queue = [];
		return events;
	}

	text(delta: string): void {
		this.open('text');
		if (delta === '' || !this.segment) return;
		this.segment.text += delta;
		this.queue.push({ type: 'text_delta', id: this.segment.id, delta });
	}

	reasoning(delta: string): void {
		this.open('thinking');
		if (delta === '' || !this.segment) return;
		this.segment.text += delta;
		this.queue.push({ type: 'reasoning_delta', id: this.segment.id, delta });
	}

	/** Ends the open text or reasoning, adding the data that must be returned with reasoning. */
	closeSegment(providerData: { signature?: string; provider?: OpaqueData } = {}): void {
		const segment = this.segment;
		if (!segment) return;
		this.segment = undefined;
		if (segment.part.type === 'text') segment.part.text = segment.text;
		if (segment.part.type === 'thinking') {
			segment.part.text = segment.text;
			if (providerData.signature) segment.part.signature = providerData.signature;
			if (providerData.provider) segment.part.provider = providerData.provider;
		}
		const { id, text } = segment;
		this.queue.push({ type: segment.type === 'text' ? 'text_end' : 'reasoning_end', id, text });
	}

	/** Adds a part that has no events of its own. */
	add(part: ContentPart): void {
		this.closeSegment();
		this.content.push(part);
	}

	/**
	 * Starts a tool call.
	 * @param custom a free-form tool: its text is not JSON and becomes `{ input }`
	 */
	startCall(key: string, id: string, name: string, custom = false): void {
		this.closeSegment();
		const part: ToolCallPart = { type: 'tool_call', id, name, arguments: {} };
		this.content.push(part);
		this.calls.set(key, { part, text: '', reader: new PartialJsonReader(), custom });
		this.queue.push({ type: 'tool_call_start', id, name });
	}

	hasCall(key: string): boolean {
		return this.calls.has(key);
	}

	callDelta(key: string, delta: string): void {
		const call = this.calls.get(key);
		if (!call || delta === '') return;
		call.text += delta;
		if (!call.custom) call.reader.push(delta);
		const partialArguments = call.custom ? { input: call.text } : objectOr(call.reader.value);
		this.queue.push({ type: 'tool_call_delta', id: call.part.id, delta, partialArguments });
	}

	/**
	 * Ends a tool call.
	 * @param whole the arguments as the provider repeats them at the end; they override the pieces
	 */
	endCall(key: string, whole?: string, provider?: OpaqueData): void {
		const call = this.calls.get(key);
		if (!call) return;
		this.calls.delete(key);
		const text = whole ?? call.text;
		if (call.custom) call.part.arguments = { input: text };
		else setArguments(call.part, text);
		if (provider) call.part.provider = provider;
		this.queue.push({ type: 'tool_call_end', call: call.part });
	}

	/**
	 * Adds a tool call that arrives in one piece, already parsed: its text is not parsed again.
	 * @param value the arguments; anything but an object is stored as text
	 */
	wholeCall(id: string, name: string, value: unknown, provider?: OpaqueData): void {
		this.closeSegment();
		const part: ToolCallPart = { type: 'tool_call', id, name, arguments: objectOr(value) };
		const delta = JSON.stringify(value);
		if (!isObject(value)) part.rawArguments = delta;
		if (provider) part.provider = provider;
		this.content.push(part);
		this.queue.push(
			{ type: 'tool_call_start', id, name },
			{ type: 'tool_call_delta', id, delta, partialArguments: part.arguments },
			{ type: 'tool_call_end', call: part }
		);
	}

	/** Ends everything that is open. */
	closeAll(): void {
		this.closeSegment();
		for (const key of [...this.calls.keys()]) this.endCall(key);
	}

	get isEmpty(): boolean {
		return this.content.length === 0;
	}

	/** True while reasoning is open. */
	get isReasoning(): boolean {
		return this.segment?.type === 'thinking';
	}

	get hasToolCalls(): boolean {
		return this.content.some((part) => part.type === 'tool_call');
	}

	/** The message so far, without empty text. */
	message(): Message {
		const content = this.content.filter(
			(part) => part.type !== 'text' || part.text !== '' || part === this.segment?.part
		);
		return { role: 'assistant', content };
	}

	private open(type: 'text' | 'thinking'): void {
		if (this.segment?.type === type) return;
		this.closeSegment();
		const part: ContentPart = { type, text: '' };
		this.content.push(part);
		const id = `segment_${++this.segments}`;
		this.segment = { type, id, text: '', part };
		this.queue.push({ type: type === 'text' ? 'text_start' : 'reasoning_start', id });
	}
}

/**
 * Models call a tool without parameters with empty text; any other text that is not an object is stored
 * unchanged.
 */
function setArguments(part: ToolCallPart, text: string): void {
	if (text.trim() === '') return;
	try {
		const value: unknown = JSON.parse(text);
		if (isObject(value)) part.arguments = value;
		else part.rawArguments = text;
	} catch {
		part.rawArguments = text;
	}
}
