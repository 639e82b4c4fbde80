import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '#server/configuration/load.ts';
import { compatibleProvider, providersOf } from '#server/llm/providers.ts';

const providers = providersOf(
	loadConfiguration({
		ANTHROPIC_API_KEY: 'key-a',
		OPENAI_API_KEY: 'key-o',
		GEMINI_API_KEY: 'key-g',
		COMPATIBLE_MY_BOX_BASE_URL: 'http://box:8000/v1',
		COMPATIBLE_MY_BOX_API_KEY: 'key-c',
		COMPATIBLE_MY_BOX_MODELS: 'small'
	})
);

describe('a provider', () => {
	it.each([
		['anthropic', 'https://api.anthropic.com', 'ANTHROPIC_API_KEY', true, 'anthropic', { 'x-api-key': 'key-a' }],
		['openai', 'https://api.openai.com/v1', 'OPENAI_API_KEY', true, 'openai', { authorization: 'Bearer key-o' }],
		[
			'gemini',
			'https://generativelanguage.googleapis.com',
			'GEMINI_API_KEY',
			true,
			'gemini',
			{ 'x-goog-api-key': 'key-g' }
		],
		[
			'compatible-my-box',
			'http://box:8000/v1',
			'COMPATIBLE_MY_BOX_API_KEY',
			false,
			'openai',
			{ authorization: 'Bearer key-c' }
		]
	])('%s has its address, key, errors and models', (id, baseUrl, keyVariable, keyNeeded, errorShape, headers) => {
		const provider = providers.get(id);
		expect(provider).toMatchObject({ id, baseUrl, keyVariable, keyNeeded, errorShape });
		expect(provider?.authenticate(provider.key ?? '')).toEqual(headers);
		expect(provider?.models).toEqual(id === 'compatible-my-box' ? ['small'] : []);
	});

	it('without a key needs none where it is a server of one’s own', () => {
		expect(compatibleProvider('lm-studio', 'http://a', [])).toMatchObject({
			id: 'compatible-lm-studio',
			key: undefined,
			keyNeeded: false,
			keyVariable: 'COMPATIBLE_LM_STUDIO_API_KEY'
		});
	});

	const OPENAI = [
		'POST /responses',
		'POST /responses/input_tokens',
		'POST /chat/completions',
		'GET /models',
		'GET /models/gpt-5.5',
		'GET /models/meta/llama-3:8b@q4_0'
	];
	it.each<[id: string, calls: string[]]>([
		[
			'anthropic',
			['POST /v1/messages', 'POST /v1/messages/count_tokens', 'GET /v1/models', 'GET /v1/models/claude-opus-5']
		],
		['openai', OPENAI],
		['compatible-my-box', OPENAI],
		[
			'gemini',
			[
				...['', 'beta', 'alpha'].flatMap((version) =>
					['generateContent', 'streamGenerateContent', 'countTokens'].map(
						(call) => `POST /v1${version}/models/gemini-2.5_pro:${call}`
					)
				),
				'GET /v1beta/models',
				'GET /v1/models',
				'GET /v1alpha/models/gemini-2.5-pro'
			]
		]
	])('%s takes model calls, and none with more around its address', (id, calls) => {
		const methodOf = (path: string) =>
			providers
				.get(id)
				?.calls.filter((call) => call.path.test(path))
				.map(({ method }) => method);
		for (const call of calls) {
			const [method, path = ''] = call.split(' ');
			expect(methodOf(path), call).toEqual([method]);
			for (const other of [`/x${path}`, `${path}/x/y/z`, `${path}%2f`, `${path}/..`])
				expect(methodOf(other), other).toEqual([]);
		}
	});

	it.each([
		['anthropic', '/v1/messages/batches'],
		['anthropic', '/v1/models/.hidden'],
		['openai', '/models/a/b/c'],
		['openai', '/models/-a'],
		['openai', '/responses/r_1'],
		['gemini', '/v1gamma/models'],
		['gemini', '/v1/models/a:b:generateContent'],
		['gemini', '/v1/models/:generateContent'],
		['gemini', '/v1/models/a:batchGenerateContent'],
		['gemini', '/v1/models/a:b']
	])('%s has no call at %s', (id, path) => {
		expect(providers.get(id)?.calls.some((call) => call.path.test(path))).toBe(false);
	});
});
