import { afterEach, describe, expect, it } from 'vitest';
import type { Scenario } from '#llm/scenario/types.ts';
import type { Message, ToolCallPart } from '#llm/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, clientFor, collect, only, readTool, user, wires } from '../wires.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	expect(server?.failures ?? []).toEqual([]);
	server = undefined;
});
async function serve(...turns: Scenario['turns']): Promise<ModelServer> {
	server = await startModelServer({ name: 'test', turns });
	return server;
}

describe.each(wires)('$name', (wire) => {
	it('streams text whose deltas add up to the response, and completes with the same [U-5]', async () => {
		const turn = { text: 'Hello, wörld 👋. How are you?', pace: { chunkCharacters: 3, delayMs: 0 } };
		const { url } = await serve(turn, turn);
		const client = clientFor(wire, url);
		const events = await collect(client.stream(ask(wire, 'hi')));
		const deltas = events.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : []));
		expect(deltas.length).toBeGreaterThan(3);
		const { response } = only(events, 'finish');
		expect(deltas.join('')).toBe(turn.text);
		expect(response.message).toEqual({ role: 'assistant', content: [{ type: 'text', text: turn.text }] });
		expect(only(events, 'text_end').text).toBe(turn.text);
		expect(events[0]).toEqual({ type: 'start', model: wire.model });
		const complete = await client.complete(ask(wire, 'hi'));
		expect(complete.message).toEqual(response.message);
		expect(complete.finishReason).toBe('stop');
		expect(complete.usage).toEqual(response.usage);
	});

	it('opens and closes reasoning, text and each tool call once, under an id of its own [U-6]', async () => {
		const { url } = await serve({
			reasoning: 'I think about it.',
			text: 'Reading two files.',
			toolCalls: [
				{ name: 'read_file', arguments: { path: 'a.txt' } },
				{ name: 'read_file', arguments: { path: 'b.txt', limit: 5 } }
			]
		});
		const events = await collect(clientFor(wire, url).stream(ask(wire, 'read', { tools: [readTool] })));
		expect(only(events, 'reasoning_end').text).toBe('I think about it.');
		const order = events.map((event) => event.type).filter((type) => !/_delta$|^tool_call/.test(type));
		expect(order).toEqual(['start', 'reasoning_start', 'reasoning_end', 'text_start', 'text_end', 'finish']);
		const segments = (type: string) =>
			new Set(events.flatMap((event) => (event.type.startsWith(type) && 'id' in event ? [event.id] : [])));
		expect(segments('reasoning_').size).toBe(1);
		expect(segments('text_').size).toBe(1);
		expect(segments('text_')).not.toEqual(segments('reasoning_'));
		const ended = events.flatMap((event) => (event.type === 'tool_call_end' ? [event.call.id] : []));
		for (const id of ended) {
			const first = events.findIndex((event) => event.type === 'tool_call_start' && event.id === id);
			const last = events.findIndex((event) => event.type === 'tool_call_end' && event.call.id === id);
			expect(first).toBeGreaterThan(0);
			expect(first).toBeLessThan(last);
		}
		const { response } = only(events, 'finish');
		expect(response.finishReason).toBe('tool_calls');
		const calls = response.message.content.filter((part): part is ToolCallPart => part.type === 'tool_call');
		expect(calls.map((call) => [call.name, call.arguments])).toEqual([
			['Read', { file_path: 'a.txt' }],
			['Read', { file_path: 'b.txt', limit: 5 }]
		]);
		expect(new Set(calls.map((call) => call.id)).size).toBe(2);
		const started = events.flatMap((event) => (event.type === 'tool_call_start' ? [event.id] : []));
		expect(started).toEqual(calls.map((call) => call.id));
		expect(ended).toEqual(started);
		for (const { id, arguments: args } of calls) {
			const deltas = events.flatMap((event) =>
				event.type === 'tool_call_delta' && event.id === id ? [event.delta] : []
			);
			expect(JSON.parse(deltas.join(''))).toEqual(args);
		}
	});

	it('parses tool arguments while they arrive', async () => {
		const { url } = await serve({
			toolCalls: [{ name: 'Read', arguments: { file_path: '/some/long/path.txt', limit: 10 } }],
			pace: { chunkCharacters: 4, delayMs: 0 }
		});
		const seen: string[] = [];
		for await (const event of clientFor(wire, url).stream(ask(wire, 'read', { tools: [readTool] }))) {
			if (event.type === 'tool_call_delta') seen.push(JSON.stringify(event.partialArguments));
		}
		expect(seen.at(-1)).toBe('{"file_path":"/some/long/path.txt","limit":10}');
		// Gemini sends a call in one piece.
		if (wire.name !== 'gemini') expect(seen).toContain('{"file_path":"/s"}');
	});

	it('reports usage with cache and reasoning [U-14]', async () => {
		const { url } = await serve({
			text: 'ok',
			usage: { input: 1000, output: 50, reasoning: 30, cacheRead: 800, cacheWrite: 0 }
		});
		const { usage } = await clientFor(wire, url).complete(ask(wire, 'hi'));
		expect(usage).toMatchObject({
			inputTokens: 1000,
			outputTokens: 50,
			cacheReadTokens: 800,
			reasoningTokens: 30,
			cacheWriteTokens: 0
		});
		const cost: Record<string, number | null> = {
			anthropic: (200 * 5 + 800 * 0.5 + 50 * 25) / 1e6,
			'openai-responses': (200 * 5 + 800 * 0.5 + 50 * 30) / 1e6,
			'openai-chat': null,
			gemini: (200 * 2 + 800 * 0.2 + 50 * 12) / 1e6
		};
		expect(usage.costUsd).toBe(cost[wire.name]);
	});

	it('sends results back to their calls, and repairs a missing one [U-26]', async () => {
		const { url, requests } = await serve({ text: 'done' });
		const call = (id: string, path: string): ToolCallPart => ({
			type: 'tool_call',
			id,
			name: 'Read',
			arguments: { file_path: path }
		});
		const messages: Message[] = [
			user('read'),
			{ role: 'assistant', content: [call('first', 'a'), call('second', 'b')] },
			{
				role: 'tool',
				content: [
					{ type: 'tool_result', callId: 'first', toolName: 'Read', content: 'content of a', isError: false },
					{ type: 'tool_result', callId: 'stray', toolName: 'Read', content: 'stray words', isError: false }
				]
			},
			user('and now?')
		];
		await clientFor(wire, url).complete(ask(wire, '', { messages, tools: [readTool] }));
		const sent = JSON.stringify(requests[0]?.body);
		expect(sent).toContain('content of a');
		expect(sent).toContain('No result provided');
		expect(sent).not.toContain('stray words');
		expect(sent.indexOf('content of a')).toBeLessThan(sent.indexOf('No result provided'));
		expect(sent.indexOf('No result provided')).toBeLessThan(sent.indexOf('and now?'));
	});

	it('sends an image beside text, and one in a tool result', async () => {
		const { url, requests } = await serve({ text: 'a cat' });
		const image = (data: string) => ({ type: 'image' as const, mediaType: 'image/png', data });
		const messages: Message[] = [
			{ role: 'user', content: [{ type: 'text', text: 'what is it?' }, image('AAAA')] },
			{ role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'Read', arguments: {} }] },
			{
				role: 'tool',
				content: [
					{
						type: 'tool_result',
						callId: 'c1',
						toolName: 'Read',
						content: 'see',
						images: [image('BBBB')],
						isError: false
					}
				]
			}
		];
		await clientFor(wire, url).complete(ask(wire, '', { messages }));
		const sent = JSON.stringify(requests[0]?.body);
		expect(sent).toContain('AAAA');
		expect(sent).toContain('BBBB');
		expect(sent).toContain('image/png');
	});

	it('sends the same bytes for the same request', async () => {
		const { url, requests } = await serve({ text: 'one' }, { text: 'two' });
		const client = clientFor(wire, url);
		await client.complete(ask(wire, 'hi', { tools: [readTool], system: 'You are.' }));
		await client.complete(ask(wire, 'hi', { tools: [readTool], system: 'You are.' }));
		expect(JSON.stringify(requests[0]?.body)).toBe(JSON.stringify(requests[1]?.body));
		expect(JSON.stringify(requests[0]?.body)).toContain('You are.');
	});

	it('keeps arguments that are no JSON as the model wrote them', async () => {
		if (wire.name === 'gemini') return; // Its calls are objects on the wire.
		const { url } = await serve({ toolCalls: [{ name: 'Read', arguments: {}, rawArguments: '{"file_path": oops' }] });
		const { message } = await clientFor(wire, url).complete(ask(wire, 'x', { tools: [readTool] }));
		expect(message.content).toMatchObject([
			{ type: 'tool_call', name: 'Read', arguments: {}, rawArguments: '{"file_path": oops' }
		]);
	});
});
