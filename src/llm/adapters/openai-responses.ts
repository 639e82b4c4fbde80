import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { Adapter } from '../types.ts';
import type { AdapterConfig } from './adapter.ts';
import { openaiClient } from './openai-client.ts';
import { openaiWire } from './openai-wire.ts';
import { responsesBody } from './openai-responses/request.ts';
import { ResponsesReader } from './openai-responses/stream.ts';
import { runWire } from './run.ts';
import { sdkOptions } from './sdk-client.ts';

/** OpenAI's Responses API, using its SDK. Nothing is stored at the provider. */
export function createOpenAIResponsesAdapter(config: AdapterConfig): Adapter {
	const connect = openaiClient(config);
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async (state) => {
				const { responses } = await connect();
				const options = sdkOptions(request.signal, wire);
				const answer = responses.create(responsesBody(config, request), options);
				const reader = new ResponsesReader(config, request, state);
				return openaiWire<ResponseStreamEvent>(config.name, await answer.asResponse(), (event) => reader.read(event));
			})
	};
}
