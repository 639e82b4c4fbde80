import { afterEach, describe, expect, it } from 'vitest';
import type { ReasoningEffort } from '#llm/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, clientFor, wires } from '../wires.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const efforts: (ReasoningEffort | null)[] = ['none', 'low', 'medium', 'high', 'xhigh', null];

/** Field of each wire for the reasoning effort, and its values for {@link efforts}, in order. */
const places: Record<string, { at: (body: Record<string, unknown>) => unknown; words: unknown[] }> = {
	anthropic: {
		at: (body) => Object(body['output_config'])['effort'] ?? Object(body['thinking'])['type'],
		words: [undefined, 'low', 'medium', 'high', 'xhigh', 'adaptive']
	},
	'openai-responses': {
		at: (body) => Object(body['reasoning'])['effort'],
		words: ['none', 'low', 'medium', 'high', 'xhigh', undefined]
	},
	'openai-chat': {
		at: (body) => body['reasoning_effort'],
		words: ['none', 'low', 'medium', 'high', 'xhigh', undefined]
	},
	gemini: {
		at: (body) => Object(Object(body['generationConfig'])['thinkingConfig'])['thinkingLevel'],
		words: ['LOW', 'LOW', 'HIGH', 'HIGH', 'HIGH', undefined]
	}
};

describe.each(wires)('$name', (wire) => {
	it('is sent low, medium, high, none, more, or nothing, in its own words [9.7-3, S-5]', async () => {
		server = await startModelServer({ name: 'test', turns: [], afterwards: { text: 'ok' } });
		const client = clientFor(wire, server.url);
		for (const reasoningEffort of efforts) await client.complete(ask(wire, 'hi', { reasoningEffort }));
		const { at, words } = places[wire.name] ?? { at: () => undefined, words: [] };
		expect(server.requests.map(({ body }) => at(Object(body)))).toEqual(words);
	});

	it('whose server cut the conversation without a word has overflowed [S-27]', async () => {
		server = await startModelServer({ name: 'test', turns: [{ text: '', usage: { input: 9_000_000, output: 0 } }] });
		const model = 'gpt-5.5';
		const answer = clientFor(wire, server.url).complete(ask(wire, 'hi', { model }));
		await expect(answer).rejects.toMatchObject({ code: 'context_length' });
	});
});

it.each([
	['claude-haiku-4-5', 'anthropic', { thinking: { type: 'enabled', budget_tokens: 6_500 } }],
	['gemini-2.5-pro', 'gemini', { generationConfig: { thinkingConfig: { thinkingBudget: 16_384 } } }]
])('%s takes a budget instead [S-5]', async (model, name, expected) => {
	const wire = wires.find((each) => each.name === name);
	if (!wire) throw new Error(`There is no wire of ${name}.`);
	server = await startModelServer({ name: 'test', turns: [], afterwards: { text: 'ok' } });
	await clientFor(wire, server.url).complete(ask(wire, 'hi', { model, reasoningEffort: 'high', maxTokens: 10_000 }));
	expect(server.requests[0]?.body).toMatchObject(expected);
});
