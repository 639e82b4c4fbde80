import type { Adapter } from '../types.ts';
import type { AdapterConfig } from './adapter.ts';
import { openaiClient } from './openai-client.ts';
import { responsesBody } from './openai-responses/request.ts';
import { ResponsesReader } from './openai-responses/stream.ts';
import { openWire, runWire } from './run.ts';
import { sdkOptions } from './sdk-client.ts';

/** OpenAI's Responses API, behind its SDK. Nothing is stored at the provider. */
export function createOpenAIResponsesAdapter(config: AdapterConfig): Adapter {
	const connect = openaiClient(config);
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async (state) => {
				const { responses } = await connect();
				const options = sdkOptions(request.signal, wire);
				const chunks = await responses.create(responsesBody(config, request), options);
				const reader = new ResponsesReader(config, request, state);
				return openWire(chunks, (event) => reader.read(event));
			})
	};
}
