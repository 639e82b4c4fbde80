import type { Adapter } from '../types.ts';
import type { AdapterConfig } from './adapter.ts';
import { anthropicBody, anthropicBetas } from './anthropic/request.ts';
import { AnthropicReader } from './anthropic/stream.ts';
import { eventWire } from './event-wire.ts';
import { lazily } from './lazily.ts';
import { loadSdk } from './load-sdk.ts';
import { runWire } from './run.ts';
import { sdkOptions, sdkSettings } from './sdk-client.ts';

/** Anthropic's Messages API, using its SDK. */
export function createAnthropicAdapter(config: AdapterConfig): Adapter {
	const client = lazily(async () => {
		const { Anthropic } = await loadSdk(config.name, '@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'));
		// A span created by the SDK would end with the headers: it does not see the response.
		return new Anthropic({ ...sdkSettings(config), authToken: null, openTelemetry: false });
	});
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async (state) => {
				const { messages } = await client();
				const betas = anthropicBetas(request);
				const answer = messages.create(anthropicBody(config, request), {
					...sdkOptions(request.signal, wire),
					...(betas.length === 0 ? {} : { headers: { 'anthropic-beta': betas.join(',') } })
				});
				const reader = new AnthropicReader(config, request, state);
				return eventWire(config.name, await answer.asResponse(), (event) => reader.read(event));
			})
	};
}
