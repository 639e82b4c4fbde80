import type {
	Response,
	ResponseOutputItem,
	ResponseReasoningItem,
	ResponseStreamEvent
} from 'openai/resources/responses/responses';
import { classifyAnswer } from '../../classify-error.ts';
import type { FinishReason, Request } from '../../types.ts';
import { type AdapterConfig, tag } from '../adapter.ts';
import type { WireState } from '../run.ts';

const incompleteReasons = new Map<string, FinishReason>([
	['max_output_tokens', 'length'],
	['content_filter', 'content_filter']
]);

/** Applies the events of one Responses stream to the state. */
export class ResponsesReader {
	constructor(
		private readonly config: AdapterConfig,
		private readonly request: Request,
		private readonly state: WireState
	) {}

	read(event: ResponseStreamEvent): void {
		const { assembler } = this.state;
		switch (event.type) {
			case 'response.created':
				this.state.id = event.response.id;
				return;
			case 'response.output_item.added':
				return this.itemAdded(event.output_index, event.item);
			case 'response.output_text.delta':
			case 'response.refusal.delta':
				return assembler.text(event.delta);
			case 'response.reasoning_summary_part.added':
				// The paragraphs of a summary arrive as parts.
				if (event.summary_index > 0) assembler.reasoning('\n\n');
				return;
			case 'response.reasoning_summary_text.delta':
			case 'response.reasoning_text.delta':
				return assembler.reasoning(event.delta);
			case 'response.function_call_arguments.delta':
			case 'response.custom_tool_call_input.delta':
				return assembler.callDelta(String(event.output_index), event.delta);
			case 'response.output_item.done':
				return this.itemDone(event.output_index, event.item);
			case 'response.completed':
			case 'response.incomplete':
				return this.finish(event.response);
			case 'response.failed':
				throw classifyAnswer({
					provider: this.config.name,
					body: JSON.stringify({ error: event.response.error ?? { message: 'The response failed.' } })
				});
			case 'error':
				throw classifyAnswer({ provider: this.config.name, body: JSON.stringify({ error: event }) });
		}
	}

	private itemAdded(index: number, item: ResponseOutputItem): void {
		const { assembler } = this.state;
		if (item.type === 'function_call') assembler.startCall(String(index), item.call_id, item.name);
		else if (item.type === 'custom_tool_call') assembler.startCall(String(index), item.call_id, item.name, true);
	}

	private itemDone(index: number, item: ResponseOutputItem): void {
		const { assembler } = this.state;
		const key = String(index);
		if (item.type === 'function_call') assembler.endCall(key, item.arguments, this.tag({ id: item.id }));
		else if (item.type === 'custom_tool_call') assembler.endCall(key, item.input, this.tag({ id: item.id }));
		else if (item.type === 'reasoning') this.reasoningDone(item);
		else if (item.type === 'message') assembler.closeSegment();
	}

	private reasoningDone(item: ResponseReasoningItem): void {
		const { assembler } = this.state;
		if (assembler.isReasoning) assembler.closeSegment({ provider: this.tag(item) });
		else assembler.add({ type: 'thinking', text: '', provider: this.tag(item) });
	}

	private finish(response: Response): void {
		const { state } = this;
		const { usage } = response;
		if (usage) {
			state.usage.inputTokens = usage.input_tokens;
			state.usage.outputTokens = usage.output_tokens;
			state.usage.cacheReadTokens = usage.input_tokens_details?.cached_tokens ?? 0;
			state.usage.reasoningTokens = usage.output_tokens_details?.reasoning_tokens ?? 0;
		}
		state.id = response.id;
		const reason = response.incomplete_details?.reason;
		state.rawFinishReason = reason ?? response.status ?? 'completed';
		state.finishReason = reason === undefined ? 'stop' : (incompleteReasons.get(reason) ?? 'other');
	}

	private tag(item: unknown) {
		return tag(this.config, this.request, item);
	}
}
