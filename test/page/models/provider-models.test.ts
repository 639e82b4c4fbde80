import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { providerModels } from '#page/models/provider-models.ts';
import { ownKeys } from '#page/settings/own-keys.ts';
import { emptyStorage } from './empty-storage.ts';

const sent: { url: string; init: RequestInit }[] = [];
let answer: () => Promise<Response>;

beforeEach(() => {
	sent.length = 0;
	vi.stubGlobal('localStorage', emptyStorage());
	vi.stubGlobal('sessionStorage', emptyStorage());
	vi.stubGlobal('location', { origin: 'https://sandglass.example' });
	vi.stubGlobal('fetch', (url: string, init: RequestInit) => (sent.push({ url, init }), answer()));
});
afterEach(() => vi.unstubAllGlobals());

const answers = (body: unknown, status = 200): void => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	answer = () => Promise.resolve(new Response(text, { status }));
};
const listed = (provider: string): Promise<string[]> => providerModels(provider, new AbortController().signal);

describe('the models of a provider', () => {
	it('are asked for with the user’s own key, at the provider', async () => {
		ownKeys.set('anthropic', { key: 'sk-a' }, false);
		ownKeys.set('openai', { key: 'sk-o', baseUrl: 'https://else.example/v1/' }, false);
		ownKeys.set('gemini', { key: 'g' }, false);
		answers({ data: [{ id: 'claude-z' }, { id: 'claude-a' }] });
		expect(await listed('anthropic')).toEqual(['claude-a', 'claude-z']);
		answers({ data: [{ id: 'gpt-7' }, { id: 'text-embedding-3' }, { id: 'gpt-image-2' }] });
		expect(await listed('openai')).toEqual(['gpt-7']);
		answers({
			models: [
				{ name: 'models/gemini-5', supportedGenerationMethods: ['generateContent'] },
				{ name: 'models/embed', supportedGenerationMethods: ['embedContent'] },
				{ name: 'models/any' }
			]
		});
		expect(await listed('gemini')).toEqual(['any', 'gemini-5']);
		expect(sent.map(({ url, init }) => [url, init.headers, init.credentials])).toEqual([
			[
				'https://api.anthropic.com/v1/models?limit=1000',
				{
					'anthropic-version': '2023-06-01',
					'x-api-key': 'sk-a',
					'anthropic-dangerous-direct-browser-access': 'true'
				},
				'omit'
			],
			['https://else.example/v1/models', { authorization: 'Bearer sk-o' }, 'omit'],
			['https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000', { 'x-goog-api-key': 'g' }, 'omit']
		]);
	});

	it('are asked for through the server that has a key, without one', async () => {
		answers({ data: [{ id: 'local-large' }, { id: 'tts-local' }] });
		expect(await listed('compatible-home')).toEqual(['local-large', 'tts-local']);
		expect(sent).toMatchObject([
			{
				url: 'https://sandglass.example/api/llm/compatible-home/models',
				init: { headers: {}, credentials: 'same-origin', redirect: 'error' }
			}
		]);
	});

	it.each([
		['an error', { error: 'no' }, 401, 'answered with 401'],
		['no JSON', '<html>', 200, 'JSON'],
		['another shape', { data: [{ name: 'x' }] }, 200, 'id'],
		['an endless text', JSON.stringify({ data: [], more: 'x'.repeat(4_000_001) }), 200, 'too long']
	])('are none where the answer is %s', async (_, body, status, says) => {
		answers(body, status);
		await expect(listed('openai')).rejects.toThrow(says);
	});

	it('are none where the dialog is closed first', async () => {
		const abort = new AbortController();
		answer = () =>
			new Promise((_, reject) => {
				const { signal } = sent[0]?.init ?? {};
				signal?.addEventListener('abort', () => reject(signal.reason as Error));
			});
		const asked = providerModels('openai', abort.signal);
		abort.abort(new Error('closed'));
		await expect(asked).rejects.toThrow('closed');
	});
});
