import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { quirksOf } from '../compatible/servers.ts';
import type { Adapter } from '../types.ts';
import { type AdapterConfig, tag } from './adapter.ts';
import { openaiClient } from './openai-client.ts';
import { openaiWire } from './openai-wire.ts';
import { chatBody } from './openai-chat/request.ts';
import { ChatReader } from './openai-chat/stream.ts';
import { runWire } from './run.ts';
import { sdkOptions } from './sdk-client.ts';

/** Chat Completions, which Ollama, LM Studio, vLLM, OpenRouter and many others implement, using OpenAI's SDK. */
export function createOpenAIChatAdapter(config: AdapterConfig): Adapter {
	const connect = openaiClient(config);
	const quirks = config.quirks ?? quirksOf(config.name, config.baseUrl);
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async (state) => {
				const { chat } = await connect();
				const options = sdkOptions(request.signal, wire);
				const answer = chat.completions.create(chatBody(config, request), options);
				const providerData = quirks.thinking === 'drop' ? undefined : tag(config, request, 'reasoning');
				const reader = new ChatReader(state, providerData);
				return openaiWire<ChatCompletionChunk>(config.name, await answer.asResponse(), (chunk) => reader.read(chunk));
			})
	};
}
