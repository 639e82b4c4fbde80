import { describe, expect, it } from 'vitest';
import { costOf, findModel, listModels } from '#llm/catalog.ts';
import { addUsage, totalTokens } from '#llm/usage.ts';
import type { Usage } from '#llm/types.ts';

const usage = (more: Partial<Usage>): Usage => ({
	inputTokens: 0,
	outputTokens: 0,
	reasoningTokens: 0,
	cacheReadTokens: 0,
	cacheWriteTokens: 0,
	costUsd: 0,
	...more
});

describe('the catalog', () => {
	it('lists models by provider and finds them, dated ids too [U-3]', () => {
		expect(new Set(listModels('gemini').map((model) => model.provider))).toEqual(new Set(['gemini']));
		expect(listModels().map((model) => model.provider)).toEqual(
			expect.arrayContaining(['anthropic', 'openai', 'gemini', 'demo'])
		);
		expect(findModel('claude-haiku-4-5-20251001')?.id).toBe('claude-haiku-4-5');
		expect(findModel('gpt-5.2-2025-12-11')?.id).toBe('gpt-5.2');
		expect(findModel('nobody')).toBeUndefined();
		expect(findModel('claude-opus-4-6')).toMatchObject({
			provider: 'anthropic',
			contextWindow: 1_000_000,
			maxOutput: 128_000,
			tools: true,
			images: true,
			reasoning: 'adaptive',
			prices: { input: 5, output: 25 }
		});
	});
	it('has sane numbers and every id once', () => {
		const models = listModels();
		expect(new Set(models.map((model) => model.id)).size).toBe(models.length);
		for (const model of models) {
			expect(model.maxOutput).toBeLessThan(model.contextWindow);
			if (model.prices) expect(model.prices.cacheRead).toBeLessThanOrEqual(model.prices.input);
		}
	});
	it('counts the cost, cached tokens at their own price', () => {
		const counted = usage({ inputTokens: 1000, cacheReadTokens: 600, cacheWriteTokens: 100, outputTokens: 200 });
		expect(costOf('claude-opus-4-6', counted)).toBeCloseTo((300 * 5 + 600 * 0.5 + 100 * 6.25 + 200 * 25) / 1e6, 12);
		expect(costOf('nobody', counted)).toBeNull();
	});
	it('adds usages up [U-14]', () => {
		const one = usage({
			inputTokens: 1,
			outputTokens: 2,
			reasoningTokens: 3,
			cacheReadTokens: 4,
			cacheWriteTokens: 5,
			costUsd: 0.5
		});
		expect(addUsage(one, one)).toEqual(
			usage({
				inputTokens: 2,
				outputTokens: 4,
				reasoningTokens: 6,
				cacheReadTokens: 8,
				cacheWriteTokens: 10,
				costUsd: 1
			})
		);
		expect(totalTokens(one)).toBe(3);
		expect(addUsage(one, usage({ costUsd: null })).costUsd).toBeNull();
	});
});
