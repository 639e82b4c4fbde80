import type { HttpOptions } from '@google/genai';
import { UnknownProviderError } from '../errors.ts';
import type { Adapter } from '../types.ts';
import { type AdapterConfig, placeholderKey } from './adapter.ts';
import { geminiParameters } from './gemini/request.ts';
import { GeminiReader } from './gemini/stream.ts';
import { eventWire } from './event-wire.ts';
import { lazily } from './lazily.ts';
import { loadSdk } from './load-sdk.ts';
import { runWire } from './run.ts';

/** Placeholder for contents that are replaced by `extraBody`. */
const IN_EXTRA_BODY = 'in the extra body';

/** Gemini's generateContent, using Google's SDK. */
export function createGeminiAdapter(config: AdapterConfig): Adapter {
	const connect = lazily(async () => {
		const sdk = await loadSdk(config.name, '@google/genai', () => import('@google/genai'));
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
				const { contents } = parameters;
				const fetch = wire?.fetch ?? config.fetch ?? globalThis.fetch;
				let answer: Response | undefined;
				// The client is created once and uses the `fetch` of each request from this variable. The SDK does not
				// expose its response.
				const httpOptions: HttpOptions = { fetch: async (input, init) => (answer = await fetch(input, init)) };
				if (Array.isArray(contents) && contents.length > 0) {
					// Sent as `extraBody`: from regular contents the SDK copies the whole history, field by field.
					httpOptions.extraBody = { contents };
					parameters.contents = IN_EXTRA_BODY;
				}
				parameters.config = { ...parameters.config, httpOptions };
				// If its stream is not read, the SDK leaves the response's body untouched.
				await models.generateContentStream(parameters);
				if (!answer) throw new UnknownProviderError({ provider: config.name });
				const reader = new GeminiReader(config, request, state);
				return eventWire(config.name, answer, ({ data }) => reader.read(data));
			})
	};
}
