import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { ChatReader } from '#llm/adapters/openai-chat/stream.ts';
import type { OpaqueData } from '#llm/types.ts';
import { readAll } from '../reading.ts';

const read = (chunks: unknown[], data?: OpaqueData) =>
	readAll((state) => new ChatReader(state, data), chunks as ChatCompletionChunk[]);
const delta = (delta: unknown, finish_reason: string | null = null) => ({
	id: 'c1',
	choices: [{ delta, finish_reason }]
});
const call = (fields: { index?: number; id?: string; name?: string; text?: string }) => ({
	...(fields.index === undefined ? {} : { index: fields.index }),
	...(fields.id === undefined ? {} : { id: fields.id }),
	function: {
		...(fields.name === undefined ? {} : { name: fields.name }),
		...(fields.text === undefined ? {} : { arguments: fields.text })
	}
});
const calls = (...all: Parameters<typeof call>[0][]) => delta({ tool_calls: all.map(call) });

describe('a chat stream', () => {
	it.each([
		['stop', 'stop'],
		['eos', 'stop'],
		['tool_calls', 'tool_calls'],
		['function_call', 'tool_calls'],
		['length', 'length'],
		['content_filter', 'content_filter'],
		['brand_new', 'other']
	])('that ends with %s ends with %s', (raw, finishReason) => {
		expect(read([delta({}, raw)]).state).toMatchObject({ finishReason, rawFinishReason: raw, id: 'c1' });
	});

	it('has not ended before a reason is given, whatever is left out', () => {
		const { state, events } = read([{}, { id: 'c2', choices: [] }, { id: '', choices: [{}] }, delta({ content: '' })]);
		expect(state.finishReason).toBeUndefined();
		expect(state.id).toBe('c1');
		expect(events).toEqual([]);
		expect(read([{ id: 'c2' }, {}]).state.id).toBe('c2');
	});

	it('gives reasoning, text and refusals, each in its own part', () => {
		const { content, types } = read([
			delta({ reasoning_content: '', reasoning: 'H', reasoning_text: 'never' }),
			delta({ reasoning_content: 'm', reasoning: 'never' }),
			delta({ reasoning_text: '.', reasoning: null, content: '' }),
			delta({ content: 'I ' }),
			delta({ refusal: 'refuse.' }, 'stop')
		]);
		expect(content).toEqual([
			{ type: 'thinking', text: 'Hm.' },
			{ type: 'text', text: 'I refuse.' }
		]);
		expect(types.filter((type) => !type.endsWith('delta'))).toEqual(['reasoning_start', 'reasoning_end', 'text_start']);
	});

	it('keeps the data of a server that wants its reasoning back, however reasoning ends', () => {
		const data: OpaqueData = { provider: 'p', model: 'm', item: null };
		const thinking = [{ type: 'thinking', text: 'Hm', provider: data }];
		const hm = delta({ reasoning: 'Hm' });
		expect(read([hm, delta({}, 'length')], data).content).toEqual(thinking);
		expect(read([hm, delta({ content: 'a' })], data).content.slice(0, 1)).toEqual(thinking);
		expect(read([hm, calls({ index: 0, id: 'a', name: 'Read' })], data).content.slice(0, 1)).toEqual(thinking);
		// Text has no such data.
		expect(read([delta({ content: 'a' }), delta({}, 'stop')], data).content).toEqual([{ type: 'text', text: 'a' }]);
	});

	it('survives reasoning fields that are no text', () => {
		expect(read([delta({ reasoning: { a: 1 }, reasoning_content: 7, content: 'a' })]).content).toEqual([
			{ type: 'text', text: 'a' }
		]);
	});

	it('takes parallel calls by their index, however their pieces are mixed', () => {
		const { content } = read([
			delta({ content: 'Now' }),
			calls({ index: 0, id: 'a', name: 'Read', text: '{"p":' }, { index: 1, id: 'b', name: 'Edit' }),
			// Some servers repeat the name with each piece.
			calls({ index: 1, id: 'b', name: 'Edit', text: '{"q":' }, { index: 0, name: 'Read', text: '1}' }),
			calls({ index: 1, text: '2}' }),
			calls({ index: 2, text: 'for a call that never began' })
		]);
		expect(content).toEqual([
			{ type: 'text', text: 'Now' },
			{ type: 'tool_call', id: 'a', name: 'Read', arguments: { p: 1 } },
			{ type: 'tool_call', id: 'b', name: 'Edit', arguments: { q: 2 } }
		]);
	});

	it('takes calls without an index one after the other, each beginning with an id', () => {
		const { content } = read([
			calls({ id: 'a', name: 'Read', text: '{"p":' }),
			calls({ text: '1}' }),
			calls({ id: 'b', name: 'Read', text: '{"p":2' }),
			calls({ name: 'Read', text: '}' })
		]);
		expect(content).toEqual([
			{ type: 'tool_call', id: 'a', name: 'Read', arguments: { p: 1 } },
			{ type: 'tool_call', id: 'b', name: 'Read', arguments: { p: 2 } }
		]);
	});

	it('skips a piece of a call that says nothing', () => {
		const { content } = read([
			delta({ tool_calls: [{ index: 0 }, { index: 0, id: 'a', function: null }] }),
			calls({ index: 0, id: 'a', name: 'Read', text: '{}' }),
			delta({ tool_calls: [{ index: 0 }] })
		]);
		expect(content).toEqual([{ type: 'tool_call', id: 'a', name: 'Read', arguments: {} }]);
	});

	it('makes an id for a call without one', () => {
		for (const id of [undefined, '']) {
			const { content } = read([
				calls({ name: 'Read', ...(id === undefined ? {} : { id }) }),
				calls({ index: 5, name: 'Edit' })
			]);
			expect(content.map((part) => part.type === 'tool_call' && part.id)).toEqual([
				expect.stringMatching(/^call_1_[0-9a-f]{8}$/),
				expect.stringMatching(/^call_2_[0-9a-f]{8}$/)
			]);
		}
	});

	it('counts what the server counts, and nothing where it is silent', () => {
		const usage = {
			prompt_tokens: 100,
			completion_tokens: 20,
			prompt_tokens_details: { cached_tokens: 60 },
			completion_tokens_details: { reasoning_tokens: 7 }
		};
		const counted = {
			inputTokens: 100,
			outputTokens: 20,
			cacheReadTokens: 60,
			reasoningTokens: 7,
			cacheWriteTokens: 0
		};
		expect(read([{ usage }, { usage: null }]).state.usage).toEqual(counted);
		const zero = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, reasoningTokens: 0, cacheWriteTokens: 0 };
		expect(read([{ usage: {} }]).state.usage).toEqual(zero);
		expect(read([{ usage: { prompt_tokens_details: {}, completion_tokens_details: {} } }]).state.usage).toEqual(zero);
	});
});
