import type { Adapter } from '../types.ts';
import { type AdapterConfig, placeholderKey } from './adapter.ts';
import { geminiParameters } from './gemini/request.ts';
import { GeminiReader } from './gemini/stream.ts';
import { runWire } from './run.ts';

/** Gemini's generateContent, behind Google's SDK. */
export function createGeminiAdapter(config: AdapterConfig): Adapter {
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async function* (state) {
				const sdk = await import('@google/genai');
				const fetch = wire?.fetch ?? config.fetch;
				const client = new sdk.GoogleGenAI({
					apiKey: config.apiKey ?? placeholderKey,
					httpOptions: {
						...(config.baseUrl === undefined ? {} : { baseUrl: config.baseUrl }),
						...(config.headers === undefined ? {} : { headers: config.headers }),
						...(fetch === undefined ? {} : { fetch })
					}
				});
				const stream = await client.models.generateContentStream(geminiParameters(sdk, config, request));
				const reader = new GeminiReader(config, request, state);
				for await (const chunk of stream) {
					reader.read(chunk);
					yield;
				}
			})
	};
}
