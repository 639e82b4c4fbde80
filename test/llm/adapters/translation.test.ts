import { afterEach, describe, expect, it } from 'vitest';
import type { FinishReason, Request } from '#llm/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, clientFor, readTool, user, wires } from '../wires.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const sdkHeaders: Record<string, string> = {
	anthropic: 'x-stainless-package-version',
	'openai-responses': 'x-stainless-package-version',
	'openai-chat': 'x-stainless-package-version',
	gemini: 'x-goog-api-client'
};
const paths: Record<string, string> = {
	anthropic: '/v1/messages',
	'openai-responses': '/v1/responses',
	'openai-chat': '/v1/chat/completions',
	gemini: '/v1beta/models/gemini-3-pro-preview:streamGenerateContent'
};

/** The wire's own word → ours. */
const finishes: Record<string, [string, FinishReason][]> = {
	anthropic: [
		['end_turn', 'stop'],
		['stop_sequence', 'stop'],
		['max_tokens', 'length'],
		['refusal', 'content_filter'],
		['brand_new', 'other']
	],
	'openai-responses': [['content_filter', 'content_filter']],
	'openai-chat': [
		['stop', 'stop'],
		['length', 'length'],
		['content_filter', 'content_filter'],
		['brand_new', 'other']
	],
	gemini: [
		['STOP', 'stop'],
		['MAX_TOKENS', 'length'],
		['SAFETY', 'content_filter'],
		['RECITATION', 'content_filter'],
		['OTHER', 'other']
	]
};

/** Field of each wire for the choice among tools, and its values for auto, none, required and a named tool. */
const choices: Record<string, { at: (body: Record<string, unknown>) => unknown; words: unknown[] }> = {
	anthropic: {
		at: (body) => body['tool_choice'],
		words: [{ type: 'auto' }, { type: 'none' }, { type: 'any' }, { type: 'tool', name: 'Read' }]
	},
	'openai-responses': {
		at: (body) => body['tool_choice'],
		words: ['auto', 'none', 'required', { type: 'function', name: 'Read' }]
	},
	'openai-chat': {
		at: (body) => body['tool_choice'],
		words: ['auto', 'none', 'required', { type: 'function', function: { name: 'Read' } }]
	},
	gemini: {
		at: (body) => body['toolConfig'],
		words: [
			{ functionCallingConfig: { mode: 'AUTO' } },
			{ functionCallingConfig: { mode: 'NONE' } },
			{ functionCallingConfig: { mode: 'ANY' } },
			{ functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['Read'] } }
		]
	}
};

describe.each(wires)('$name', (wire) => {
	it('speaks its native API through the official SDK [U-4]', async () => {
		server = await startModelServer({ name: 'test', turns: [{ text: 'ok' }] });
		await clientFor(wire, server.url).complete(ask(wire, 'hi'));
		expect(server.requests[0]?.path).toBe(paths[wire.name]);
		expect(server.requests[0]?.headers[sdkHeaders[wire.name] ?? '']).toBeTruthy();
	});

	it('passes the provider’s own options on [U-8]', async () => {
		const own: Record<string, { providerOptions: Record<string, unknown>; sent: object }> = {
			anthropic: { providerOptions: { top_k: 3 }, sent: { top_k: 3 } },
			'openai-responses': { providerOptions: { service_tier: 'flex' }, sent: { service_tier: 'flex' } },
			'openai-chat': { providerOptions: { seed: 7 }, sent: { seed: 7 } },
			gemini: { providerOptions: { topK: 3 }, sent: { generationConfig: { topK: 3 } } }
		};
		const { providerOptions, sent } = own[wire.name] ?? { providerOptions: {}, sent: { missing: wire.name } };
		server = await startModelServer({ name: 'test', turns: [{ text: 'ok' }] });
		await clientFor(wire, server.url).complete(ask(wire, 'hi', { providerOptions }));
		expect(server.requests[0]?.body).toMatchObject(sent);
	});

	it('translates finish reasons and keeps the raw one [U-16]', async () => {
		const cases = finishes[wire.name] ?? [];
		server = await startModelServer({
			name: 'test',
			turns: cases.map(([finishReason]) => ({ text: 'words', finishReason }))
		});
		for (const [raw, expected] of cases) {
			const response = await clientFor(wire, server.url).complete(ask(wire, 'hi'));
			expect(response).toMatchObject({ finishReason: expected, rawFinishReason: raw });
		}
	});

	it('translates the choice among tools [U-17]', async () => {
		server = await startModelServer({ name: 'test', turns: [], afterwards: { text: 'ok' } });
		const asked: Request['toolChoice'][] = ['auto', 'none', 'required', { name: 'Read' }];
		// A Claude that only thinks on request: thinking does not allow forcing a tool.
		const model = wire.name === 'anthropic' ? 'claude-haiku-4-5' : wire.model;
		for (const toolChoice of asked) {
			await clientFor(wire, server.url).complete(ask(wire, 'hi', { tools: [readTool], toolChoice, model }));
		}
		const { at, words } = choices[wire.name] ?? { at: () => undefined, words: [] };
		const sent = server.requests.map((request) => at(Object(request.body)));
		expect(sent).toEqual(words);
	});

	it.each(wires)('carries a conversation on from $name with plain content [U-27]', async (from) => {
		const turn = { reasoning: 'Secret thoughts.', text: 'Reading.', toolCalls: [{ name: 'Read', arguments: {} }] };
		server = await startModelServer({ name: 'test', turns: [turn, { text: 'done' }] });
		const { message } = await clientFor(from, server.url).complete(ask(from, 'hi', { tools: [readTool] }));
		const call = message.content.find((part) => part.type === 'tool_call');
		if (call?.type !== 'tool_call') throw new Error('It called a tool.');
		const result = {
			role: 'tool' as const,
			content: [{ type: 'tool_result' as const, callId: call.id, toolName: 'Read', content: 'words', isError: false }]
		};
		const messages = [user('hi'), message, result];
		await clientFor(wire, server.url).complete(ask(wire, '', { messages, tools: [readTool] }));
		const sent = JSON.stringify(server.requests[1]?.body);
		expect(sent).toContain('Reading.');
		expect(sent).toContain('words');
		const signature = /signature-1|encrypted-rs_1|c2lnbmF0dXJl/.test(sent);
		// Chat Completions has nothing that could be sent back.
		expect(signature).toBe(from.name === wire.name && wire.name !== 'openai-chat');
		if (from.name !== wire.name) expect(sent).not.toContain('Secret thoughts.');
	});
});

describe('openai-chat', () => {
	const wire = wires.find((each) => each.name === 'openai-chat');
	it.each(['reasoning_content', 'reasoning', 'reasoning_text'])('reads reasoning from `%s` [U-29]', async (field) => {
		if (!wire) throw new Error('There is a chat wire.');
		const chunk = (delta: unknown, finish_reason: string | null = null) =>
			`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
		const body =
			chunk({ [field]: 'I ponder.' }) + chunk({ content: 'Hello.' }) + chunk({}, 'stop') + 'data: [DONE]\n\n';
		server = await startModelServer({ name: 'test', turns: [{ fault: { kind: 'garbage', body } }] });
		const { message } = await clientFor(wire, server.url).complete(ask(wire, 'hi'));
		expect(message.content).toEqual([
			{ type: 'thinking', text: 'I ponder.' },
			{ type: 'text', text: 'Hello.' }
		]);
	});
});
