import { afterEach, describe, expect, it } from 'vitest';
import { createClientFromEnvironment, providersFromEnvironment } from '#llm/environment.ts';
import { directProvider, proxyProviders } from '#llm/providers.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { user } from './wires.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

describe('providers', () => {
	it('are those the environment has keys or addresses for', () => {
		expect(providersFromEnvironment({})).toEqual({});
		expect(
			providersFromEnvironment({
				ANTHROPIC_API_KEY: 'a',
				GEMINI_API_KEY: 'g',
				GOOGLE_GEMINI_BASE_URL: 'http://gemini',
				COMPATIBLE_MY_OLLAMA_BASE_URL: 'http://localhost:11434/v1'
			})
		).toEqual({
			anthropic: { api: 'anthropic-messages', apiKey: 'a' },
			gemini: { api: 'gemini', apiKey: 'g', baseUrl: 'http://gemini' },
			'compatible-my-ollama': { api: 'openai-chat', baseUrl: 'http://localhost:11434/v1' }
		});
	});

	it('from the environment are reached with their keys', async () => {
		server = await startModelServer({ name: 'test', turns: [{ text: 'ok' }, { text: 'ok' }, { text: 'ok' }] });
		const client = createClientFromEnvironment({
			ANTHROPIC_API_KEY: 'key-a',
			ANTHROPIC_BASE_URL: server.url,
			OPENAI_API_KEY: 'key-o',
			OPENAI_BASE_URL: `${server.url}/v1`,
			GEMINI_API_KEY: 'key-g',
			GOOGLE_GEMINI_BASE_URL: server.url
		});
		for (const [provider, model] of [
			['anthropic', 'claude-opus-4-6'],
			['openai', 'gpt-5.5'],
			['gemini', 'gemini-2.5-pro']
		] as const) {
			await client.complete({ provider, model, messages: [user('hi')] });
		}
		const headers = server.requests.map((request) => request.headers);
		expect(headers[0]?.authorization).toBe('Bearer key-a');
		expect(headers[1]?.authorization).toBe('Bearer key-o');
		expect(headers[2]?.['x-goog-api-key']).toBe('key-g');
	});

	it('say so when there is none', async () => {
		const request = { provider: '', model: 'x', messages: [user('hi')] };
		await expect(createClientFromEnvironment({}).complete(request)).rejects.toMatchObject({
			code: 'configuration',
			provider: '',
			message: 'No model provider is configured. Add an API key or choose the demo model.'
		});
	});

	it('need neither a key nor an address for the demo', () => {
		expect(directProvider('demo', undefined)).toEqual({ api: 'demo' });
	});

	it('of a page go through its own server, the demo excepted', () => {
		expect(proxyProviders('https://page.test', ['openai', 'compatible-x'])).toEqual({
			openai: { api: 'openai-responses', baseUrl: 'https://page.test/api/llm/openai' },
			'compatible-x': { api: 'openai-chat', baseUrl: 'https://page.test/api/llm/compatible-x' },
			demo: { api: 'demo' }
		});
	});
});
