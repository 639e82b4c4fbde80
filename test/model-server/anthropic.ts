import { z } from 'zod';
import { offeredTool } from '#llm/scenario/offered-tool.ts';
import { pieces, type PlayedTurn } from '#llm/scenario/player.ts';
import { type FrameOptions, sse, type WireFormat } from './format.ts';

const bodySchema = z.object({
	tools: z.array(z.object({ name: z.string(), input_schema: z.unknown().optional() })).default([])
});

const errorTypes: Record<number, string> = {
	400: 'invalid_request_error',
	401: 'authentication_error',
	402: 'billing_error',
	403: 'permission_error',
	404: 'not_found_error',
	413: 'request_too_large',
	429: 'rate_limit_error',
	529: 'overloaded_error'
};
const stopReasons: Record<string, string> = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens' };
const stopReason = (turn: PlayedTurn) => stopReasons[turn.finishReason] ?? turn.finishReason;

/** The Messages API. */
export const anthropic: WireFormat = {
	name: 'anthropic',
	serves: (path) => path.endsWith('/v1/messages'),
	tools: (body) => bodySchema.parse(body).tools.map((tool) => offeredTool(tool.name, tool.input_schema)),
	frames(turn, options) {
		const frames = [event({ type: 'message_start', message: message(turn, options, []) })];
		blocks(turn, options).forEach((block, index) => {
			frames.push(event({ type: 'content_block_start', index, content_block: block.start }));
			if (index === 0) frames.push(event({ type: 'ping' }));
			for (const delta of block.deltas) frames.push(event({ type: 'content_block_delta', index, delta }));
			frames.push(event({ type: 'content_block_stop', index }));
		});
		frames.push(
			event({
				type: 'message_delta',
				delta: { stop_reason: stopReason(turn), stop_sequence: null },
				usage: {
					output_tokens: turn.usage.output,
					output_tokens_details: { thinking_tokens: turn.usage.reasoning }
				}
			}),
			event({ type: 'message_stop' })
		);
		return frames;
	},
	whole: (turn, options) => ({
		...message(
			turn,
			options,
			blocks(turn, options).map((block) => block.whole())
		),
		stop_reason: stopReason(turn)
	}),
	failure: (status, text) => ({
		type: 'error',
		error: { type: errorTypes[status] ?? 'api_error', message: text },
		request_id: 'req_test'
	})
};

function event(data: { type: string } & Record<string, unknown>): string {
	return sse(data, data.type);
}

function message(turn: PlayedTurn, options: FrameOptions, content: unknown[]) {
	const { usage } = turn;
	return {
		id: `msg_${options.serial}`,
		type: 'message',
		role: 'assistant',
		model: options.model,
		content,
		stop_reason: null,
		stop_sequence: null,
		usage: {
			input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
			cache_read_input_tokens: usage.cacheRead,
			cache_creation_input_tokens: usage.cacheWrite,
			output_tokens: 1
		}
	};
}

function blocks(turn: PlayedTurn, { chunkCharacters, serial }: FrameOptions) {
	const found: { start: unknown; deltas: unknown[]; whole: () => unknown }[] = [];
	if (turn.reasoning) {
		const signature = `signature-${serial}`;
		found.push({
			start: { type: 'thinking', thinking: '', signature: '' },
			deltas: [
				...pieces(turn.reasoning, chunkCharacters).map((thinking) => ({ type: 'thinking_delta', thinking })),
				{ type: 'signature_delta', signature }
			],
			whole: () => ({ type: 'thinking', thinking: turn.reasoning, signature })
		});
	}
	if (turn.text) {
		found.push({
			start: { type: 'text', text: '' },
			deltas: pieces(turn.text, chunkCharacters).map((text) => ({ type: 'text_delta', text })),
			whole: () => ({ type: 'text', text: turn.text })
		});
	}
	for (const call of turn.calls) {
		const start = { type: 'tool_use', id: call.id, name: call.name, input: {} };
		found.push({
			start,
			deltas: ['', ...pieces(call.argumentsText, chunkCharacters)].map((partial_json) => ({
				type: 'input_json_delta',
				partial_json
			})),
			whole: () => ({ ...start, input: JSON.parse(call.argumentsText) })
		});
	}
	return found;
}
