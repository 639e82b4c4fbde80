import { expect, it } from 'vitest';
import { PRICES, pricesOf } from '../../../server/spending/prices.ts';
import { catalogData } from '../../../src/llm/catalog-data.ts';

it('counts every model of the page at the price the page shows', () => {
	for (const { id, provider, prices } of catalogData) {
		if (provider === 'demo' || !prices) continue;
		const { cacheWrite, ...counted } = PRICES[provider]?.[id] ?? {};
		expect(counted, id).toEqual({ input: prices.input, output: prices.output, cacheRead: prices.cacheRead });
		// Where a provider asks nothing extra for writing a cache, the tokens are ordinary input.
		expect(cacheWrite, id).toBe(prices.cacheWrite || prices.input);
	}
});

it('counts a dated model as itself and an unknown one as the dearest', () => {
	expect(pricesOf('anthropic', 'claude-haiku-4-5-20251001')).toEqual(PRICES['anthropic']?.['claude-haiku-4-5']);
	expect(pricesOf('anthropic', 'claude-next').output).toBe(25);
	expect(pricesOf('compatible-x', 'anything').output).toBe(30);
});
