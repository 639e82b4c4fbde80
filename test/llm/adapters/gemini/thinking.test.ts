import * as sdk from '@google/genai';
import { describe, expect, it } from 'vitest';
import { thinkingConfig } from '#llm/adapters/gemini/thinking.ts';
import type { ReasoningEffort } from '#llm/types.ts';
import { asked } from '../reading.ts';

const efforts: ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const thinking = (model: string, reasoningEffort?: ReasoningEffort | null) =>
	thinkingConfig(sdk, asked('gemini', model, reasoningEffort === undefined ? {} : { reasoningEffort }).request);

describe('the thinking that Gemini is asked for', () => {
	it.each([
		['gemini-2.5-flash', [0, 512, 2048, 8192, 16_384, 24_576, 24_576]],
		// It cannot be switched off there.
		['gemini-2.5-pro', [128, 512, 2048, 8192, 16_384, 24_576, 24_576]]
	])('%s takes tokens for each effort', (model, budgets) => {
		expect(efforts.map((effort) => thinking(model, effort))).toEqual(
			budgets.map((thinkingBudget) => ({ includeThoughts: thinkingBudget > 0, thinkingBudget }))
		);
	});

	it.each([
		['gemini-3-pro-preview', ['LOW', 'LOW', 'LOW', 'HIGH', 'HIGH', 'HIGH', 'HIGH']],
		['gemini-3-flash-preview', ['MINIMAL', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'HIGH', 'HIGH']],
		['gemini-4-argon', ['LOW', 'LOW', 'LOW', 'MEDIUM', 'HIGH', 'HIGH', 'HIGH']]
	])('%s takes a level for each effort, and shows its thoughts', (model, levels) => {
		expect(efforts.map((effort) => thinking(model, effort))).toEqual(
			levels.map((thinkingLevel) => ({ includeThoughts: true, thinkingLevel }))
		);
	});

	it('is the model’s own without an effort, but shown', () => {
		for (const model of ['gemini-2.5-pro', 'gemini-3-pro-preview'])
			for (const effort of [null, undefined]) expect(thinking(model, effort)).toEqual({ includeThoughts: true });
	});

	it('is none for a model that does not think', () => {
		expect(thinking('gemini-2.0-flash', 'high')).toBeUndefined();
		expect(thinking('gemini-2.0-flash')).toBeUndefined();
		expect(thinking('of-no-family', 'high')).toBeUndefined();
	});
});
