import { describe, expect, it } from 'vitest';
import { responsesBody } from '#llm/adapters/openai-responses/request.ts';
import type { Request, ToolDefinition } from '#llm/types.ts';
import { readTool, user } from '../../wires.ts';
import { asked } from '../reading.ts';

function body(more: Partial<Request> = {}, model = 'gpt-5.5') {
	const { config, request } = asked('openai', model, { messages: [user('hi')], ...more });
	return responsesBody(config, request);
}
const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }];
const bare = {
	model: 'gpt-5.5',
	input,
	stream: true,
	store: false,
	include: ['reasoning.encrypted_content'],
	reasoning: { summary: 'auto' }
};
const patchTool: ToolDefinition = {
	name: 'apply_patch',
	description: 'Applies a patch.',
	parameters: {},
	custom: { syntax: 'lark', definition: 'start: /.+/' }
};

describe('a Responses request', () => {
	it('contains nothing that was not asked for, and stores nothing', () => {
		expect(body()).toEqual(bare);
		expect(body({ system: '', tools: [], reasoningEffort: null, parallelToolCalls: false })).toEqual(bare);
	});

	it('asks a model that does not think for no thinking, and only that one for a temperature', () => {
		const plain = { model: 'gpt-4.1', input, stream: true, store: false };
		expect(body({ reasoningEffort: 'high' }, 'gpt-4.1')).toEqual(plain);
		expect(body({ temperature: 0 }, 'gpt-4.1')).toEqual({ ...plain, temperature: 0 });
		expect(body({ temperature: 0 })).toEqual(bare);
		// A model of an unknown family may think.
		expect(body({}, 'unheard-of')).toEqual({ ...bare, model: 'unheard-of' });
	});

	it('contains what was asked for', () => {
		const more = { system: 'You are.', reasoningEffort: 'low' as const, maxTokens: 900, cacheKey: 'session-1' };
		expect(body({ ...more, providerOptions: { service_tier: 'flex' } })).toEqual({
			...bare,
			instructions: 'You are.',
			reasoning: { summary: 'auto', effort: 'low' },
			max_output_tokens: 900,
			prompt_cache_key: 'session-1',
			service_tier: 'flex'
		});
	});

	it('holds a response to a schema, strictly where that is possible', () => {
		const schema = (required: string[]) => ({ type: 'object', properties: { a: { type: 'string' } }, required });
		const format = (required: string[]) => body({ responseFormat: { name: 'answer', schema: schema(required) } }).text;
		const sent = (required: string[], strict: boolean) => ({
			format: {
				type: 'json_schema',
				name: 'answer',
				schema: { additionalProperties: false, ...schema(required) },
				strict
			}
		});
		expect(format(['a'])).toEqual(sent(['a'], true));
		expect(format([])).toEqual(sent([], false));
	});

	it('offers tools in their form, and the choice among them', () => {
		const { name, description, parameters } = readTool;
		const tools = [
			{ type: 'function', name, description, parameters, strict: false },
			{
				type: 'custom',
				name: 'apply_patch',
				description: 'Applies a patch.',
				format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' }
			}
		];
		const offered = (more: Partial<Request>) => body({ tools: [readTool, patchTool], ...more });
		expect(offered({})).toEqual({ ...bare, tools, tool_choice: 'auto', parallel_tool_calls: true });
		expect(offered({ toolChoice: 'required', parallelToolCalls: false })).toMatchObject({
			tool_choice: 'required',
			parallel_tool_calls: false
		});
		expect(offered({ toolChoice: { name: 'Read' } }).tool_choice).toEqual({ type: 'function', name: 'Read' });
		expect(offered({ toolChoice: { name: 'apply_patch' } }).tool_choice).toEqual({
			type: 'custom',
			name: 'apply_patch'
		});
	});
});
