import { describe, expect, it } from 'vitest';
import { profileForModel } from '#agent/profiles/for-model.ts';
import { costOf, findModel, listModels, modelTraits } from '#llm/catalog.ts';
import { traitsByName } from '#llm/model-family.ts';

const usage = { inputTokens: 0, outputTokens: 1000, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

describe('a model that the catalog does not list', () => {
	it.each([
		['claude-opus-6', 1_000_000, 'adaptive'],
		['claude-opus-4-8', 1_000_000, 'adaptive'],
		['claude-sonnet-4-10', 1_000_000, 'adaptive'],
		['claude-haiku-4-6', 200_000, 'adaptive'],
		['claude-opus-4-5-20251101', 200_000, 'budget'],
		['claude-3-7-sonnet-20250219', 200_000, 'budget'],
		['claude-3-5-haiku-20241022', 200_000, 'none'],
		['claude-sonnet-4-20250514', 200_000, 'budget'],
		['claude-fable-5-2', 1_000_000, 'adaptive-always'],
		['claude-mythos-preview', 200_000, 'adaptive-always'],
		['anthropic/claude-sonnet-7', 1_000_000, 'adaptive'],
		['gpt-7', 1_050_000, 'effort'],
		['gpt-5.10', 1_050_000, 'effort'],
		['gpt-5.4-nano', 400_000, 'effort'],
		['gpt-5.1-codex', 400_000, 'effort'],
		['gpt-5-chat-latest', 128_000, 'none'],
		['gpt-4.1', 1_047_576, 'none'],
		['gpt-4o-2024-11-20', 128_000, 'none'],
		['o4-mini', 200_000, 'effort'],
		['gemini-5-neon', 1_048_576, 'level'],
		['gemini-2.5-flash-lite', 1_048_576, 'budget'],
		['gemini-2.0-flash-001', 1_048_576, 'none']
	])('%s has a window of %i tokens and thinks by %s', (id, contextWindow, reasoning) => {
		expect(findModel(id)).toBeUndefined();
		expect(modelTraits(id)).toMatchObject({ contextWindow, reasoning, tools: true });
	});

	it.each([
		['claude-latest', 200_000, 64_000, 'adaptive'],
		['claude-opus-5', 1_000_000, 128_000, 'adaptive'],
		['claude-opus-10', 1_000_000, 128_000, 'adaptive'],
		['gpt-5.4', 1_050_000, 128_000, 'effort'],
		['gpt-10', 1_050_000, 128_000, 'effort'],
		['codex-mini-latest', 400_000, 128_000, 'effort'],
		['o3', 200_000, 100_000, 'effort'],
		['gemini-2.10-flash', 1_048_576, 65_536, 'budget'],
		['gemini-10-pro', 1_048_576, 65_536, 'level'],
		['Google/Gemini-1.5-Pro', 1_048_576, 8_192, 'none']
	])('%s has the limits of its family and version', (id, contextWindow, maxOutput, reasoning) => {
		expect(traitsByName(id)).toEqual({ contextWindow, maxOutput, reasoning, tools: true, images: true });
	});

	it.each(['qwen3-coder', 'gptish', 'not-claude-5', 'my-gpt-5', 'my-codex-1', 'foo3', 'my-gemini-3', ''])(
		'"%s" is of no known family, and none of its traits are guessed',
		(id) => expect(modelTraits(id)).toBeUndefined()
	);

	it('is never taken for larger than a listed one of the same name is', () => {
		for (const { id, contextWindow, maxOutput, reasoning } of listModels()) {
			const guessed = traitsByName(id);
			if (!guessed) continue;
			expect(guessed.contextWindow, id).toBeLessThanOrEqual(contextWindow);
			expect(guessed.maxOutput, id).toBeLessThanOrEqual(maxOutput);
			// A newer one that always thinks is given its effort in the same way.
			expect(reasoning.replace('-always', ''), id).toBe(guessed.reasoning.replace('-always', ''));
		}
	});
});

it('has the prices of long prompts', () => {
	expect(costOf('claude-haiku-5-5', { ...usage, inputTokens: 100_000 })).toBeCloseTo(0.0105, 9);
	expect(costOf('claude-haiku-5-5', { ...usage, inputTokens: 100_001 })).toBeCloseTo(0.0525005, 9);
	expect(costOf('gpt-5.6-sol', { ...usage, inputTokens: 300_000 })).toBeCloseTo(2.43, 9);
});

describe('a profile takes its limits from the catalog', () => {
	it.each([
		['claude-opus-5', 'anthropic', 1_000_000, 128_000],
		['claude-haiku-4-5', 'anthropic', 200_000, 64_000],
		['claude-sonnet-4-6', 'anthropic', 1_000_000, 128_000],
		// OpenAI limits prompts so that there is room for the longest answer.
		['gpt-5.2', 'openai', 272_000, 128_000],
		['gpt-7', 'openai', 922_000, 128_000],
		['gemini-4-argon', 'gemini', 1_048_576, 65_536],
		['a-name-nobody-knows', 'compatible-local', 128_000, 16_384]
	])('%s', (model, provider, contextWindowTokens, maxOutputTokens) => {
		expect(profileForModel(model, provider)).toMatchObject({ contextWindowTokens, maxOutputTokens });
		expect(profileForModel(model, provider, { contextWindowTokens: 5_000 }).contextWindowTokens).toBe(5_000);
	});

	it('says that a model without thinking cannot think', () => {
		expect(profileForModel('gpt-4.1', 'openai').supportsReasoning).toBe(false);
		expect(profileForModel('claude-opus-5', 'anthropic').supportsReasoning).toBe(true);
	});
});
