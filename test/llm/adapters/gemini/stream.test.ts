import { describe, expect, it } from 'vitest';
import { GeminiReader } from '#llm/adapters/gemini/stream.ts';
import { asked, failureOf, readAll } from '../reading.ts';

const { config, request } = asked('gemini', 'gemini-3-pro-preview');
const read = (...chunks: unknown[]) =>
	readAll(
		(state) => new GeminiReader(config, request, state),
		chunks.map((chunk) => JSON.stringify(chunk))
	);
const parts = (...content: unknown[]) => ({ candidates: [{ content: { parts: content } }] });
const ended = (finishReason: string) => ({ candidates: [{ finishReason }] });
const from = (item: unknown) => ({ provider: 'gemini', model: 'gemini-3-pro-preview', item });

describe('a stream of Gemini', () => {
	it.each([
		['STOP', 'stop'],
		['MAX_TOKENS', 'length'],
		['SAFETY', 'content_filter'],
		['RECITATION', 'content_filter'],
		['BLOCKLIST', 'content_filter'],
		['PROHIBITED_CONTENT', 'content_filter'],
		['SPII', 'content_filter'],
		['LANGUAGE', 'other']
	])('that ends with %s ends with %s', (raw, finishReason) => {
		expect(read(ended(raw)).state).toMatchObject({ finishReason, rawFinishReason: raw });
	});

	it('has not ended before a reason is given', () => {
		const { state } = read({ responseId: 'r1' }, parts({ text: 'a' }), { usageMetadata: {} }, {});
		expect(state.finishReason).toBeUndefined();
		expect(state.id).toBe('r1');
	});

	it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])('that stumbles with %s can be retried', (reason) => {
		expect(failureOf(() => read(ended(reason)))).toMatchObject({
			code: 'stream',
			retryable: true,
			providerCode: reason,
			message: expect.stringContaining('Gemini wrote a tool call it could not finish.')
		});
	});

	it('of a blocked prompt ends with the reason, before any text', () => {
		const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, ...parts({ text: 'a' }) };
		expect(failureOf(() => read(blocked))).toMatchObject({
			code: 'content_filter',
			providerCode: 'PROHIBITED_CONTENT',
			provider: 'gemini'
		});
		expect(read({ promptFeedback: {}, ...parts({ text: 'a' }) }).content).toEqual([{ type: 'text', text: 'a' }]);
	});

	it.each([
		[400, 'invalid_request', 400],
		[429, 'rate_limit', 429],
		[503, 'server', 503],
		[599, 'server', 599],
		// Codes that are not an HTTP error status: the message decides.
		[600, 'server', undefined],
		[399, 'server', undefined],
		[14, 'server', undefined],
		['503', 'unknown', undefined]
	])('that fails with code %s ends with the error %s', (code, kind, status) => {
		const error = { code, status: 'UNAVAILABLE', message: 'Overloaded' };
		const failure = failureOf(() => read({ error }));
		expect(failure).toMatchObject({ code: kind, message: expect.stringContaining('Overloaded') });
		expect(Object(failure).status).toBe(status);
		expect(Object(failure).retryAfterMs).toBeUndefined();
	});

	it('that fails with a delay says when to try again', () => {
		const error = { code: 429, message: 'Slow down', details: [{ '@type': 'RetryInfo', retryDelay: '31s' }] };
		expect(failureOf(() => read({ error }))).toMatchObject({ code: 'rate_limit', retryAfterMs: 31_000 });
	});

	it('gives thoughts, text and calls in their order, each with its signature', () => {
		const { content, types } = read(
			parts({ text: 'Hm', thought: true }, { text: '.', thought: true, thoughtSignature: 's1' }),
			parts({ text: 'Hello' }, { text: '', thoughtSignature: 's2' }),
			parts({ functionCall: { id: 'f1', name: 'Read', args: { path: 'a' } }, thoughtSignature: 's3' }),
			parts({ functionCall: { name: 'Now' } })
		);
		expect(content).toEqual([
			{ type: 'thinking', text: 'Hm.', provider: from({ thoughtSignature: 's1' }) },
			{ type: 'text', text: 'Hello' },
			{ type: 'opaque', provider: from({ thoughtSignature: 's2' }) },
			{
				type: 'tool_call',
				id: 'f1',
				name: 'Read',
				arguments: { path: 'a' },
				provider: from({ id: 'f1', thoughtSignature: 's3' })
			},
			{
				type: 'tool_call',
				id: expect.stringMatching(/^gemini_[0-9a-f-]{36}$/),
				name: 'Now',
				arguments: {},
				provider: from({})
			}
		]);
		expect(types.filter((type) => !type.endsWith('delta'))).toEqual([
			'reasoning_start',
			'reasoning_end',
			'text_start',
			'text_end',
			'tool_call_start',
			'tool_call_end',
			'tool_call_start',
			'tool_call_end'
		]);
	});

	it('gives each of several calls without an id its own', () => {
		const { content } = read(parts({ functionCall: { id: '', name: 'a' } }, { functionCall: { id: '', name: 'b' } }));
		const ids = content.map((part) => (part.type === 'tool_call' ? part.id : ''));
		expect(new Set(ids).size).toBe(2);
		expect(ids).not.toContain('');
	});

	it('takes a call without a name for one of no tool', () => {
		expect(read(parts({ functionCall: { id: 'f1' } })).content).toMatchObject([
			{ type: 'tool_call', id: 'f1', name: '' }
		]);
	});

	it('opens nothing for parts without words, and loses no signature of a thought without words', () => {
		expect(read(parts({ text: '', thought: true }, { text: '' })).types).toEqual([]);
		const { content } = read(parts({ text: 'a' }, { text: '', thought: true, thoughtSignature: 's' }));
		expect(content).toEqual([{ type: 'text', text: 'a' }]);
	});

	it('counts thoughts as output, and keeps a number that a later count leaves out', () => {
		const { state } = read(
			{
				usageMetadata: {
					promptTokenCount: 100,
					cachedContentTokenCount: 60,
					thoughtsTokenCount: 7,
					candidatesTokenCount: 5
				}
			},
			{ usageMetadata: { candidatesTokenCount: 9 } },
			parts({ text: 'no count at all' })
		);
		expect(state.usage).toEqual({
			inputTokens: 100,
			cacheReadTokens: 60,
			reasoningTokens: 7,
			outputTokens: 9,
			cacheWriteTokens: 0
		});
		expect(read({ usageMetadata: { thoughtsTokenCount: 3 } }).state.usage.outputTokens).toBe(3);
	});
});
