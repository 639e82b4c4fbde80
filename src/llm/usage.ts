import type { Usage } from './types.ts';

export function emptyUsage(): Usage {
	return {
		inputTokens: 0,
		outputTokens: 0,
		reasoningTokens: 0,
		cacheReadTokens: 0,
		cacheWriteTokens: 0,
		costUsd: 0
	};
}

/** Input plus output tokens; cached input and reasoning are included in the two. */
export function totalTokens({ inputTokens, outputTokens }: Usage): number {
	return inputTokens + outputTokens;
}

/** Adds two usages; the cost is unknown (`null`) if either is. */
export function addUsage(a: Usage, b: Usage): Usage {
	return {
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		reasoningTokens: a.reasoningTokens + b.reasoningTokens,
		cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
		cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
		costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd
	};
}
