import { describe, expect, it } from 'vitest';
import { AnthropicReader } from '#llm/adapters/anthropic/stream.ts';
import { asked, failureOf, readAll } from '../reading.ts';

const { config, request } = asked('anthropic', 'claude-opus-4-6');
const read = (...events: { type: string }[]) =>
	readAll(
		(state) => new AnthropicReader(config, request, state),
		events.map((event) => ({ event: event.type, data: JSON.stringify(event) }))
	);
const start = (usage: object = {}) => ({
	type: 'message_start',
	message: { id: 'msg_1', usage: { input_tokens: 10, output_tokens: 1, ...usage } }
});
const opened = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, part: object) => ({ type: 'content_block_delta', index, delta: part });
const closed = (index: number) => ({ type: 'content_block_stop', index });
const counted = (stop_reason: string | null, usage: object = {}) => ({
	type: 'message_delta',
	delta: { stop_reason },
	usage: { output_tokens: 20, ...usage }
});
const stop = { type: 'message_stop' };
const provider = { provider: 'anthropic', model: 'claude-opus-4-6', item: null };

describe('a Messages stream', () => {
	it.each([
		['end_turn', 'stop'],
		['stop_sequence', 'stop'],
		['pause_turn', 'stop'],
		['tool_use', 'tool_calls'],
		['max_tokens', 'length'],
		['refusal', 'content_filter'],
		['brand_new', 'other']
	])('that ends with %s ends with %s', (raw, finishReason) => {
		expect(read(start(), counted(raw), stop).state).toMatchObject({ id: 'msg_1', finishReason, rawFinishReason: raw });
	});

	it('has not ended before its last event, and ends without a reason too', () => {
		expect(read(start(), counted('end_turn')).state.finishReason).toBeUndefined();
		const { state } = read(start(), counted('end_turn'), counted(null), stop);
		expect(state).toMatchObject({ finishReason: 'stop', rawFinishReason: 'end_turn' });
		expect(read(start(), counted(null), stop).state.finishReason).toBe('other');
	});

	it('whose window is full has overflowed before any content, and is cut after it', () => {
		const full = counted('model_context_window_exceeded');
		expect(failureOf(() => read(start(), full))).toMatchObject({ code: 'context_length', provider: 'anthropic' });
		const text = [opened(0, { type: 'text', text: 'Hel' }), delta(0, { type: 'text_delta', text: 'lo' })];
		const { state, content } = read(start(), ...text, full, stop);
		expect(state.finishReason).toBe('length');
		expect(content).toEqual([{ type: 'text', text: 'Hello' }]);
	});

	it('counts cached input as input, and thinking within the output', () => {
		const cache = { cache_read_input_tokens: 200, cache_creation_input_tokens: 3000 };
		expect(read(start(cache)).state.usage).toEqual({
			inputTokens: 3210,
			cacheReadTokens: 200,
			cacheWriteTokens: 3000,
			outputTokens: 1,
			reasoningTokens: 0
		});
		const { usage } = read(start(), counted(null, { output_tokens_details: { thinking_tokens: 15 } })).state;
		expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 20, reasoningTokens: 15, cacheReadTokens: 0 });
		expect(read(start(), counted(null)).state.usage.reasoningTokens).toBe(0);
	});

	it('gives thinking with the pieces of its signature, and redacted thinking', () => {
		const { content, types } = read(
			opened(0, { type: 'thinking', thinking: 'H', signature: '' }),
			delta(0, { type: 'thinking_delta', thinking: 'm' }),
			delta(0, { type: 'signature_delta', signature: 's1' }),
			delta(0, { type: 'signature_delta', signature: 's2' }),
			closed(0),
			opened(1, { type: 'redacted_thinking', data: 'd' }),
			closed(1),
			opened(2, { type: 'thinking', thinking: 'unsigned', signature: '' }),
			closed(2)
		);
		expect(content).toEqual([
			{ type: 'thinking', text: 'Hm', signature: 's1s2', provider },
			{ type: 'redacted_thinking', data: 'd', provider },
			{ type: 'thinking', text: 'unsigned' }
		]);
		expect(content[2]).not.toHaveProperty('provider');
		expect(types).toEqual([
			...['reasoning_start', 'reasoning_delta', 'reasoning_delta', 'reasoning_end'],
			...['reasoning_start', 'reasoning_delta', 'reasoning_end']
		]);
	});

	it('gives text and calls, each ended where its block ends', () => {
		const { content, types } = read(
			opened(0, { type: 'text', text: '' }),
			delta(0, { type: 'text_delta', text: 'Reading.' }),
			closed(0),
			opened(1, { type: 'tool_use', id: 'a', name: 'Read', input: {} }),
			delta(1, { type: 'input_json_delta', partial_json: '{"p":' }),
			delta(1, { type: 'input_json_delta', partial_json: '1}' }),
			delta(1, { type: 'citations_delta', text: 'never' }),
			closed(1),
			opened(2, { type: 'server_tool_use', id: 'b', name: 'web' })
		);
		expect(content).toEqual([
			{ type: 'text', text: 'Reading.' },
			{ type: 'tool_call', id: 'a', name: 'Read', arguments: { p: 1 } }
		]);
		expect(types).toEqual([
			...['text_start', 'text_delta', 'text_end'],
			...['tool_call_start', 'tool_call_delta', 'tool_call_delta', 'tool_call_end']
		]);
	});

	it('skips pings, events without data and those without a name', () => {
		const data = JSON.stringify(opened(0, { type: 'text', text: 'never' }));
		const { events } = readAll(
			(state) => new AnthropicReader(config, request, state),
			[{ data }, { event: 'ping', data }, { event: 'content_block_start', data: '' }]
		);
		expect(events).toEqual([]);
	});

	it('that fails ends with the error it names', () => {
		const error = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } };
		expect(failureOf(() => read(error))).toMatchObject({
			code: 'rate_limit',
			provider: 'anthropic',
			message: expect.stringContaining('Slow down')
		});
	});
});
