import type { Adapter } from '../types.ts';
import { type AdapterConfig, placeholderKey } from './adapter.ts';
import { anthropicBody, anthropicBetas } from './anthropic/request.ts';
import { readAnthropicEvent } from './anthropic/stream.ts';
import { lazily } from './lazily.ts';
import { openWire, runWire } from './run.ts';

/** What a request brings its client, through the SDK's `fetchOptions`: the `fetch` that is watched for it. (TypeScript wants one name of theirs.) */
interface WireInit extends Pick<RequestInit, 'mode'> {
	wireFetch?: typeof globalThis.fetch;
}

/** Anthropic's Messages API, behind its SDK. */
export function createAnthropicAdapter(config: AdapterConfig): Adapter {
	const client = lazily(() => connect(config));
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async (state) => {
				const { messages } = await client();
				const betas = anthropicBetas(request);
				const fetchOptions: WireInit = wire === undefined ? {} : { wireFetch: wire.fetch };
				const chunks = await messages.create(anthropicBody(config, request), {
					fetchOptions,
					...(request.signal === undefined ? {} : { signal: request.signal }),
					...(betas.length === 0 ? {} : { headers: { 'anthropic-beta': betas.join(',') } })
				});
				return openWire(chunks, (event) => readAnthropicEvent(config, request, state, event));
			})
	};
}

/** One client for all requests: making one costs as much as a small request. */
async function connect(config: AdapterConfig) {
	const { Anthropic } = await import('@anthropic-ai/sdk');
	return new Anthropic({
		apiKey: config.apiKey ?? placeholderKey,
		authToken: null,
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
}
