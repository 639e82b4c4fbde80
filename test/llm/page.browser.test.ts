import { describe, expect, it } from 'vitest';
import { createClient } from '#llm/client.ts';
import { proxyProviders } from '#llm/providers.ts';
import { playTurn } from '#llm/scenario/player.ts';
import { anthropic } from '#test/model-server/anthropic.ts';
import { gemini } from '#test/model-server/gemini.ts';
import { openaiChat } from '#test/model-server/openai-chat.ts';
import { openaiResponses } from '#test/model-server/openai-responses.ts';
import { user } from './wires.ts';

const formats = [anthropic, openaiResponses, openaiChat, gemini];
const asked: { url: string; headers: Headers }[] = [];

/** Answers like the proxy, in the wire format of the address. */
const proxy: typeof fetch = async (input, init) => {
	const request = new Request(input, init);
	asked.push({ url: request.url, headers: request.headers });
	const format = formats.find((each) => each.serves(new URL(request.url).pathname));
	const turn = playTurn({ reasoning: 'Hm.', text: 'Hello from the page.' }, [], () => 'call_1');
	const frames = format?.frames(turn, { model: 'm', chunkCharacters: 5, serial: 1 }) ?? [];
	return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });
};

describe('in a page', () => {
	it.each([
		['anthropic', 'claude-opus-4-6', '/api/llm/anthropic/v1/messages'],
		['openai', 'gpt-5.5', '/api/llm/openai/responses'],
		['gemini', 'gemini-3-pro-preview', '/api/llm/gemini/v1beta/models/gemini-3-pro-preview:streamGenerateContent'],
		['compatible-local', 'any', '/api/llm/compatible-local/chat/completions']
	])('%s works through the page’s own server, without a key', async (provider, model, path) => {
		const names = ['anthropic', 'openai', 'gemini', 'compatible-local'];
		const client = createClient({ providers: proxyProviders(location.origin, names), fetch: proxy });
		const response = await client.complete({ provider, model, messages: [user('hi')] });
		expect(response.message.content).toContainEqual({ type: 'text', text: 'Hello from the page.' });
		const last = asked.at(-1);
		expect(new URL(last?.url ?? '').pathname).toBe(path);
		expect(new URL(last?.url ?? '').origin).toBe(location.origin);
	});
});
