import { describe, expect, it } from 'vitest';
import { pricesOf } from '#server/spending/prices.ts';
import { costOf, readUsage } from '#server/spending/usage.ts';

describe('usage that a provider reports', () => {
	it.each<[what: string, event: unknown, usage: unknown]>([
		[
			'Anthropic at the start of a stream',
			{
				type: 'message_start',
				message: {
					model: 'claude-opus-5',
					usage: { input_tokens: 10, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 }
				}
			},
			{ model: 'claude-opus-5', tokens: { input: 10, cacheRead: 3, cacheWrite: 2, output: 1 } }
		],
		[
			'Anthropic at its end',
			{ type: 'message_delta', usage: { output_tokens: 7 } },
			{ tokens: { input: 0, cacheRead: 0, cacheWrite: 0, output: 7 } }
		],
		[
			'OpenAI’s Responses',
			{
				type: 'response.completed',
				response: {
					model: 'gpt-5.5',
					usage: { input_tokens: 10, input_tokens_details: { cached_tokens: 4 }, output_tokens: 5 }
				}
			},
			{ model: 'gpt-5.5', tokens: { input: 6, cacheRead: 4, cacheWrite: 0, output: 5 } }
		],
		[
			'Chat Completions',
			{ model: 'm', usage: { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 12 }, completion_tokens: 5 } },
			{ model: 'm', tokens: { input: 0, cacheRead: 12, cacheWrite: 0, output: 5 } }
		],
		[
			'Gemini',
			{
				modelVersion: 'gemini-2.5-pro',
				usageMetadata: {
					promptTokenCount: 10,
					toolUsePromptTokenCount: 2,
					cachedContentTokenCount: 4,
					candidatesTokenCount: 5,
					thoughtsTokenCount: 6
				}
			},
			{ model: 'gemini-2.5-pro', tokens: { input: 8, cacheRead: 4, output: 11 } }
		],
		['Gemini before any', { usageMetadata: {} }, { tokens: { input: 0, cacheRead: 0, output: 0 } }],
		['an event without any', { type: 'ping', model: 'm' }, { model: 'm' }],
		['an event with none', { usage: null, model: null }, {}],
		[
			'a text in place of a message',
			{ message: 'overloaded', usage: { output_tokens: 1 } },
			{ tokens: { input: 0, cacheRead: 0, cacheWrite: 0, output: 1 } }
		],
		['negative counts', { usage: { output_tokens: -5 } }, {}],
		['no object', 'data', {}],
		['nothing', null, {}]
	])('%s', (_, event, usage) => {
		expect(JSON.parse(JSON.stringify(readUsage(event)))).toEqual(usage);
	});
});

describe('the cost of a response', () => {
	const tokens = { input: 1_000, output: 100, cacheRead: 10_000, cacheWrite: 10 };

	it('counts every token once, in millionths of a dollar, rounded up', () => {
		const prices = pricesOf('anthropic', 'claude-opus-5');
		expect(costOf(tokens, prices)).toBe(Math.ceil(5 * 1_000 + 25 * 100 + 0.5 * 10_000 + 6.25 * 10));
		expect(costOf({ input: 0, output: 0, cacheRead: 1, cacheWrite: 0 }, prices)).toBe(1);
		expect(costOf({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, prices)).toBe(0);
	});

	it('is that of long prompts only above their limit, cached parts included', () => {
		const prices = pricesOf('anthropic', 'claude-haiku-5-5');
		const of = (input: number, cacheRead: number, cacheWrite: number) =>
			costOf({ input, output: 0, cacheRead, cacheWrite }, prices);
		expect(of(100_000, 0, 0)).toBe(10_000);
		expect(of(100_001, 0, 0)).toBe(50_001);
		expect(of(0, 60_000, 40_000)).toBe(5_600);
		expect(of(1, 60_000, 40_000)).toBe(28_001);
	});

	it('is known by a dated name, and else the highest that the provider, or any, asks', () => {
		expect(pricesOf('anthropic', 'claude-opus-5-20260101')).toEqual(pricesOf('anthropic', 'claude-opus-5'));
		expect(pricesOf('openai', 'gpt-5.5-2026-01-02')).toEqual(pricesOf('openai', 'gpt-5.5'));
		// A date is at the end, and properties of every object are not models.
		expect(pricesOf('openai', 'gpt-5-20260101-mini')).toEqual(pricesOf('openai', 'new'));
		for (const name of ['claude-opus-5-2026', 'new', 'constructor', undefined])
			expect(pricesOf('anthropic', name)).toEqual({ input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 });
		expect(pricesOf('openai', 'new')).toEqual({ input: 8, output: 30, cacheRead: 0.8, cacheWrite: 10 });
		expect(pricesOf('gemini', 'new', Date.UTC(2026, 10, 30))).toEqual({
			input: 4,
			output: 18,
			cacheRead: 0.4,
			cacheWrite: 4
		});
		expect(pricesOf('other', 'claude-opus-5')).toEqual({ input: 8, output: 30, cacheRead: 0.8, cacheWrite: 10 });
	});
});
