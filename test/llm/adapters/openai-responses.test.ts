import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createClient } from '#llm/client.ts';
import type { Scenario } from '#llm/scenario/types.ts';
import type { Message, Request, ToolDefinition } from '#llm/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, readTool, user, wires } from '../wires.ts';

const wire = wires.find((each) => each.name === 'openai-responses');
if (!wire) throw new Error('There is a Responses wire.');
const openai = wire;
const bodySchema = z.looseObject({ input: z.array(z.looseObject({ type: z.string().optional() })) });

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});
async function bodyOf(more: Partial<Request>, turns: Scenario['turns'] = [{ text: 'ok' }], account?: string) {
	await server?.close();
	server = await startModelServer({ name: 'test', turns });
	const config = openai.config(server.url);
	const client = createClient({
		retry: { retries: 0 },
		providers: { openai: account === undefined ? config : { ...config, account } }
	});
	const response = await client.complete(ask(openai, 'hi', more));
	return { body: bodySchema.parse(server.requests[0]?.body), response };
}
const types = (body: z.infer<typeof bodySchema>) => body.input.map((item) => item.type ?? 'assistant text');

const patchTool: ToolDefinition = {
	name: 'apply_patch',
	description: 'Applies a patch.',
	parameters: { type: 'object', properties: { input: { type: 'string' } } },
	custom: { syntax: 'lark', definition: 'start: /.+/' }
};

describe('openai responses', () => {
	it('returns an encrypted reasoning item just before what followed it [U-12]', async () => {
		const turn = { reasoning: 'I ponder.', toolCalls: [{ name: 'Read', arguments: {} }] };
		const { response } = await bodyOf({ tools: [readTool] }, [turn]);
		const messages = [user('hi'), response.message];
		const { body } = await bodyOf({ messages });
		expect(types(body)).toEqual(['message', 'reasoning', 'function_call', 'function_call_output']);
		expect(body.input[1]).toMatchObject({ id: 'rs_1', encrypted_content: 'encrypted-rs_1' });
		expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
	});

	it('drops it without a follower, for another model and for another account', async () => {
		const { response } = await bodyOf({}, [{ reasoning: 'I ponder.', text: 'Hello.' }], 'mine');
		const messages = [user('hi'), response.message, user('go on')];
		expect(types((await bodyOf({ messages }, undefined, 'mine')).body)).toContain('reasoning');
		expect(types((await bodyOf({ messages }, undefined, 'theirs')).body)).not.toContain('reasoning');
		expect(types((await bodyOf({ messages, model: 'gpt-5.2' }, undefined, 'mine')).body)).not.toContain('reasoning');
		const alone = [user('hi'), { ...response.message, content: response.message.content.slice(0, 1) }, user('go on')];
		expect(types((await bodyOf({ messages: alone }, undefined, 'mine')).body)).not.toContain('reasoning');
	});

	it('streams a free-form tool’s input and sends its result back in kind', async () => {
		const turn = {
			toolCalls: [{ name: 'edit_file', arguments: { path: 'a.ts', old_string: 'one', new_string: 'two' } }]
		};
		const { response, body: asked } = await bodyOf({ tools: [patchTool] }, [turn]);
		expect(asked).toMatchObject({
			tools: [{ type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark' } }]
		});
		const [call] = response.message.content;
		expect(call).toMatchObject({
			type: 'tool_call',
			name: 'apply_patch',
			arguments: { input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch\n' }
		});
		if (call?.type !== 'tool_call') throw new Error('It is a call.');
		const result: Message = {
			role: 'tool',
			content: [{ type: 'tool_result', callId: call.id, toolName: call.name, content: 'Done', isError: false }]
		};
		const { body } = await bodyOf({ messages: [user('hi'), response.message, result], tools: [patchTool] });
		expect(types(body)).toEqual(['message', 'custom_tool_call', 'custom_tool_call_output']);
		expect(body.input[1]?.['call_id']).toBe(body.input[2]?.['call_id']);
	});

	it('sends effort, cache key, instructions and tool choice [U-13]', async () => {
		const { body } = await bodyOf({
			reasoningEffort: 'xhigh',
			cacheKey: 'session-1',
			system: 'You are.',
			tools: [readTool],
			toolChoice: { name: 'Read' },
			parallelToolCalls: false
		});
		expect(body).toMatchObject({
			reasoning: { effort: 'xhigh' },
			prompt_cache_key: 'session-1',
			instructions: 'You are.',
			tool_choice: { type: 'function', name: 'Read' },
			parallel_tool_calls: false
		});
	});

	it('names a response that stopped at its limit', async () => {
		const { response } = await bodyOf({}, [{ text: 'half', finishReason: 'length' }]);
		expect(response).toMatchObject({ finishReason: 'length', rawFinishReason: 'max_output_tokens' });
	});
});
