/** What a request to a model must respect. */
export interface ModelTraits {
	/** Tokens. */
	contextWindow: number;
	/** Tokens. */
	maxOutput: number;
	reasoning: ReasoningStyle;
	/** Whether it sees images. */
	images: boolean;
	/** Whether it calls tools. */
	tools: boolean;
}

export interface CatalogModel extends ModelTraits {
	/** What the provider's API calls it. */
	id: string;
	/** The client provider that serves it. */
	provider: string;
	/** Id of the profile that suits it. */
	profile: string;
	/** For people. */
	name: string;
	/** `null` where no list price is known. */
	prices: ModelPrices | null;
	/** Short words shown beside the name. */
	badges: string[];
}

/**
 * How a model is told how hard to think: not at all; by an effort (OpenAI); adaptively, with an effort, and for
 * `adaptive-always` without a way to switch it off (newer Claude); by a token budget (older Claude, Gemini 2.5); by a
 * level (Gemini 3).
 */
export type ReasoningStyle = 'none' | 'effort' | 'adaptive' | 'adaptive-always' | 'budget' | 'level';

/** US dollars per million tokens. */
export interface ModelPrices {
	input: number;
	output: number;
	cacheRead: number;
	cacheWrite: number;
	/** Prices of the whole request if its prompt has more than `above` tokens. */
	long?: { above: number } & Omit<ModelPrices, 'long'>;
}
