import type { ThinkingConfig } from '@google/genai';
import { modelTraits } from '../../catalog.ts';
import type { ReasoningEffort, Request } from '../../types.ts';

export type GeminiSdk = typeof import('@google/genai');

/** Thinking tokens of a 2.5 model, by effort. */
const budgets: Record<ReasoningEffort, number> = {
	none: 0,
	minimal: 512,
	low: 2048,
	medium: 8192,
	high: 16_384,
	xhigh: 24_576,
	max: 24_576
};
/** Thinking cannot be disabled for 2.5 Pro. */
const proMinimum = 128;

/**
 * Thinking options: 2.5 takes a budget, 3 a level, never both. Thoughts are requested so that users see them.
 */
export function thinkingConfig(sdk: GeminiSdk, request: Request): ThinkingConfig | undefined {
	const style = modelTraits(request.model)?.reasoning ?? 'none';
	const effort = request.reasoningEffort ?? null;
	if (style !== 'budget' && style !== 'level') return undefined;
	if (effort === null) return { includeThoughts: true };
	// Only these models support almost no thinking.
	const isFlash = request.model.includes('-flash');
	const isPro = request.model.includes('-pro');
	if (style === 'budget') {
		const budget = Math.max(isPro ? proMinimum : 0, budgets[effort]);
		return { includeThoughts: budget > 0, thinkingBudget: budget };
	}
	const { ThinkingLevel: level } = sdk;
	switch (effort) {
		case 'none':
		case 'minimal':
			return { includeThoughts: true, thinkingLevel: isFlash ? level.MINIMAL : level.LOW };
		case 'low':
			return { includeThoughts: true, thinkingLevel: level.LOW };
		case 'medium':
			return { includeThoughts: true, thinkingLevel: isPro ? level.HIGH : level.MEDIUM };
		default:
			return { includeThoughts: true, thinkingLevel: level.HIGH };
	}
}
