import { catalogData } from './catalog-data.ts';
import { traitsByName } from './model-family.ts';
import type { Usage } from './types.ts';

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

const byId = new Map(catalogData.map((model) => [model.id, model]));

/** All models, or those of one provider, best first. */
export function listModels(provider?: string): CatalogModel[] {
	return provider === undefined ? [...catalogData] : catalogData.filter((model) => model.provider === provider);
}

/** The model of that id; a dated id (`claude-opus-4-6-20260205`, `gpt-5.2-2025-12-11`) finds its undated one. */
export function findModel(id: string): CatalogModel | undefined {
	return byId.get(id) ?? byId.get(id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, ''));
}

/** What is known of a model: the catalog's entry, or what its family has; `undefined` for a name of neither. */
export function modelTraits(id: string): ModelTraits | undefined {
	return findModel(id) ?? traitsByName(id);
}

/** US dollars for one response; `null` for a model without a known price. */
export function costOf(modelId: string, usage: Omit<Usage, 'costUsd'>): number | null {
	const listed = findModel(modelId)?.prices;
	if (!listed) return null;
	const prices = listed.long && usage.inputTokens > listed.long.above ? listed.long : listed;
	const plain = Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens);
	const dollars =
		plain * prices.input +
		usage.cacheReadTokens * prices.cacheRead +
		usage.cacheWriteTokens * prices.cacheWrite +
		usage.outputTokens * prices.output;
	return dollars / 1_000_000;
}
