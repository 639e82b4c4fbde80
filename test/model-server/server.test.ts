import { afterEach, describe, expect, it } from 'vitest';
import { ask, clientFor, wires } from '#test/llm/wires.ts';
import { type ModelServer, startModelServer } from './server.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

describe.each(wires)('the model server over $name', (wire) => {
	it('refuses a request that is not as expected and keeps the reason', async () => {
		const expectation = (body: unknown) => expect(JSON.stringify(body)).toContain('please');
		server = await startModelServer({ name: 'test', turns: [{ text: 'ok', expect: expectation }] });
		await expect(clientFor(wire, server.url).complete(ask(wire, 'now'))).rejects.toMatchObject({ status: 400 });
		expect(server.failures).toHaveLength(1);
	});

	it('says when the turns have run out, and goes on with `afterwards`', async () => {
		server = await startModelServer({ name: 'short', turns: [] });
		await expect(clientFor(wire, server.url).complete(ask(wire, 'hi'))).rejects.toThrow(/"short" has no turn/);
		await server.close();
		server = await startModelServer({ name: 'long', turns: [], afterwards: { text: 'again' } });
		for (let count = 0; count < 2; count++) {
			const { message } = await clientFor(wire, server.url).complete(ask(wire, 'hi'));
			expect(message.content).toEqual([{ type: 'text', text: 'again' }]);
		}
	});

	it('serves each request by the first rule that matches', async () => {
		const turns = (text: string) => ({ name: text, turns: [{ text }] });
		server = await startModelServer([
			{ match: (request) => JSON.stringify(request.body).includes('child'), scenario: turns('I am the child.') },
			{ match: () => true, scenario: turns('I am the parent.') }
		]);
		const client = clientFor(wire, server.url);
		const parent = await client.complete(ask(wire, 'for the parent'));
		const child = await client.complete(ask(wire, 'for the child'));
		expect(parent.message.content).toMatchObject([{ text: 'I am the parent.' }]);
		expect(child.message.content).toMatchObject([{ text: 'I am the child.' }]);
	});

	it('answers in one piece where no stream is asked for', async () => {
		server = await startModelServer({ name: 'test', turns: [{ text: 'whole' }] });
		const paths: Record<string, string> = {
			anthropic: '/v1/messages',
			'openai-responses': '/v1/responses',
			'openai-chat': '/v1/chat/completions',
			gemini: '/v1beta/models/m:generateContent'
		};
		const answer = await fetch(server.url + paths[wire.name], { method: 'POST', body: '{}' });
		expect(answer.headers.get('content-type')).toBe('application/json');
		expect(JSON.stringify(await answer.json())).toContain('"whole"');
	});
});
