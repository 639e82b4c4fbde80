import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { FinishReason, OpaqueData } from '../../types.ts';
import type { WireState } from '../run.ts';

const finishReasons = new Map<string, FinishReason>([
	['stop', 'stop'],
	['eos', 'stop'],
	['tool_calls', 'tool_calls'],
	['function_call', 'tool_calls'],
	['length', 'length'],
	['content_filter', 'content_filter']
]);

/** Field names that compatible servers use for reasoning. */
const reasoningFields = z.object({
	reasoning_content: z.string().nullish().catch(undefined),
	reasoning: z.string().nullish().catch(undefined),
	reasoning_text: z.string().nullish().catch(undefined)
});

type ToolCallDelta = NonNullable<ChatCompletionChunk.Choice.Delta['tool_calls']>[number];

/** Applies the chunks of one chat stream to the state. */
export class ChatReader {
	private currentCall = '';
	private calls = 0;

	/**
	 * Creates the reader.
	 * @param providerData stored with the reasoning of a server that wants it back; if absent, reasoning is only
	 *   displayed
	 */
	constructor(
		private readonly state: WireState,
		private readonly providerData?: OpaqueData
	) {}

	read(chunk: ChatCompletionChunk): void {
		const { state } = this;
		if (chunk.id) state.id = chunk.id;
		if (chunk.usage) this.readUsage(chunk.usage);
		const choice = chunk.choices?.[0];
		if (!choice) return;
		const { delta } = choice;
		if (delta) {
			const fields = reasoningFields.safeParse(delta);
			const { reasoning_content, reasoning, reasoning_text } = fields.data ?? {};
			const thought = reasoning_content || reasoning || reasoning_text;
			if (thought) state.assembler.reasoning(thought);
			if (delta.content) this.say(delta.content);
			if (delta.refusal) this.say(delta.refusal);
			for (const call of delta.tool_calls ?? []) this.readCall(call);
		}
		if (choice.finish_reason) {
			this.endReasoning();
			state.rawFinishReason = choice.finish_reason;
			state.finishReason = finishReasons.get(choice.finish_reason) ?? 'other';
		}
	}

	private say(text: string): void {
		this.endReasoning();
		this.state.assembler.text(text);
	}

	private endReasoning(): void {
		const { assembler } = this.state;
		if (assembler.isReasoning) assembler.closeSegment(this.providerData ? { provider: this.providerData } : {});
	}

	/** A call starts with its name; servers without indexes start the next one with a new id. */
	private readCall(call: ToolCallDelta): void {
		const { assembler } = this.state;
		const name = call.function?.name;
		const indexed: number | undefined = call.index;
		let key = indexed === undefined ? this.currentCall : `index ${indexed}`;
		if (name && (indexed === undefined ? call.id !== undefined || key === '' : !assembler.hasCall(key))) {
			this.calls++;
			this.endReasoning();
			if (indexed === undefined) key = `call ${this.calls}`;
			this.currentCall = key;
			assembler.startCall(key, call.id || `call_${this.calls}_${crypto.randomUUID().slice(0, 8)}`, name);
		}
		if (call.function?.arguments) assembler.callDelta(key, call.function.arguments);
	}

	private readUsage(usage: NonNullable<ChatCompletionChunk['usage']>): void {
		const counted = this.state.usage;
		counted.inputTokens = usage.prompt_tokens ?? 0;
		counted.outputTokens = usage.completion_tokens ?? 0;
		counted.cacheReadTokens = usage.prompt_tokens_details?.cached_tokens ?? 0;
		counted.reasoningTokens = usage.completion_tokens_details?.reasoning_tokens ?? 0;
	}
}
