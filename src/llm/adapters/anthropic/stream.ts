import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import { classifyAnswer } from '../../classify-error.ts';
import { ContextLengthError } from '../../errors.ts';
import type { ServerSentEvent } from '../../server-sent-events.ts';
import type { FinishReason, Request } from '../../types.ts';
import { type AdapterConfig, tag } from '../adapter.ts';
import type { WireState } from '../run.ts';

const finishReasons = new Map<string, FinishReason>([
	['end_turn', 'stop'],
	['stop_sequence', 'stop'],
	['pause_turn', 'stop'],
	['tool_use', 'tool_calls'],
	['max_tokens', 'length'],
	['model_context_window_exceeded', 'length'],
	['refusal', 'content_filter']
]);

/** Applies the events of one Messages stream to the state. */
export class AnthropicReader {
	/** Thinking blocks whose signature has not arrived yet, by index. */
	private readonly signatures = new Map<number, string>();

	constructor(
		private readonly config: AdapterConfig,
		private readonly request: Request,
		private readonly state: WireState
	) {}

	read({ event: name, data }: ServerSentEvent): void {
		// Every event has a name; pings and events without data only show that the connection is alive.
		if (name === undefined || name === 'ping' || data === '') return;
		if (name === 'error') throw classifyAnswer({ provider: this.config.name, body: data });
		const event: RawMessageStreamEvent = JSON.parse(data);
		this.readEvent(event);
	}

	private readEvent(event: RawMessageStreamEvent): void {
		const { assembler, usage } = this.state;
		switch (event.type) {
			case 'message_start': {
				this.state.id = event.message.id;
				const { usage: counted } = event.message;
				usage.cacheReadTokens = counted.cache_read_input_tokens ?? 0;
				usage.cacheWriteTokens = counted.cache_creation_input_tokens ?? 0;
				usage.inputTokens = counted.input_tokens + usage.cacheReadTokens + usage.cacheWriteTokens;
				usage.outputTokens = counted.output_tokens;
				return;
			}
			case 'content_block_start': {
				const block = event.content_block;
				if (block.type === 'text') assembler.text(block.text);
				else if (block.type === 'thinking') {
					assembler.reasoning(block.thinking);
					this.keepSignature(event.index, block.signature);
				} else if (block.type === 'redacted_thinking') {
					assembler.add({
						type: 'redacted_thinking',
						data: block.data,
						provider: tag(this.config, this.request, null)
					});
				} else if (block.type === 'tool_use') assembler.startCall(String(event.index), block.id, block.name);
				return;
			}
			case 'content_block_delta': {
				const { delta } = event;
				if (delta.type === 'text_delta') assembler.text(delta.text);
				else if (delta.type === 'thinking_delta') assembler.reasoning(delta.thinking);
				else if (delta.type === 'signature_delta') this.keepSignature(event.index, delta.signature);
				else if (delta.type === 'input_json_delta') assembler.callDelta(String(event.index), delta.partial_json);
				return;
			}
			case 'content_block_stop': {
				const key = String(event.index);
				if (assembler.hasCall(key)) return assembler.endCall(key);
				const signature = this.signatures.get(event.index);
				assembler.closeSegment(signature ? { signature, provider: tag(this.config, this.request, null) } : {});
				return;
			}
			case 'message_delta': {
				const reason = event.delta.stop_reason;
				if (reason !== null) {
					this.state.rawFinishReason = reason;
					if (reason === 'model_context_window_exceeded' && assembler.isEmpty) {
						throw new ContextLengthError({ provider: this.config.name });
					}
				}
				usage.outputTokens = event.usage.output_tokens;
				usage.reasoningTokens = event.usage.output_tokens_details?.thinking_tokens ?? 0;
				return;
			}
			case 'message_stop':
				this.state.finishReason = finishReasons.get(this.state.rawFinishReason ?? '') ?? 'other';
		}
	}

	private keepSignature(index: number, signature: string): void {
		this.signatures.set(index, (this.signatures.get(index) ?? '') + signature);
	}
}
