import type { OutputConfig, ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages/messages';
import { modelTraits } from '../../catalog.ts';
import type { ReasoningEffort, Request } from '../../types.ts';

/** Share of the output that a thinking budget may use, by effort. */
const shares: Record<Exclude<ReasoningEffort, 'none'>, number> = {
	minimal: 0.05,
	low: 0.15,
	medium: 0.4,
	high: 0.65,
	xhigh: 0.8,
	max: 0.95
};
const smallestBudget = 1024;

/**
 * Converts an effort to the model's own form: adaptive thinking with an effort, or a budget of at least 1,024
 * and below `maxTokens`.
 */
export function thinkingFor(
	request: Request,
	maxTokens: number
): { thinking?: ThinkingConfigParam; output_config?: OutputConfig } {
	const effort = request.reasoningEffort ?? null;
	const style = modelTraits(request.model)?.reasoning ?? 'none';
	if (style === 'adaptive' || style === 'adaptive-always') {
		// Without `summarized` the newest models send empty thinking.
		const thinking: ThinkingConfigParam = { type: 'adaptive', display: 'summarized' };
		if (effort === 'none') return style === 'adaptive' ? {} : { thinking, output_config: { effort: 'low' } };
		if (effort === null) return { thinking };
		return { thinking, output_config: { effort: effort === 'minimal' ? 'low' : effort } };
	}
	if (style !== 'budget' || effort === null || effort === 'none') return {};
	const budget = Math.max(smallestBudget, Math.floor(maxTokens * shares[effort]));
	return budget < maxTokens ? { thinking: { type: 'enabled', budget_tokens: budget } } : {};
}
