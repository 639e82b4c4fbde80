import type { ModelTraits, CatalogModel, ModelPrices } from './catalog-types.ts';
import { catalogData } from './catalog-data.ts';
import { traitsByName } from './model-family.ts';
import type { Usage } from './types.ts';

const byId = new Map(catalogData.map((model) => [model.id, model]));

/** All models, or those of one provider, best first. */
export function listModels(provider?: string): CatalogModel[] {
	return provider === undefined ? [...catalogData] : catalogData.filter((model) => model.provider === provider);
}

/**
 * Finds a model by id; a dated id (`claude-opus-4-6-20260205`, `gpt-5.2-2025-12-11`) matches its undated one.
 */
export function findModel(id: string): CatalogModel | undefined {
	return byId.get(id) ?? byId.get(id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, ''));
}

/**
 * Known traits of a model: the catalog's entry, or the defaults of its family; `undefined` if both are unknown.
 */
export function modelTraits(id: string): ModelTraits | undefined {
	return findModel(id) ?? traitsByName(id);
}

/** List prices of a model at a given time (milliseconds); `null` if unknown. */
export function pricesOf(modelId: string, now = Date.now()): ModelPrices | null {
	const prices = findModel(modelId)?.prices ?? null;
	return prices?.change && now >= Date.parse(prices.change.from) ? prices.change.prices : prices;
}

/** Cost of one response in US dollars; `null` for a model without a known price. */
export function costOf(modelId: string, usage: Omit<Usage, 'costUsd'>): number | null {
	const listed = pricesOf(modelId);
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
