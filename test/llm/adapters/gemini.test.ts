import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { placeholderKey } from '#llm/adapters/adapter.ts';
import { createGeminiAdapter } from '#llm/adapters/gemini.ts';
import type { Scenario } from '#llm/scenario/types.ts';
import type { Message, Request } from '#llm/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, clientFor, collect, only, readTool, user, wires } from '../wires.ts';

const wire = wires.find((each) => each.name === 'gemini');
if (!wire) throw new Error('There is a Gemini wire.');
const gemini = wire;
const bodySchema = z.looseObject({
	contents: z.array(z.object({ role: z.string(), parts: z.array(z.record(z.string(), z.unknown())) })),
	generationConfig: z.record(z.string(), z.unknown()).optional()
});

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});
async function bodyOf(more: Partial<Request>, turns: Scenario['turns'] = [{ text: 'ok' }]) {
	await server?.close();
	server = await startModelServer({ name: 'test', turns });
	const response = await clientFor(gemini, server.url).complete(ask(gemini, 'hi', more));
	return { body: bodySchema.parse(server.requests[0]?.body), response };
}
const read = (path: string) => ({ name: 'Read', arguments: { file_path: path } });

describe('gemini', () => {
	it('makes ids for calls that have none and maps results back to names, signatures kept [U-10] [U-12]', async () => {
		const { response } = await bodyOf({ tools: [readTool] }, [{ toolCalls: [read('a'), read('b')] }]);
		const calls = response.message.content.filter((part) => part.type === 'tool_call');
		expect(calls.map((call) => call.id).every((id) => id.startsWith('gemini_'))).toBe(true);
		const results: Message = {
			role: 'tool',
			content: calls.map((call) => ({
				type: 'tool_result' as const,
				callId: call.id,
				toolName: call.name,
				content: `content of ${String(call.arguments['file_path'])}`,
				isError: call.arguments['file_path'] === 'b'
			}))
		};
		const { body } = await bodyOf({ messages: [user('hi'), response.message, results] });
		expect(body.contents[2]?.parts).toEqual([
			{ functionResponse: { name: 'Read', response: { output: 'content of a' } } },
			{ functionResponse: { name: 'Read', response: { error: 'content of b' } } }
		]);
		// The signature of the first of the parallel calls is sent back with it.
		expect(body.contents[1]?.parts).toEqual([
			{ functionCall: { name: 'Read', args: { file_path: 'a' } }, thoughtSignature: btoa('signature-1') },
			{ functionCall: { name: 'Read', args: { file_path: 'b' } } }
		]);
	});

	it('gives calls of another model the documented value for a signature', async () => {
		const call = { type: 'tool_call' as const, id: 'toolu_1', name: 'Read', arguments: {} };
		const messages: Message[] = [user('hi'), { role: 'assistant', content: [call] }];
		const { body } = await bodyOf({ messages });
		expect(body.contents[1]?.parts[0]).toMatchObject({ thoughtSignature: 'skip_thought_signature_validator' });
		const older = await bodyOf({ messages, model: 'gemini-2.5-pro' });
		expect(older.body.contents[1]?.parts[0]).toEqual({ functionCall: { name: 'Read', args: {} } });
	});

	it('says how hard to think by a level or a budget, never both [U-13]', async () => {
		const config = async (more: Partial<Request>) => (await bodyOf(more)).body.generationConfig?.['thinkingConfig'];
		expect(await config({ reasoningEffort: 'high' })).toEqual({ includeThoughts: true, thinkingLevel: 'HIGH' });
		expect(await config({ reasoningEffort: 'low', model: 'gemini-2.5-flash' })).toEqual({
			includeThoughts: true,
			thinkingBudget: 2048
		});
		expect(await config({ reasoningEffort: 'none', model: 'gemini-2.5-flash' })).toEqual({
			includeThoughts: false,
			thinkingBudget: 0
		});
	});

	it('sends tools as plain JSON Schema, and the choice among them', async () => {
		const { body } = await bodyOf({ tools: [readTool], toolChoice: { name: 'Read' }, system: 'You are.' });
		expect(body).toMatchObject({
			systemInstruction: { parts: [{ text: 'You are.' }] },
			tools: [{ functionDeclarations: [{ name: 'Read', parametersJsonSchema: readTool.parameters }] }],
			toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['Read'] } }
		});
	});

	it('sends the headers of its configuration, by the `fetch` of the request, the provider or the page', async () => {
		server = await startModelServer({ name: 'test', turns: [{ text: 'a' }, { text: 'b' }] });
		const sent: string[] = [];
		const by =
			(name: string): typeof fetch =>
			(input, init) => {
				sent.push(name);
				return fetch(input, init);
			};
		const config = { name: 'gemini', baseUrl: server.url, headers: { 'x-team': 'blue' }, fetch: by('provider') };
		const adapter = createGeminiAdapter(config);
		await collect(adapter.stream(ask(gemini, 'hi')));
		await collect(adapter.stream(ask(gemini, 'hi'), { fetch: by('request') }));
		expect(sent).toEqual(['provider', 'request']);
		expect(server.requests.map(({ headers }) => headers['x-team'])).toEqual(['blue', 'blue']);
		// The placeholder key, without which the SDK would not start.
		expect(server.requests[0]?.headers['x-goog-api-key']).toBe(placeholderKey);
	});

	it('is refused by the SDK in words where there is nothing to send', async () => {
		server = await startModelServer({ name: 'test', turns: [{ text: 'a' }] });
		const events = await collect(clientFor(gemini, server.url).stream(ask(gemini, '', { messages: [] })));
		expect(only(events, 'error').error.message).not.toBe('');
		expect(server.requests).toEqual([]);
	});

	it('tries a malformed call again', async () => {
		server = await startModelServer({
			name: 'test',
			turns: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }, { text: 'better' }]
		});
		const client = clientFor(gemini, server.url, { retry: { retries: 2, baseMs: 1 } });
		const events = await collect(client.stream(ask(gemini, 'hi')));
		expect(only(events, 'retry').code).toBe('stream');
		expect(only(events, 'finish').response.message.content).toEqual([{ type: 'text', text: 'better' }]);
	});
});
