import { describe, expect, it } from 'vitest';
import { chatBody } from '#llm/adapters/openai-chat/request.ts';
import { type ChatQuirks, plainQuirks } from '#llm/compatible/quirks.ts';
import type { Request } from '#llm/types.ts';
import { readTool, user } from '../../wires.ts';
import { asked } from '../reading.ts';

function body(more: Partial<Request> = {}, quirks: Partial<ChatQuirks> = {}) {
	const { config, request } = asked('compatible-test', 'local', { messages: [user('hi')], ...more });
	return chatBody({ ...config, quirks: { ...plainQuirks, ...quirks } }, request);
}
const bare = {
	model: 'local',
	messages: [{ role: 'user', content: 'hi' }],
	stream: true,
	stream_options: { include_usage: true }
};

describe('a chat request', () => {
	it('contains nothing that was not asked for', () => {
		expect(body()).toEqual(bare);
		expect(body({ tools: [], toolChoice: 'required', parallelToolCalls: false, reasoningEffort: null })).toEqual(bare);
		expect(body({}, { askForUsage: false })).not.toHaveProperty('stream_options');
	});

	it('contains what was asked for, in the server’s words', () => {
		expect(body({ maxTokens: 900, temperature: 0, providerOptions: { seed: 7 } })).toEqual({
			...bare,
			max_tokens: 900,
			temperature: 0,
			seed: 7
		});
		expect(body({ maxTokens: 900 }, { maxTokens: 'max_completion_tokens' })).toEqual({
			...bare,
			max_completion_tokens: 900
		});
	});

	it.each([
		['reasoning_effort', { reasoning_effort: 'high' }, { reasoning_effort: 'none' }],
		['reasoning', { reasoning: { effort: 'high' } }, { reasoning: { effort: 'none' } }],
		['thinking', { thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } }],
		['none', {}, {}]
	] as const)('says how hard to think by %s', (effort, high, none) => {
		expect(body({ reasoningEffort: 'high' }, { effort })).toEqual({ ...bare, ...high });
		expect(body({ reasoningEffort: 'none' }, { effort })).toEqual({ ...bare, ...none });
	});

	it('offers tools, and a choice among them only if there is one', () => {
		const { name, description, parameters } = readTool;
		const tools = [{ type: 'function', function: { name, description, parameters } }];
		expect(body({ tools: [readTool] })).toEqual({ ...bare, tools });
		expect(body({ tools: [readTool], toolChoice: 'none', parallelToolCalls: true })).toEqual({
			...bare,
			tools,
			tool_choice: 'none'
		});
		expect(body({ tools: [readTool], toolChoice: { name: 'Read' }, parallelToolCalls: false })).toEqual({
			...bare,
			tools,
			tool_choice: { type: 'function', function: { name: 'Read' } },
			parallel_tool_calls: false
		});
	});

	it('refuses a response format, in which servers differ', () => {
		expect(() => body({ responseFormat: { name: 'x', schema: {} } })).toThrow('cannot take a response format');
	});
});
