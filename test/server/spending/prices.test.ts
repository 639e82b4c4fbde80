import { expect, it } from 'vitest';
import { PRICES, pricesOf } from '#server/spending/prices.ts';
import { costOf } from '#server/spending/usage.ts';
import { catalogData } from '#llm/catalog-data.ts';

it('counts every model of the page at the price the page shows', () => {
	for (const { id, provider, prices } of catalogData) {
		if (provider === 'demo' || !prices) continue;
		const listed = PRICES[provider]?.[id];
		expect(listed?.long?.above, id).toBe(prices.long?.above);
		expect(listed?.change?.from, id).toBe(prices.change?.from);
		for (const [ours, shown] of [
			[listed, prices],
			[listed?.long, prices.long],
			[listed?.change?.prices, prices.change?.prices]
		]) {
			if (!shown) continue;
			for (const kind of ['input', 'output', 'cacheRead'] as const)
				expect(ours?.[kind], id).toBeCloseTo(shown[kind], 9);
			// If a provider charges nothing extra for writing a cache, the tokens are ordinary input.
			expect(ours?.cacheWrite, id).toBeCloseTo(shown.cacheWrite || shown.input, 9);
		}
	}
});

it('counts a dated model as itself and an unknown one as the dearest', () => {
	expect(pricesOf('anthropic', 'claude-haiku-4-5-20251001')).toEqual(PRICES['anthropic']?.['claude-haiku-4-5']);
	expect(pricesOf('openai', 'gpt-5-mini-2025-08-07')).toEqual(PRICES['openai']?.['gpt-5-mini']);
	expect(pricesOf('openai', 'gpt-5-2025-08-07-mini').output).toBe(30);
	for (const model of ['claude-next', 'constructor', undefined])
		expect(pricesOf('anthropic', model)).toEqual({ input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 });
	expect(pricesOf('compatible-x', 'anything')).toEqual({ input: 8, output: 30, cacheRead: 0.8, cacheWrite: 10 });
});

it('counts a long prompt at its price, whatever part of it was cached', () => {
	const tokens = { input: 1_000, output: 1_000, cacheRead: 0, cacheWrite: 0 };
	const haiku = pricesOf('anthropic', 'claude-haiku-5-5');
	expect(costOf({ ...tokens, cacheRead: 99_000 }, haiku)).toBe(Math.ceil(100 + 500 + 990));
	expect(costOf({ ...tokens, cacheRead: 99_001 }, haiku)).toBe(Math.ceil(500 + 2_500 + 99_001 * 0.05));
});

it('counts announced prices from their day on', () => {
	const midnight = Date.UTC(2026, 11, 1);
	expect(pricesOf('gemini', 'gemini-4-argon', midnight - 1)).toMatchObject({ input: 2, output: 10, cacheRead: 0.1 });
	expect(pricesOf('gemini', 'gemini-4-argon', midnight)).toEqual({
		input: 4,
		output: 20,
		cacheRead: 0.2,
		cacheWrite: 4
	});
	expect(pricesOf('gemini', 'unlisted', midnight).output).toBe(20);
});
