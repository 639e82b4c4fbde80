import { describe, expect, it } from 'vitest';
import { anthropicBetas, anthropicBody } from '#llm/adapters/anthropic/request.ts';
import type { ReasoningEffort, Request } from '#llm/types.ts';
import { readTool, user } from '../../wires.ts';
import { asked } from '../reading.ts';

const THINKS_ALWAYS = 'claude-mythos-preview';
/** Thinks with a budget, and only on request. */
const BUDGET = 'claude-haiku-4-5';

function body(more: Partial<Request> = {}, model = BUDGET) {
	const { config, request } = asked('anthropic', model, { messages: [user('hi')], promptCaching: false, ...more });
	return anthropicBody(config, request);
}
const bare = {
	model: BUDGET,
	max_tokens: 64_000,
	messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
	stream: true
};

describe('a Messages request', () => {
	it('contains nothing that was not asked for', () => {
		expect(body()).toEqual(bare);
		expect(body({ system: '', tools: [], toolChoice: 'required' })).toEqual(bare);
	});

	it('is limited to what the model can write, and to 64,000 tokens unless it is told', () => {
		expect(body({}, 'claude-3-haiku').max_tokens).toBe(4096);
		expect(body({}, 'claude-opus-5').max_tokens).toBe(64_000);
		expect(body({}, 'unheard-of').max_tokens).toBe(32_000);
		expect(body({ maxTokens: 100_000 }).max_tokens).toBe(100_000);
	});

	it('has all instructions in one place', () => {
		const messages = [user('hi'), { role: 'system' as const, content: [{ type: 'text' as const, text: 'No jokes.' }] }];
		expect(body({ system: 'Be brief.', messages }).system).toEqual([{ type: 'text', text: 'Be brief.\n\nNo jokes.' }]);
	});

	it.each<[Request['toolChoice'], object]>([
		[undefined, { type: 'auto' }],
		['auto', { type: 'auto' }],
		['none', { type: 'none' }],
		['required', { type: 'any' }],
		[{ name: 'Read' }, { type: 'tool', name: 'Read' }]
	])('offers tools with the choice %j', (toolChoice, sent) => {
		const { name, description, parameters } = readTool;
		const offered = { tools: [readTool], ...(toolChoice && { toolChoice }) };
		const tools = [{ name, description, input_schema: parameters }];
		expect(body(offered)).toEqual({ ...bare, tools, tool_choice: sent });
		expect(body({ ...offered, parallelToolCalls: true }).tool_choice).toEqual(sent);
		const oneByOne = toolChoice === 'none' ? {} : { disable_parallel_tool_use: true };
		expect(body({ ...offered, parallelToolCalls: false }).tool_choice).toEqual({ ...sent, ...oneByOne });
	});

	it('forces no tool beside thinking', () => {
		for (const toolChoice of ['required', { name: 'Read' }] as const) {
			const forced = { tools: [readTool], toolChoice };
			expect(body({ ...forced, reasoningEffort: 'low' }).tool_choice).toEqual({ type: 'auto' });
			expect(body({ ...forced }, THINKS_ALWAYS).tool_choice).toEqual({ type: 'auto' });
			expect(body({ ...forced, reasoningEffort: 'none' }).tool_choice).not.toEqual({ type: 'auto' });
		}
	});

	it('describes tools as objects, whatever their schema says', () => {
		const tool = { name: 'Now', description: 'The time.', parameters: { properties: {} } };
		expect(body({ tools: [tool] }).tools).toEqual([
			{ name: 'Now', description: 'The time.', input_schema: { type: 'object', properties: {} } }
		]);
	});

	it('has a temperature only where it is taken', () => {
		expect(body({ temperature: 0 })).toEqual({ ...bare, temperature: 0 });
		expect(body({ temperature: 0 }, 'unheard-of')).toHaveProperty('temperature', 0);
		expect(body({ temperature: 0, reasoningEffort: 'low' })).not.toHaveProperty('temperature');
		for (const model of ['claude-opus-4-6', THINKS_ALWAYS])
			expect(body({ temperature: 0, reasoningEffort: 'none' }, model)).not.toHaveProperty('temperature');
	});

	it('holds a response to a schema, beside the effort', () => {
		const schema = { type: 'object', properties: {} };
		const format = { type: 'json_schema', schema: { ...schema, additionalProperties: false } };
		const responseFormat = { name: 'answer', schema };
		expect(body({ responseFormat })).toEqual({ ...bare, output_config: { format } });
		expect(body({ responseFormat, reasoningEffort: 'high' }, 'claude-opus-4-6').output_config).toEqual({
			effort: 'high',
			format
		});
	});

	it('passes options on, but betas only in their header', () => {
		const providerOptions = { betas: ['one'], metadata: { user_id: 'u' } };
		const { request } = asked('anthropic', BUDGET, { providerOptions });
		expect(body({ providerOptions })).toEqual({ ...bare, metadata: { user_id: 'u' } });
		expect(anthropicBetas(request)).toEqual(['one']);
		for (const other of [undefined, {}, { betas: 'one' }, { betas: [1] }])
			expect(anthropicBetas({ ...request, providerOptions: other as never })).toEqual([]);
	});

	it('marks nothing for the cache when that is switched off, and otherwise does', () => {
		const cached = body({ promptCaching: true, system: 'You are.', tools: [readTool] });
		const cache_control = { type: 'ephemeral' };
		expect(cached).toMatchObject({
			tools: [{ cache_control }],
			system: [{ cache_control }],
			messages: [{ content: [{ cache_control }] }]
		});
		expect(JSON.stringify(body({ system: 'You are.', tools: [readTool] }))).not.toContain('cache_control');
	});
});

