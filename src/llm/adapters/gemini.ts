import type { Adapter } from '../types.ts';
import { type AdapterConfig, placeholderKey } from './adapter.ts';
import { geminiParameters } from './gemini/request.ts';
import { GeminiReader } from './gemini/stream.ts';
import { lazily } from './lazily.ts';
import { openWire, runWire } from './run.ts';

/** Gemini's generateContent, behind Google's SDK. */
export function createGeminiAdapter(config: AdapterConfig): Adapter {
	const connect = lazily(async () => {
		const sdk = await import('@google/genai');
		const client = new sdk.GoogleGenAI({
			apiKey: config.apiKey ?? placeholderKey,
			httpOptions: {
				...(config.baseUrl === undefined ? {} : { baseUrl: config.baseUrl }),
				...(config.headers === undefined ? {} : { headers: config.headers })
			}
		});
		return { sdk, models: client.models };
	});
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async (state) => {
				const { sdk, models } = await connect();
				const parameters = geminiParameters(sdk, config, request);
				const fetch = wire?.fetch ?? config.fetch;
				// Made once, the client is given the `fetch` of each request with it.
				if (fetch) parameters.config = { ...parameters.config, httpOptions: { fetch } };
				const chunks = await models.generateContentStream(parameters);
				const reader = new GeminiReader(config, request, state);
				return openWire(chunks, (chunk) => reader.read(chunk));
			})
	};
}
