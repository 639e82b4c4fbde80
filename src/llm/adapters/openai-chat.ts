import type { Adapter } from '../types.ts';
import { quirksOf } from '../compatible/servers.ts';
import { type AdapterConfig, tag } from './adapter.ts';
import { openaiClient } from './openai-client.ts';
import { chatBody } from './openai-chat/request.ts';
import { ChatReader } from './openai-chat/stream.ts';
import { runWire } from './run.ts';

/** Chat Completions, which Ollama, LM Studio, vLLM, OpenRouter and many others speak, behind OpenAI's SDK. */
export function createOpenAIChatAdapter(config: AdapterConfig): Adapter {
	return {
		stream: (request, wire) =>
			runWire(config.name, request, async function* (state) {
				const client = await openaiClient(config, wire);
				const options = request.signal === undefined ? {} : { signal: request.signal };
				const stream = await client.chat.completions.create(chatBody(config, request), options);
				const quirks = config.quirks ?? quirksOf(config.name, config.baseUrl);
				const reader = new ChatReader(
					state,
					quirks.thinking === 'drop' ? undefined : tag(config, request, 'reasoning')
				);
				for await (const chunk of stream) {
					reader.read(chunk);
					yield;
				}
			})
	};
}
