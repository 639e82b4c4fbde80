import { describe, expect, it } from 'vitest';
import { createClientFromEnvironment, providersFromEnvironment } from '#llm/environment.ts';
import { user } from './wires.ts';

describe('providers from the environment', () => {
	it.each([
		['anthropic', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
		['openai', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
		['gemini', 'GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL']
	])('has %s with the key in %s, at the address in %s', (name, key, address) => {
		const providers = providersFromEnvironment({ [key]: 'secret', [address]: 'https://proxy.example/v1' });
		expect(Object.keys(providers)).toEqual([name]);
		expect(providers[name]).toMatchObject({ apiKey: 'secret', baseUrl: 'https://proxy.example/v1' });
		expect(providersFromEnvironment({ [address]: 'https://proxy.example/v1' })).toEqual({});
	});

	it('has each compatible server by the name in its variable, with a key or without', () => {
		const providers = providersFromEnvironment({
			COMPATIBLE_MY_BOX_2_BASE_URL: 'http://box:1/v1',
			COMPATIBLE_MY_BOX_2_API_KEY: 'secret',
			COMPATIBLE_OPEN_BASE_URL: 'http://open:1/v1',
			COMPATIBLE_EMPTY_BASE_URL: ''
		});
		expect(Object.keys(providers)).toEqual(['compatible-my-box-2', 'compatible-open']);
		expect(providers['compatible-my-box-2']).toMatchObject({ baseUrl: 'http://box:1/v1', apiKey: 'secret' });
		expect(providers['compatible-open']).toMatchObject({ baseUrl: 'http://open:1/v1' });
		expect(providers['compatible-open']).not.toHaveProperty('apiKey');
	});

	it('has the servers it knows by their own keys, with the address and the headers they need', () => {
		const providers = providersFromEnvironment({ GROQ_API_KEY: 'g', COPILOT_TOKEN: 'c', AZURE_OPENAI_API_KEY: 'a' });
		expect(providers).toEqual({
			'compatible-groq': { api: 'openai-chat', baseUrl: 'https://api.groq.com/openai/v1', apiKey: 'g' },
			'compatible-copilot': {
				api: 'openai-chat',
				baseUrl: 'https://api.githubcopilot.com',
				apiKey: 'c',
				headers: expect.objectContaining({ 'copilot-integration-id': expect.any(String) })
			}
		});
	});

	it.each(['MY_COMPATIBLE_BOX_BASE_URL', 'COMPATIBLE_BOX_BASE_URL_OLD', 'COMPATIBLE__BASE', 'COMPATIBLE_box_BASE_URL'])(
		'takes %s for something else',
		(variable) => expect(providersFromEnvironment({ [variable]: 'http://box:1' })).toEqual({})
	);

	it('makes a client of them, with the options of the caller', async () => {
		const sent: string[] = [];
		const client = createClientFromEnvironment(
			{ OPENAI_API_KEY: 'secret', OPENAI_BASE_URL: 'http://nowhere.example/v1' },
			{
				retry: { retries: 0 },
				fetch: (input) => {
					sent.push(input instanceof Request ? input.url : String(input));
					return Promise.resolve(new Response('{"error":{"message":"No."}}', { status: 401 }));
				}
			}
		);
		const request = { model: 'gpt-5.5', provider: 'openai', messages: [user('hi')] };
		await expect(client.complete(request)).rejects.toMatchObject({ code: 'authentication', provider: 'openai' });
		expect(sent).toEqual(['http://nowhere.example/v1/responses']);
		await expect(createClientFromEnvironment({}).complete(request)).rejects.toMatchObject({ code: 'configuration' });
	});
});
