import { UnknownProviderError } from '../errors.ts';
import type { Adapter } from '../types.ts';
import { type AdapterConfig, placeholderKey } from './adapter.ts';
import { geminiParameters } from './gemini/request.ts';
import { GeminiReader } from './gemini/stream.ts';
import { eventWire } from './event-wire.ts';
import { lazily } from './lazily.ts';
import { runWire } from './run.ts';

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
				const fetch = wire?.fetch ?? config.fetch ?? globalThis.fetch;
				let answer: Response | undefined;
				// Made once, the client is given the `fetch` of each request with it. The SDK hands out no answer of its own.
				const kept: typeof fetch = async (input, init) => (answer = await fetch(input, init));
				parameters.config = { ...parameters.config, httpOptions: { ...parameters.config?.httpOptions, fetch: kept } };
				// Not read from, its stream leaves the answer's body alone.
				await models.generateContentStream(parameters);
				if (!answer) throw new UnknownProviderError({ provider: config.name });
				const reader = new GeminiReader(config, request, state);
				return eventWire(config.name, answer, ({ data }) => reader.read(data));
			})
	};
}
