import { type AdapterConfig, placeholderKey } from './adapter.ts';

/**
 * Carries a request's watched `fetch` to its client, through the SDK's `fetchOptions`. (TypeScript requires one
 * of their property names.)
 */
interface WireInit extends Pick<RequestInit, 'mode'> {
	wireFetch?: typeof globalThis.fetch;
}

/**
 * Settings of OpenAI's and Anthropic's SDKs, which have the same structure: one client for all requests, since
 * creating one costs as much as a small request.
 */
export function sdkSettings(config: AdapterConfig) {
	return {
		apiKey: config.apiKey ?? placeholderKey,
		maxRetries: 0,
		// Deadlines are enforced by our client.
		timeout: 2 ** 31 - 1,
		logLevel: 'off' as const,
		dangerouslyAllowBrowser: true,
		...(config.baseUrl === undefined ? {} : { baseURL: config.baseUrl }),
		...(config.headers === undefined ? {} : { defaultHeaders: config.headers }),
		fetch(input: string | URL | Request, init: RequestInit & WireInit = {}) {
			const { wireFetch = config.fetch ?? globalThis.fetch, ...rest } = init;
			return wireFetch(input, rest);
		}
	};
}

/** Per-request options of such an SDK. */
export function sdkOptions(
	signal: AbortSignal | undefined,
	wire: { fetch: typeof globalThis.fetch } | undefined
): { signal?: AbortSignal; fetchOptions?: WireInit } {
	return {
		...(signal === undefined ? {} : { signal }),
		...(wire === undefined ? {} : { fetchOptions: { wireFetch: wire.fetch } })
	};
}
