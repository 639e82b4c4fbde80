import { type AdapterConfig, placeholderKey } from './adapter.ts';

/** What a request brings its client, through the SDK's `fetchOptions`: the `fetch` that is watched for it. (TypeScript wants one name of theirs.) */
interface WireInit extends Pick<RequestInit, 'mode'> {
	wireFetch?: typeof globalThis.fetch;
}

/** How the SDKs of OpenAI and Anthropic, which are built alike, are set up: one client for all requests, since making one costs as much as a small request. */
export function sdkSettings(config: AdapterConfig) {
	return {
		apiKey: config.apiKey ?? placeholderKey,
		maxRetries: 0,
		// The client keeps the deadlines.
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

/** What each call of such an SDK is given beside its body. */
export function sdkOptions(
	signal: AbortSignal | undefined,
	wire: { fetch: typeof globalThis.fetch } | undefined
): { signal?: AbortSignal; fetchOptions?: WireInit } {
	return {
		...(signal === undefined ? {} : { signal }),
		...(wire === undefined ? {} : { fetchOptions: { wireFetch: wire.fetch } })
	};
}
