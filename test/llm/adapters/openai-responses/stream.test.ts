import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { ResponsesReader } from '#llm/adapters/openai-responses/stream.ts';
import { asked, failureOf, readAll } from '../reading.ts';

const { config, request } = asked('openai', 'gpt-5.5');
const read = (...events: unknown[]) =>
	readAll((state) => new ResponsesReader(config, request, state), events as ResponseStreamEvent[]);
const from = (item: unknown) => ({ provider: 'openai', model: 'gpt-5.5', item });
const added = (output_index: number, item: object) => ({ type: 'response.output_item.added', output_index, item });
const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item });
const part = (type: string, delta: string, output_index = 0) => ({
	type: `response.${type}.delta`,
	delta,
	output_index
});
const completed = (more: object = {}) => ({
	type: 'response.completed',
	response: { id: 'r1', status: 'completed', ...more }
});

describe('a Responses stream', () => {
	it('gives text and refusals, each message in its own part', () => {
		const { content, types, state } = read(
			{ type: 'response.created', response: { id: 'r0' } },
			added(0, { type: 'message' }),
			part('output_text', 'Hel'),
			part('output_text', 'lo'),
			done(0, { type: 'message' }),
			part('refusal', 'No.'),
			{ type: 'response.brand_new' }
		);
		expect(content).toEqual([
			{ type: 'text', text: 'Hello' },
			{ type: 'text', text: 'No.' }
		]);
		expect(types).toEqual(['text_start', 'text_delta', 'text_delta', 'text_end', 'text_start', 'text_delta']);
		expect(state.id).toBe('r0');
		expect(state.finishReason).toBeUndefined();
	});

	it('gives the summary of reasoning in paragraphs, with its item', () => {
		const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' };
		const { content, types } = read(
			{ type: 'response.reasoning_summary_part.added', summary_index: 0 },
			part('reasoning_summary_text', 'One'),
			{ type: 'response.reasoning_summary_part.added', summary_index: 1 },
			part('reasoning_summary_text', 'Two'),
			done(0, item)
		);
		expect(content).toEqual([{ type: 'thinking', text: 'One\n\nTwo', provider: from(item) }]);
		expect(types.at(-1)).toBe('reasoning_end');
	});

	it('gives the raw reasoning of open models', () => {
		expect(read(part('reasoning_text', 'Hm'), part('reasoning_text', '.')).content).toEqual([
			{ type: 'thinking', text: 'Hm.' }
		]);
	});

	it('keeps a reasoning item without a summary, without an event', () => {
		const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' };
		const { content, events } = read(done(0, item));
		expect(content).toEqual([{ type: 'thinking', text: '', provider: from(item) }]);
		expect(events).toEqual([]);
	});

	it('gives parallel calls by their place, and believes the arguments that are repeated at the end', () => {
		const { content, events } = read(
			added(0, { type: 'function_call', call_id: 'a', name: 'Read' }),
			added(1, { type: 'custom_tool_call', call_id: 'b', name: 'apply_patch' }),
			part('function_call_arguments', '{"p":1', 0),
			part('custom_tool_call_input', '*** Beg', 1),
			part('custom_tool_call_input', 'in', 1),
			done(0, { type: 'function_call', id: 'fc_1', arguments: '{"p":2}' }),
			done(1, { type: 'custom_tool_call', id: 'ct_1', input: '*** Begin Patch' })
		);
		expect(content).toEqual([
			{ type: 'tool_call', id: 'a', name: 'Read', arguments: { p: 2 }, provider: from({ id: 'fc_1' }) },
			{
				type: 'tool_call',
				id: 'b',
				name: 'apply_patch',
				arguments: { input: '*** Begin Patch' },
				provider: from({ id: 'ct_1' })
			}
		]);
		expect(events.filter(({ type }) => type === 'tool_call_delta')).toEqual([
			{ type: 'tool_call_delta', id: 'a', delta: '{"p":1', partialArguments: { p: 1 } },
			{ type: 'tool_call_delta', id: 'b', delta: '*** Beg', partialArguments: { input: '*** Beg' } },
			{ type: 'tool_call_delta', id: 'b', delta: 'in', partialArguments: { input: '*** Begin' } }
		]);
		expect(events.filter(({ type }) => type === 'tool_call_end')).toHaveLength(2);
	});

	it('takes no notice of items it does not know', () => {
		expect(read(added(0, { type: 'web_search_call' }), done(0, { type: 'web_search_call' })).events).toEqual([]);
		// The end of an item does not end the text of another.
		expect(read(part('output_text', 'a'), done(3, { type: 'web_search_call' })).types).toEqual([
			'text_start',
			'text_delta'
		]);
	});

	it.each([
		[completed(), 'stop', 'completed'],
		[completed({ status: undefined }), 'stop', 'completed'],
		[completed({ incomplete_details: null }), 'stop', 'completed'],
		[{ ...completed({ status: 'incomplete' }), type: 'response.incomplete' }, 'stop', 'incomplete'],
		[completed({ incomplete_details: { reason: 'max_output_tokens' } }), 'length', 'max_output_tokens'],
		[completed({ incomplete_details: { reason: 'content_filter' } }), 'content_filter', 'content_filter'],
		[completed({ incomplete_details: { reason: 'brand_new' } }), 'other', 'brand_new']
	])('that ends with %j ends with %s', (event, finishReason, rawFinishReason) => {
		expect(read(event).state).toMatchObject({ id: 'r1', finishReason, rawFinishReason });
	});

	it('counts what the provider counts, and nothing where it is silent', () => {
		const usage = {
			input_tokens: 100,
			output_tokens: 20,
			input_tokens_details: { cached_tokens: 60 },
			output_tokens_details: { reasoning_tokens: 7 }
		};
		const counted = {
			inputTokens: 100,
			outputTokens: 20,
			cacheReadTokens: 60,
			reasoningTokens: 7,
			cacheWriteTokens: 0
		};
		expect(read(completed({ usage })).state.usage).toEqual(counted);
		const few = { ...counted, cacheReadTokens: 0, reasoningTokens: 0 };
		expect(read(completed({ usage: { input_tokens: 100, output_tokens: 20 } })).state.usage).toEqual(few);
		const detailed = { ...usage, input_tokens_details: {}, output_tokens_details: {} };
		expect(read(completed({ usage: detailed })).state.usage).toEqual(few);
		expect(read(completed()).state.usage.inputTokens).toBe(0);
	});

	it('that fails ends with the error it names', () => {
		const failed = (error: unknown) => ({ type: 'response.failed', response: { id: 'r', error } });
		expect(failureOf(() => read(failed({ code: 'rate_limit_exceeded', message: 'Slow down' })))).toMatchObject({
			code: 'rate_limit',
			provider: 'openai',
			message: expect.stringContaining('Slow down')
		});
		expect(failureOf(() => read(failed(null)))).toMatchObject({
			code: 'unknown',
			provider: 'openai',
			message: expect.stringContaining('The response failed.')
		});
		expect(failureOf(() => read({ type: 'error', code: 'server_error', message: 'Overloaded' }))).toMatchObject({
			code: 'server',
			provider: 'openai',
			message: expect.stringContaining('Overloaded')
		});
	});
});
