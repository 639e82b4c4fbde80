import type { Adapter } from '../types.ts';
import { type AdapterConfig, placeholderKey } from './adapter.ts';
import { anthropicBody, anthropicBetas } from './anthropic/request.ts';
import { readAnthropicEvent } from './anthropic/stream.ts';
import { runWire } from './run.ts';

/** Anthropic's Messages API, behind its SDK. */
export function createAnthropicAdapter(config: AdapterConfig): Adapter {
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async function* (state) {
				const { Anthropic } = await import('@anthropic-ai/sdk');
				const fetch = wire?.fetch ?? config.fetch;
				const client = new Anthropic({
					apiKey: config.apiKey ?? placeholderKey,
					authToken: null,
					maxRetries: 0,
					// The client keeps the deadlines.
					timeout: 2 ** 31 - 1,
					logLevel: 'off',
					dangerouslyAllowBrowser: true,
					...(config.baseUrl === undefined ? {} : { baseURL: config.baseUrl }),
					...(config.headers === undefined ? {} : { defaultHeaders: config.headers }),
					...(fetch === undefined ? {} : { fetch })
				});
				const betas = anthropicBetas(request);
				const stream = await client.messages.create(anthropicBody(config, request), {
					...(request.signal === undefined ? {} : { signal: request.signal }),
					...(betas.length === 0 ? {} : { headers: { 'anthropic-beta': betas.join(',') } })
				});
				for await (const event of stream) {
					readAnthropicEvent(config, request, state, event);
					yield;
				}
			})
	};
}