describe('the thinking that Anthropic is asked for', () => {
	const efforts: ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
	const asking = (model: string, reasoningEffort: ReasoningEffort | null, maxTokens = 10_000) => {
		const { thinking, output_config } = body({ reasoningEffort, maxTokens }, model);
		return { thinking, effort: output_config?.effort };
	};
	const adaptive = { type: 'adaptive', display: 'summarized' };

	it('is adaptive for the newest models, with an effort', () => {
		expect(efforts.map((effort) => asking('claude-opus-4-6', effort))).toEqual([
			{ thinking: undefined, effort: undefined },
			...['low', 'low', 'medium', 'high', 'xhigh', 'max'].map((effort) => ({ thinking: adaptive, effort }))
		]);
		expect(asking('claude-opus-4-6', null)).toEqual({ thinking: adaptive, effort: undefined });
	});

	it('is low where it cannot be switched off', () => {
		expect(asking(THINKS_ALWAYS, 'none')).toEqual({ thinking: adaptive, effort: 'low' });
		expect(asking(THINKS_ALWAYS, null)).toEqual({ thinking: adaptive, effort: undefined });
	});

	it('is a share of the output for older models, at least 1,024 tokens and less than all', () => {
		const budgets = [undefined, 1024, 1500, 4000, 6500, 8000, 9500];
		expect(efforts.map((effort) => asking(BUDGET, effort).thinking)).toEqual(
			budgets.map((budget_tokens) => budget_tokens && { type: 'enabled', budget_tokens })
		);
		expect(asking(BUDGET, null).thinking).toBeUndefined();
		expect(asking(BUDGET, 'max', 1025).thinking).toEqual({ type: 'enabled', budget_tokens: 1024 });
		expect(asking(BUDGET, 'max', 1024).thinking).toBeUndefined();
	});

	it('is none for a model that does not think', () => {
		expect(asking('claude-3-haiku', 'high')).toEqual({ thinking: undefined, effort: undefined });
		expect(asking('unheard-of', 'high').thinking).toBeUndefined();
	});
});
