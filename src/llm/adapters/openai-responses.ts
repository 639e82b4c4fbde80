import type { Adapter } from '../types.ts';
import type { AdapterConfig } from './adapter.ts';
import { openaiClient } from './openai-client.ts';
import { responsesBody } from './openai-responses/request.ts';
import { ResponsesReader } from './openai-responses/stream.ts';
import { runWire } from './run.ts';

/** OpenAI's Responses API, behind its SDK. Nothing is stored at the provider. */
export function createOpenAIResponsesAdapter(config: AdapterConfig): Adapter {
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async function* (state) {
				const client = await openaiClient(config, wire);
				const options = request.signal === undefined ? {} : { signal: request.signal };
				const stream = await client.responses.create(responsesBody(config, request), options);
				const reader = new ResponsesReader(config, request, state);
				for await (const event of stream) {
					reader.read(event);
					yield;
				}
			})
	};
}
