import type { ModelPrices } from '#llm/catalog-types.ts';
import { pricesOf } from '#llm/catalog.ts';
import type { ModelChoice } from '../parts.ts';
import { providerName } from '../settings/direct-providers.ts';
import { ownKeys } from '../settings/own-keys.ts';
import { t } from '../strings/index.ts';

/** A model to continue with in place of the session's own. */
export interface OtherModel {
	choice: ModelChoice;
	/** Provider of the key, and its cost compared with the current model's, if both are known. */
	note: string;
}

/** Limit per provider: more would hide the others. */
const OF_ONE_PROVIDER = 3;
const OFFERED = 6;

/**
 * Models to switch to from `current`, best first: those of the same provider, then others.
 *
 * @param available all models with a key
 */
export function otherModels(available: readonly ModelChoice[], current: ModelChoice): OtherModel[] {
	const count = new Map<string, number>();
	const others = available.filter(({ model, provider, scripted }) => {
		if (scripted || (model === current.model && provider === current.provider)) return false;
		const before = count.get(provider) ?? 0;
		count.set(provider, before + 1);
		return before < OF_ONE_PROVIDER;
	});
	const isSame = ({ provider }: ModelChoice): boolean => provider === current.provider;
	const inOrder = [...others.filter(isSame), ...others.filter((choice) => !isSame(choice))];
	const now = pricesOf(current.model);
	return inOrder.slice(0, OFFERED).map((choice) => {
		const prices = pricesOf(choice.model);
		const cost = now && prices ? [compared(costOf(prices) / costOf(now))] : [];
		return { choice, note: [keyOf(choice, isSame(choice)), ...cost].join(' · ') };
	});
}

function keyOf({ provider }: ModelChoice, isSame: boolean): string {
	if (isSame) return t.errors.sameKey;
	const name = providerName(provider);
	return provider in ownKeys.all() ? t.errors.yourKey(name) : t.errors.serverKey(name);
}

function compared(ratio: number): string {
	if (ratio < 0.95) return t.errors.cheaper(String(Math.max(1, Math.round(ratio * 100))));
	return ratio <= 1.05 ? t.errors.sameCost : t.errors.dearer(ratio.toFixed(1));
}

/** An agent reads about nine tokens for each one it writes, most of them from the cache. */
function costOf({ input, cacheRead, output }: ModelPrices): number {
	return input + 8 * cacheRead + output;
}
