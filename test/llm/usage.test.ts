import { describe, expect, it } from 'vitest';
import { addUsage, emptyUsage, totalTokens } from '#llm/usage.ts';

const usage = {
	inputTokens: 100,
	outputTokens: 20,
	reasoningTokens: 7,
	cacheReadTokens: 60,
	cacheWriteTokens: 5,
	costUsd: 0.5
};

describe('usage', () => {
	it('adds up, and is nothing at first', () => {
		expect(addUsage(emptyUsage(), usage)).toEqual(usage);
		expect(addUsage(usage, { ...usage, inputTokens: 1, costUsd: 0.25 })).toEqual({
			inputTokens: 101,
			outputTokens: 40,
			reasoningTokens: 14,
			cacheReadTokens: 120,
			cacheWriteTokens: 10,
			costUsd: 0.75
		});
	});

	it('has a cost only if all of it has', () => {
		const free = { ...usage, costUsd: null };
		for (const [a, b] of [
			[usage, free],
			[free, usage],
			[free, free]
		] as const)
			expect(addUsage(a, b).costUsd).toBeNull();
	});

	it('counts cached input and reasoning once', () => {
		expect(totalTokens(usage)).toBe(120);
	});
});
