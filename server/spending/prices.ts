/** US dollars per million tokens, which is millionths of a dollar per token. */
export interface Prices {
	input: number;
	output: number;
	cacheRead: number;
	cacheWrite: number;
}

const price = (input: number, output: number, cacheRead: number, cacheWrite = input): Prices => ({
	input,
	output,
	cacheRead,
	cacheWrite
});

/** List prices by provider and model; a test holds them to the ones the page shows. */
export const PRICES: Readonly<Record<string, Readonly<Record<string, Prices>>>> = {
	anthropic: {
		'claude-opus-5-5': price(4, 20, 0.2, 5),
		'claude-sonnet-5-5': price(2, 10, 0.2, 2.5),
		'claude-opus-4-6': price(5, 25, 0.5, 6.25),
		'claude-sonnet-4-6': price(3, 15, 0.3, 3.75),
		'claude-sonnet-4-5': price(3, 15, 0.3, 3.75),
		'claude-haiku-4-5': price(1, 5, 0.1, 1.25)
	},
	openai: {
		'gpt-6.1-sol': price(2, 10, 0.1, 2.5),
		'gpt-5.5': price(5, 30, 0.5),
		'gpt-5.2-codex': price(1.75, 14, 0.175),
		'gpt-5.2': price(1.75, 14, 0.175),
		'gpt-5-mini': price(0.25, 2, 0.025)
	},
	gemini: {
		'gemini-3-pro-preview': price(2, 12, 0.2),
		'gemini-3.8-flash': price(0.75, 3.75, 0.075),
		'gemini-2.5-pro': price(1.25, 10, 0.125),
		'gemini-2.5-flash': price(0.3, 2.5, 0.03)
	}
};

/**
 * What a model costs. One that is not listed counts as the dearest of its provider, and one of a
 * provider that is not listed as the dearest of all: a budget may end early, never late.
 */
export function pricesOf(provider: string, model: string | undefined): Prices {
	const models = PRICES[provider];
	const undated = model?.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
	const known = models?.[model ?? ''] ?? models?.[undated ?? ''];
	return known ?? dearest(models ? Object.values(models) : Object.values(PRICES).flatMap(Object.values<Prices>));
}

const dearest = (all: readonly Prices[]): Prices =>
	all.reduce((most, one) => ({
		input: Math.max(most.input, one.input),
		output: Math.max(most.output, one.output),
		cacheRead: Math.max(most.cacheRead, one.cacheRead),
		cacheWrite: Math.max(most.cacheWrite, one.cacheWrite)
	}));
