import type { OpenAI } from 'openai';
import { type AdapterConfig, placeholderKey } from './adapter.ts';
import { lazily } from './lazily.ts';

/** What a request brings its client, through the SDK's `fetchOptions`: the `fetch` that is watched for it. (TypeScript wants one name of theirs.) */
interface WireInit extends Pick<RequestInit, 'mode'> {
	wireFetch?: typeof globalThis.fetch;
}

/** OpenAI's SDK, for both of its APIs, loaded with the first request. One client for all: making one costs as much as a small request. */
export function openaiClient(config: AdapterConfig): () => Promise<OpenAI> {
	return lazily(async () => {
		const { OpenAI } = await import('openai');
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
			fetch(input, init: RequestInit & WireInit = {}) {
				const { wireFetch = config.fetch ?? globalThis.fetch, ...rest } = init;
				return wireFetch(input, rest);
			}
		});
	});
}

/** What each call of the SDK is given beside its body. */
export function openaiOptions(
	signal: AbortSignal | undefined,
	wire: { fetch: typeof globalThis.fetch } | undefined
): { signal?: AbortSignal; fetchOptions?: WireInit } {
	return {
		...(signal === undefined ? {} : { signal }),
		...(wire === undefined ? {} : { fetchOptions: { wireFetch: wire.fetch } })
	};
}
