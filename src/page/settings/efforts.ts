import type { CatalogModel, ReasoningStyle } from '#llm/catalog-types.ts';
import type { ReasoningEffort } from '#llm/types.ts';

const BY_STYLE: Record<ReasoningStyle, readonly ReasoningEffort[]> = {
	none: [],
	effort: ['none', 'low', 'medium', 'high', 'xhigh'],
	adaptive: ['none', 'low', 'medium', 'high', 'max'],
	'adaptive-always': ['low', 'medium', 'high', 'max'],
	budget: ['none', 'low', 'medium', 'high', 'max'],
	level: ['minimal', 'low', 'medium', 'high']
};

/** Supported reasoning efforts of a model; empty if it has none or they are unknown. */
export function effortsOf(model: CatalogModel | undefined): readonly ReasoningEffort[] {
	return model ? BY_STYLE[model.reasoning] : [];
}
