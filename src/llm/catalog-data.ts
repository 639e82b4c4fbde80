import type { CatalogModel, ModelPrices } from './catalog-types.ts';

/**
 * Available models, their limits and list prices in US dollars per million tokens, from the providers' public
 * documentation (platform.claude.com, developers.openai.com, ai.google.dev), read on 2026-11-23. `prices: null` if no
 * list price was found: the cost is then hidden rather than guessed.
 */
const claude = { provider: 'anthropic', profile: 'anthropic', images: true, tools: true } as const;
const openai = { provider: 'openai', profile: 'openai', reasoning: 'effort', images: true, tools: true } as const;
const gemini = {
	provider: 'gemini',
	profile: 'gemini',
	images: true,
	tools: true,
	contextWindow: 1_048_576,
	maxOutput: 65_536
} as const;

const opus4 = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const sonnet4 = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const gpt52 = { input: 1.75, output: 14, cacheRead: 0.175, cacheWrite: 0 };

/**
 * GPT-5.6 costs twice the input price and one and a half times the output price for a request of more than
 * 272,000 tokens.
 */
const longer = (prices: ModelPrices): ModelPrices => ({
	...prices,
	long: {
		above: 272_000,
		input: 2 * prices.input,
		output: 1.5 * prices.output,
		cacheRead: 2 * prices.cacheRead,
		cacheWrite: 2 * prices.cacheWrite
	}
});

