import * as sdk from '@google/genai';
import { describe, expect, it } from 'vitest';
import { geminiParameters } from '#llm/adapters/gemini/request.ts';
import type { Request } from '#llm/types.ts';
import { readTool, user } from '../../wires.ts';
import { asked } from '../reading.ts';

/** A model that does not think, so that nothing about thinking is sent. */
const MODEL = 'gemini-2.0-flash-001';

function settings(more: Partial<Request> = {}, model = MODEL) {
	const { config, request } = asked('gemini', model, { messages: [user('hi')], ...more });
	return geminiParameters(sdk, config, request).config;
}
const bare = { automaticFunctionCalling: { disable: true } };
const declared = {
	functionDeclarations: [{ name: 'Read', description: 'Reads a file.', parametersJsonSchema: readTool.parameters }]
};

describe('a request to Gemini', () => {
	it('contains nothing that was not asked for, and never lets the SDK call tools', () => {
		expect(settings()).toEqual(bare);
		expect(settings({ tools: [], toolChoice: 'required', reasoningEffort: null })).toEqual(bare);
		expect(Object.keys(settings() ?? {})).toEqual(['automaticFunctionCalling']);
	});

	it('contains limits, instructions, the schema of the answer and other settings where they are asked for', () => {
		const { signal } = new AbortController();
		expect(
			settings({
				signal,
				system: 'Be brief.',
				maxTokens: 900,
				temperature: 0,
				providerOptions: { seed: 7 },
				responseFormat: { name: 'answer', schema: { type: 'object', properties: { a: { type: 'string' } } } }
			})
		).toEqual({
			...bare,
			abortSignal: signal,
			systemInstruction: 'Be brief.',
			maxOutputTokens: 900,
			temperature: 0,
			seed: 7,
			responseMimeType: 'application/json',
			responseJsonSchema: expect.objectContaining({ type: 'object', properties: { a: { type: 'string' } } })
		});
	});

	it.each<[Request['toolChoice'], object]>([
		[undefined, { mode: 'AUTO' }],
		['auto', { mode: 'AUTO' }],
		['none', { mode: 'NONE' }],
		['required', { mode: 'ANY' }],
		[{ name: 'Read' }, { mode: 'ANY', allowedFunctionNames: ['Read'] }]
	])('offers its tools, to be called as %j says', (toolChoice, functionCallingConfig) => {
		expect(settings({ tools: [readTool], ...(toolChoice && { toolChoice }) })).toEqual({
			...bare,
			tools: [declared],
			toolConfig: { functionCallingConfig }
		});
	});

	it('adds Google’s search beside the tools, and only where it is switched on', () => {
		const grounded = (grounding: unknown, more: Partial<Request> = {}) =>
			settings({ ...more, providerOptions: { grounding } });
		expect(grounded(true)).toEqual({ ...bare, tools: [{ googleSearch: {} }] });
		expect(grounded(true, { tools: [readTool] })?.tools).toEqual([declared, { googleSearch: {} }]);
		expect(grounded(false)).toEqual(bare);
		expect(grounded('yes')).toEqual(bare);
	});

	it('says how to think only to a model that does', () => {
		expect(settings({ reasoningEffort: 'high' })).not.toHaveProperty('thinkingConfig');
		expect(settings({ reasoningEffort: 'high' }, 'gemini-3-pro-preview')).toHaveProperty('thinkingConfig');
	});
});
