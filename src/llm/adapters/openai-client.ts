import { type AdapterConfig, placeholderKey } from './adapter.ts';

/** OpenAI's SDK, for both of its APIs. `fetch` of the request goes before the adapter's own. */
export async function openaiClient(config: AdapterConfig, wire: { fetch: typeof globalThis.fetch } | undefined) {
	const { OpenAI } = await import('openai');
	const fetch = wire?.fetch ?? config.fetch;
	return new OpenAI({
		apiKey: config.apiKey ?? placeholderKey,
		organization: null,
		project: null,
		maxRetries: 0,
		// The client keeps the deadlines.
		timeout: 2 ** 31 - 1,
		logLevel: 'off',
		dangerouslyAllowBrowser: true,
		...(config.baseUrl === undefined ? {} : { baseURL: config.baseUrl }),
		...(config.headers === undefined ? {} : { defaultHeaders: config.headers }),
		...(fetch === undefined ? {} : { fetch })
	});
}
