/** Capabilities and limits that a request to a model must respect. */
export interface ModelTraits {
	/** Tokens. */
	contextWindow: number;
	/** Tokens. */
	maxOutput: number;
	reasoning: ReasoningStyle;
	/** True if it accepts images. */
	images: boolean;
	/** True if it can call tools. */
	tools: boolean;
}

export interface CatalogModel extends ModelTraits {
	/** Model id in the provider's API. */
	id: string;
	/** Id of the client provider that serves it. */
	provider: string;
	/** Id of the suitable agent profile. */
	profile: string;
	/** Display name. */
	name: string;
	/** `null` if no list price is known. */
	prices: ModelPrices | null;
	/** Shown beside the name. */
	badges: ModelBadge[];
	/** Last day on which the provider serves it, as `2026-11-30`; absent if none is announced. */
	lastDay?: string;
}

/** Badge shown when choosing a model: newly released, fast, or a preview version. */
export type ModelBadge = 'new' | 'fast' | 'preview';

/**
 * Ways to set a model's reasoning effort: none; by an effort (OpenAI); adaptively with an effort, and always on for
 * `adaptive-always` (newer Claude); by a token budget (older Claude, Gemini 2.5); by a level (Gemini 3).
 */
export type ReasoningStyle = 'none' | 'effort' | 'adaptive' | 'adaptive-always' | 'budget' | 'level';

/** US dollars per million tokens. */
export interface ModelPrices {
	input: number;
	output: number;
	cacheRead: number;
	cacheWrite: number;
	/** Prices of the whole request if its prompt has more than `above` tokens. */
	long?: { above: number } & Omit<ModelPrices, 'long' | 'change'>;
	/** Announced prices, valid from the start of a day (`2026-12-01`, UTC). */
	change?: { from: string; prices: Omit<ModelPrices, 'change'> };
}
