import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import { ContextLengthError } from '../../errors.ts';
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

/** Thinking blocks whose signature has not come yet, by index. */
const signatures = new WeakMap<WireState, Map<number, string>>();

/** Puts one event of the Messages stream into the state. */
export function readAnthropicEvent(
	config: AdapterConfig,
	request: Request,
	state: WireState,
	event: RawMessageStreamEvent
): void {
	const { assembler, usage } = state;
	switch (event.type) {
		case 'message_start': {
			state.id = event.message.id;
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
				keepSignature(state, event.index, block.signature);
			} else if (block.type === 'redacted_thinking') {
				assembler.add({ type: 'redacted_thinking', data: block.data, provider: tag(config, request, null) });
			} else if (block.type === 'tool_use') assembler.startCall(String(event.index), block.id, block.name);
			return;
		}
		case 'content_block_delta': {
			const { delta } = event;
			if (delta.type === 'text_delta') assembler.text(delta.text);
			else if (delta.type === 'thinking_delta') assembler.reasoning(delta.thinking);
			else if (delta.type === 'signature_delta') keepSignature(state, event.index, delta.signature);
			else if (delta.type === 'input_json_delta') assembler.callDelta(String(event.index), delta.partial_json);
			return;
		}
		case 'content_block_stop': {
			const key = String(event.index);
			if (assembler.hasCall(key)) return assembler.endCall(key);
			const signature = signatures.get(state)?.get(event.index);
			assembler.closeSegment(signature ? { signature, provider: tag(config, request, null) } : {});
			return;
		}
		case 'message_delta': {
			const reason = event.delta.stop_reason;
			if (reason !== null) {
				state.rawFinishReason = reason;
				if (reason === 'model_context_window_exceeded' && assembler.isEmpty) {
					throw new ContextLengthError({ provider: config.name });
				}
			}
			usage.outputTokens = event.usage.output_tokens;
			usage.reasoningTokens = event.usage.output_tokens_details?.thinking_tokens ?? 0;
			return;
		}
		case 'message_stop':
			state.finishReason = finishReasons.get(state.rawFinishReason ?? '') ?? 'other';
	}
}

function keepSignature(state: WireState, index: number, signature: string): void {
	const known = signatures.get(state) ?? new Map<number, string>();
	known.set(index, (known.get(index) ?? '') + signature);
	signatures.set(state, known);
}
