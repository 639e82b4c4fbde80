import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Scenario } from '#llm/scenario/types.ts';
import type { Message, Request } from '#llm/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, clientFor, readTool, user, wires } from '../wires.ts';

const wire = wires.find((each) => each.name === 'anthropic');
if (!wire) throw new Error('There is an anthropic wire.');
const anthropic = wire;

const block = z.object({ type: z.string(), cache_control: z.unknown().optional() }).loose();
const bodySchema = z.looseObject({
	messages: z.array(z.object({ role: z.string(), content: z.array(block) })),
	system: z.array(block).optional(),
	tools: z.array(z.looseObject({ cache_control: z.unknown().optional() })).optional()
});

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});
async function bodyOf(more: Partial<Request>, turns: Scenario['turns'] = [{ text: 'ok' }]) {
	await server?.close();
	server = await startModelServer({ name: 'test', turns });
	const response = await clientFor(anthropic, server.url).complete(ask(anthropic, 'hi', more));
	const [request] = server.requests;
	return { body: bodySchema.parse(request?.body), headers: request?.headers ?? {}, response };
}
const marked = (blocks: { cache_control?: unknown }[]) => blocks.map((each) => each.cache_control !== undefined);
const toolTurn = (id: string): Message[] => [
	{ role: 'assistant', content: [{ type: 'tool_call', id, name: 'Read', arguments: {} }] },
	{ role: 'tool', content: [{ type: 'tool_result', callId: id, toolName: 'Read', content: 'x', isError: false }] }
];

describe('anthropic', () => {
	it('marks tools, system and two places of the messages for the cache, and can be configured not to [U-15]', async () => {
		const messages = [user('start'), ...Array.from({ length: 15 }, (_, index) => toolTurn(`c${index}`)).flat()];
		const request = { messages, system: 'You are.', tools: [readTool, { ...readTool, name: 'Other' }] };
		const usage = { input: 1000, output: 10, cacheRead: 700, cacheWrite: 200 };
		const { body, response } = await bodyOf(request, [{ text: 'ok', usage }]);
		expect(marked(body.tools ?? [])).toEqual([false, true]);
		expect(marked(body.system ?? [])).toEqual([true]);
		const blocks = body.messages.flatMap((message) => message.content);
		const at = blocks.flatMap((each, index) => (each.cache_control === undefined ? [] : [index]));
		expect(at).toHaveLength(2);
		expect(at[1]).toBe(blocks.length - 1);
		expect(blocks.length - (at[0] ?? 0)).toBeLessThanOrEqual(20);
		expect(response.usage).toMatchObject({ inputTokens: 1000, cacheReadTokens: 700, cacheWriteTokens: 200 });
		const off = await bodyOf({ ...request, promptCaching: false });
		expect(JSON.stringify(off.body)).not.toContain('cache_control');
	});

	it('puts results first, merges neighbours of one role and keeps ids within its rules', async () => {
		const odd = 'call|item/' + 'x'.repeat(80);
		const { body } = await bodyOf({
			messages: [user('one'), user('two'), ...toolTurn(odd), user('steer')]
		});
		expect(body.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
		expect(body.messages[2]?.content.map((each) => each.type)).toEqual(['tool_result', 'text']);
		const id = body.messages[1]?.content[0]?.['id'];
		expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
		expect(body.messages[2]?.content[0]?.['tool_use_id']).toBe(id);
	});

	it('returns thinking with its signature to the same model, and not to another [U-11]', async () => {
		const { response } = await bodyOf({}, [{ reasoning: 'I ponder.', text: 'Hello.' }]);
		const messages = [user('hi'), response.message, user('go on')];
		const same = await bodyOf({ messages });
		expect(same.body.messages[1]?.content[0]).toEqual({
			type: 'thinking',
			thinking: 'I ponder.',
			signature: 'signature-1'
		});
		const other = await bodyOf({ messages, model: 'claude-sonnet-4-5' });
		expect(other.body.messages[1]?.content.map((each) => each.type)).toEqual(['text']);
		const redacted: Message = {
			role: 'assistant',
			content: [
				{
					type: 'redacted_thinking',
					data: 'opaque',
					provider: { provider: 'anthropic', model: anthropic.model, item: null }
				},
				{ type: 'text', text: 'Hello.' }
			]
		};
		const back = await bodyOf({ messages: [user('hi'), redacted, user('go on')] });
		expect(back.body.messages[1]?.content).toEqual([
			{ type: 'redacted_thinking', data: 'opaque' },
			expect.objectContaining({ type: 'text', text: 'Hello.' })
		]);
		const elsewhere = await bodyOf({ messages: [user('hi'), redacted, user('go on')], model: 'claude-sonnet-4-5' });
		expect(elsewhere.body.messages[1]?.content.map((each) => each.type)).toEqual(['text']);
		expect(JSON.stringify(elsewhere.body)).not.toContain('opaque');
	});

	it('says how hard to think in each model’s way, and never forces a tool beside it [U-13]', async () => {
		const { body: adaptive } = await bodyOf({ reasoningEffort: 'high', tools: [readTool], toolChoice: 'required' });
		expect(adaptive).toMatchObject({
			thinking: { type: 'adaptive' },
			output_config: { effort: 'high' },
			tool_choice: { type: 'auto' }
		});
		const budget = { model: 'claude-sonnet-4-5', reasoningEffort: 'low' as const };
		const { body: small } = await bodyOf({ ...budget, maxTokens: 2000 });
		expect(small).toMatchObject({ max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } });
		const { body: none } = await bodyOf({ ...budget, maxTokens: 1000 });
		expect(none['thinking']).toBeUndefined();
	});

	it('passes options and beta headers on [U-8]', async () => {
		const { body, headers } = await bodyOf({
			providerOptions: { betas: ['one-beta', 'two-beta'], metadata: { user_id: 'u' } }
		});
		expect(headers['anthropic-beta']).toBe('one-beta,two-beta');
		expect(body).toMatchObject({ metadata: { user_id: 'u' } });
		expect(body['betas']).toBeUndefined();
		expect((await bodyOf({})).headers).not.toHaveProperty('anthropic-beta');
	});

	it('refuses a document it cannot take before sending anything', async () => {
		server = await startModelServer({ name: 'test', turns: [] });
		const part = { type: 'document' as const, mediaType: 'audio/mpeg', data: 'AAAA' };
		const request = ask(anthropic, '', { messages: [{ role: 'user', content: [part] }] });
		await expect(clientFor(anthropic, server.url).complete(request)).rejects.toMatchObject({
			code: 'invalid_request',
			message: expect.stringContaining('audio/mpeg')
		});
		expect(server.requests).toEqual([]);
	});
});
