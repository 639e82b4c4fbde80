/** US dollars per million tokens, which is millionths of a dollar per token. */
export interface Prices {
	input: number;
	output: number;
	cacheRead: number;
	cacheWrite: number;
	/** Prices of the whole request if its prompt has more than `above` tokens. */
	long?: { above: number } & Omit<Prices, 'long' | 'change'>;
	/** Announced prices, valid from the start of a day (`2026-12-01`, UTC). */
	change?: { from: string; prices: Omit<Prices, 'change'> };
}

const price = (input: number, output: number, cacheRead: number, cacheWrite = input): Prices => ({
	input,
	output,
	cacheRead,
	cacheWrite
});

/** Haiku 5.5 costs five times as much for long prompts. */
const haiku55: Prices = {
	...price(0.1, 0.5, 0.01, 0.125),
	long: { above: 100_000, ...price(0.5, 2.5, 0.05, 0.625) }
};
/** GPT-5.6 costs twice the input price and one and a half times the output price for long prompts. */
const gpt56 = (input: number, output: number): Prices => ({
	...price(input, output, input / 10, 1.25 * input),
	long: { above: 272_000, ...price(2 * input, 1.5 * output, (2 * input) / 10, 2 * 1.25 * input) }
});
const gemini31: Prices = { ...price(2, 12, 0.2), long: { above: 200_000, ...price(4, 18, 0.4) } };

/** List prices by provider and model; a test compares them with those of the page. */
export const PRICES: Readonly<Record<string, Readonly<Record<string, Prices>>>> = {
	anthropic: {
		'claude-opus-5-5': price(4, 20, 0.2, 5),
		'claude-sonnet-5-5': price(2, 10, 0.2, 2.5),
		'claude-haiku-5-5': haiku55,
		'claude-opus-5': price(5, 25, 0.5, 6.25),
		'claude-sonnet-5': price(2, 10, 0.2, 2.5),
		'claude-opus-4-6': price(5, 25, 0.5, 6.25),
		'claude-sonnet-4-6': price(3, 15, 0.3, 3.75),
		'claude-sonnet-4-5': price(3, 15, 0.3, 3.75),
		'claude-haiku-4-5': price(1, 5, 0.1, 1.25)
	},
	openai: {
		'gpt-6.1-sol': price(2, 10, 0.1, 2.5),
		'gpt-5.6-sol': gpt56(4, 20),
		'gpt-5.6-terra': gpt56(2, 12),
		'gpt-5.6-luna': gpt56(0.2, 1.2),
		'gpt-5.5': price(5, 30, 0.5),
		'gpt-5.4': price(2.5, 15, 0.25),
		'gpt-5.4-mini': price(0.75, 4.5, 0.075),
		'gpt-5.2-codex': price(1.75, 14, 0.175),
		'gpt-5.2': price(1.75, 14, 0.175),
		'gpt-5-mini': price(0.25, 2, 0.025)
	},
	gemini: {
		'gemini-4-argon': { ...price(2, 10, 0.1), change: { from: '2026-12-01', prices: price(4, 20, 0.2) } },
		'gemini-3.1-pro-preview': gemini31,
		'gemini-3-pro-preview': price(2, 12, 0.2),
		'gemini-3.8-flash': price(0.75, 3.75, 0.075),
		'gemini-2.5-pro': price(1.25, 10, 0.125),
		'gemini-2.5-flash': price(0.3, 2.5, 0.03)
	}
};

/**
 * Prices of a model at a given time (milliseconds). An unlisted model counts as the most expensive of its provider, and
 * one of an unlisted provider as the most expensive of all: a budget may be used up too early, never too late.
 */
export function pricesOf(provider: string, model: string | undefined, now = Date.now()): Prices {
	const models = PRICES[provider];
	const undated = model?.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
	// The name comes from a response: it may be `constructor`, which is not a model.
	const known = models && undated !== undefined && Object.hasOwn(models, undated) ? models[undated] : undefined;
	if (known) return at(now, known);
	const all = models ? Object.values(models) : Object.values(PRICES).flatMap(Object.values<Prices>);
	return mostExpensive(all.map((prices) => at(now, prices)));
}

const at = (now: number, prices: Prices): Prices =>
	prices.change && now >= Date.parse(prices.change.from) ? prices.change.prices : prices;

const mostExpensive = (all: readonly Prices[]): Prices =>
	all
		.map(({ long, ...prices }) => long ?? prices)
		.reduce((most, one) => ({
			input: Math.max(most.input, one.input),
			output: Math.max(most.output, one.output),
			cacheRead: Math.max(most.cacheRead, one.cacheRead),
			cacheWrite: Math.max(most.cacheWrite, one.cacheWrite)
		}));
