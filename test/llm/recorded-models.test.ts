import { expect, it } from 'vitest';
import { costOf, listModels, pricesOf } from '#llm/catalog.ts';
import { traitsByName } from '#llm/model-family.ts';
import { knownServers } from '#llm/compatible/servers.ts';
import { emptyUsage } from '#llm/usage.ts';

const lines = (values: readonly unknown[]): string => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;

it('offers the recorded models, with their limits and prices', async () => {
	await expect(lines(listModels())).toMatchFileSnapshot('./recorded/models.txt');
});

it('knows the recorded servers and how each is spoken to', async () => {
	await expect(lines(knownServers)).toMatchFileSnapshot('./recorded/servers.txt');
});

it('counts a long prompt at the prices of long prompts, from the first token above', () => {
	const cost = (inputTokens: number) => costOf('claude-haiku-5-5', { ...emptyUsage(), inputTokens, outputTokens: 10 });
	expect(cost(100_000)).toBeCloseTo((100_000 * 0.1 + 10 * 0.5) / 1e6, 12);
	expect(cost(100_001)).toBeCloseTo((100_001 * 0.5 + 10 * 2.5) / 1e6, 12);
	const cached = { ...emptyUsage(), inputTokens: 200_000, cacheReadTokens: 150_000, cacheWriteTokens: 60_000 };
	expect(costOf('claude-haiku-5-5', cached)).toBeCloseTo((150_000 * 0.05 + 60_000 * 0.625) / 1e6, 12);
});

it('takes announced prices from their day on', () => {
	const midnight = Date.UTC(2026, 11, 1);
	expect(pricesOf('gemini-4-argon', midnight - 1)).toMatchObject({ input: 2, output: 10, cacheRead: 0.1 });
	expect(pricesOf('gemini-4-argon', midnight)).toEqual({ input: 4, output: 20, cacheRead: 0.2, cacheWrite: 0 });
	expect(pricesOf('unlisted')).toBeNull();
});

const [MILLION, seeing] = [1_000_000, { tools: true, images: true }];
it.each<[string, number, number, string]>([
	['claude-opus-5-9', MILLION, 128_000, 'adaptive'],
	['claude-opus-4-6', MILLION, 128_000, 'adaptive'],
	['claude-haiku-4-7', 200_000, 64_000, 'adaptive'],
	['claude-opus-4-5', 200_000, 32_000, 'budget'],
	['claude-3-7-sonnet', 200_000, 32_000, 'budget'],
	['claude-3-5-sonnet-20241022', 200_000, 4_096, 'none'],
	['claude-sonnet-4-20250514', 200_000, 32_000, 'budget'],
	['claude-next', 200_000, 64_000, 'adaptive'],
	['claude-mythos-preview', 200_000, 128_000, 'adaptive-always'],
	['claude-fable-5', MILLION, 128_000, 'adaptive-always'],
	['anthropic/Claude-Opus-5', MILLION, 128_000, 'adaptive'],
	['gpt-5.4', 1_050_000, 128_000, 'effort'],
	['gpt-5.4-mini', 400_000, 128_000, 'effort'],
	['gpt-5.4-codex', 400_000, 128_000, 'effort'],
	['gpt-5', 400_000, 128_000, 'effort'],
	['gpt-5.2-chat-latest', 128_000, 16_384, 'none'],
	['gpt-4.1', 1_047_576, 32_768, 'none'],
	['gpt-4o', 128_000, 16_384, 'none'],
	['codex-mini', 400_000, 128_000, 'effort'],
	['o3', 200_000, 100_000, 'effort'],
	['gemini-3-pro', 1_048_576, 65_536, 'level'],
	['gemini-2.5-flash', 1_048_576, 65_536, 'budget'],
	['gemini-2.0-flash', 1_048_576, 8_192, 'none'],
	['gemini-pro', 1_048_576, 8_192, 'none']
])('takes %s for a model of its family', (id, contextWindow, maxOutput, reasoning) => {
	expect(traitsByName(id)).toEqual({ ...seeing, contextWindow, maxOutput, reasoning });
});