export const catalogData: CatalogModel[] = [
	{
		...claude,
		id: 'claude-opus-5-5',
		name: 'Claude Opus 5.5',
		contextWindow: 1_000_000,
		maxOutput: 128_000,
		reasoning: 'adaptive-always',
		prices: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
		badges: ['new']
	},
	{
		...claude,
		id: 'claude-sonnet-5-5',
		name: 'Claude Sonnet 5.5',
		contextWindow: 1_000_000,
		maxOutput: 128_000,
		reasoning: 'adaptive',
		prices: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
		badges: ['new']
	},
	{
		...claude,
		id: 'claude-haiku-5-5',
		name: 'Claude Haiku 5.5',
		contextWindow: 1_000_000,
		maxOutput: 128_000,
		reasoning: 'adaptive',
		prices: {
			input: 0.1,
			output: 0.5,
			cacheRead: 0.01,
			cacheWrite: 0.125,
			long: { above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 }
		},
		badges: ['new', 'fast']
	},
	{
		...claude,
		id: 'claude-opus-5',
		name: 'Claude Opus 5',
		contextWindow: 1_000_000,
		maxOutput: 128_000,
		reasoning: 'adaptive',
		prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
		badges: []
	},
	{
		...claude,
		id: 'claude-sonnet-5',
		name: 'Claude Sonnet 5',
		contextWindow: 1_000_000,
		maxOutput: 128_000,
		reasoning: 'adaptive',
		prices: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
		badges: []
	},
	{
		...claude,
		id: 'claude-opus-4-6',
		name: 'Claude Opus 4.6',
		contextWindow: 1_000_000,
		maxOutput: 128_000,
		reasoning: 'adaptive',
		prices: opus4,
		badges: []
	},
	{
		...claude,
		id: 'claude-sonnet-4-6',
		name: 'Claude Sonnet 4.6',
		contextWindow: 1_000_000,
		maxOutput: 128_000,
		reasoning: 'adaptive',
		prices: sonnet4,
		badges: []
	},
	{
		...claude,
		id: 'claude-sonnet-4-5',
		name: 'Claude Sonnet 4.5',
		contextWindow: 200_000,
		maxOutput: 64_000,
		reasoning: 'budget',
		prices: sonnet4,
		badges: [],
		lastDay: '2026-11-30'
	},
	{
		...claude,
		id: 'claude-haiku-4-5',
		name: 'Claude Haiku 4.5',
		contextWindow: 200_000,
		maxOutput: 64_000,
		reasoning: 'budget',
		prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
		badges: ['fast']
	},
	{
		...openai,
		id: 'gpt-6.1-sol',
		name: 'GPT-6.1 Sol',
		contextWindow: 1_050_000,
		maxOutput: 128_000,
		prices: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
		badges: ['new']
	},
	{
		...openai,
		id: 'gpt-5.6-sol',
		name: 'GPT-5.6 Sol',
		contextWindow: 1_050_000,
		maxOutput: 128_000,
		prices: longer({ input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 }),
		badges: []
	},
	{
		...openai,
		id: 'gpt-5.6-terra',
		name: 'GPT-5.6 Terra',
		contextWindow: 1_050_000,
		maxOutput: 128_000,
		prices: longer({ input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2.5 }),
		badges: []
	},
	{
		...openai,
		id: 'gpt-5.6-luna',
		name: 'GPT-5.6 Luna',
		contextWindow: 1_050_000,
		maxOutput: 128_000,
		prices: longer({ input: 0.2, output: 1.2, cacheRead: 0.02, cacheWrite: 0.25 }),
		badges: ['fast']
	},
	{
		...openai,
		id: 'gpt-5.5',
		name: 'GPT-5.5',
		contextWindow: 1_050_000,
		maxOutput: 128_000,
		prices: { input: 5, output: 30, cacheRead: 0.5, cacheWrite: 0 },
		badges: []
	},
	{
		...openai,
		id: 'gpt-5.4',
		name: 'GPT-5.4',
		contextWindow: 1_050_000,
		maxOutput: 128_000,
		prices: { input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 0 },
		badges: []
	},
	{
		...openai,
		id: 'gpt-5.4-mini',
		name: 'GPT-5.4 mini',
		contextWindow: 400_000,
		maxOutput: 128_000,
		prices: { input: 0.75, output: 4.5, cacheRead: 0.075, cacheWrite: 0 },
		badges: ['fast']
	},
	{
		...openai,
		id: 'gpt-5.2-codex',
		name: 'GPT-5.2 Codex',
		contextWindow: 400_000,
		maxOutput: 128_000,
		prices: gpt52,
		badges: []
	},
	{
		...openai,
		id: 'gpt-5.2',
		name: 'GPT-5.2',
		contextWindow: 400_000,
		maxOutput: 128_000,
		prices: gpt52,
		badges: []
	},
	{
		...openai,
		id: 'gpt-5-mini',
		name: 'GPT-5 mini',
		contextWindow: 400_000,
		maxOutput: 128_000,
		prices: { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0 },
		badges: ['fast']
	},
	{
		...gemini,
		id: 'gemini-4-argon',
		name: 'Gemini 4 Argon',
		reasoning: 'level',
		prices: {
			input: 2,
			output: 10,
			cacheRead: 0.1,
			cacheWrite: 0,
			change: { from: '2026-12-01', prices: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 0 } }
		},
		badges: ['new']
	},
	{
		...gemini,
		id: 'gemini-3.1-pro-preview',
		name: 'Gemini 3.1 Pro',
		reasoning: 'level',
		prices: {
			input: 2,
			output: 12,
			cacheRead: 0.2,
			cacheWrite: 0,
			long: { above: 200_000, input: 4, output: 18, cacheRead: 0.4, cacheWrite: 0 }
		},
		badges: ['preview']
	},
	{
		...gemini,
		id: 'gemini-3-pro-preview',
		name: 'Gemini 3 Pro',
		reasoning: 'level',
		prices: { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 0 },
		badges: ['preview']
	},
	{
		...gemini,
		id: 'gemini-3.8-flash',
		name: 'Gemini 3.8 Flash',
		reasoning: 'level',
		prices: { input: 0.75, output: 3.75, cacheRead: 0.075, cacheWrite: 0 },
		badges: ['new', 'fast']
	},
	{
		...gemini,
		id: 'gemini-2.5-pro',
		name: 'Gemini 2.5 Pro',
		reasoning: 'budget',
		prices: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
		badges: []
	},
	{
		...gemini,
		id: 'gemini-2.5-flash',
		name: 'Gemini 2.5 Flash',
		reasoning: 'budget',
		prices: { input: 0.3, output: 2.5, cacheRead: 0.03, cacheWrite: 0 },
		badges: ['fast']
	},
	{
		id: 'demo',
		provider: 'demo',
		profile: 'anthropic',
		name: 'Demo (scripted)',
		contextWindow: 200_000,
		maxOutput: 8_000,
		reasoning: 'none',
		images: false,
		tools: true,
		prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
		badges: []
	}
];
