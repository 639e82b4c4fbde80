import type { ProviderConfig } from '#llm/adapters/registry.ts';
import { type ClientOptions, createClient } from '#llm/client.ts';
import type { Message, Request, StreamEvent, ToolDefinition } from '#llm/types.ts';

/** Every wire with a model that thinks, for a client of a model server. */
export const wires: { name: string; provider: string; model: string; config: (url: string) => ProviderConfig }[] = [
	{
		name: 'anthropic',
		provider: 'anthropic',
		model: 'claude-opus-4-6',
		config: (url) => ({ api: 'anthropic-messages', baseUrl: url, apiKey: 'key' })
	},
	{
		name: 'openai-responses',
		provider: 'openai',
		model: 'gpt-5.5',
		config: (url) => ({ api: 'openai-responses', baseUrl: `${url}/v1`, apiKey: 'key' })
	},
	{
		name: 'openai-chat',
		provider: 'compatible-test',
		model: 'local-model',
		config: (url) => ({ api: 'openai-chat', baseUrl: `${url}/v1`, apiKey: 'key' })
	},
	{
		name: 'gemini',
		provider: 'gemini',
		model: 'gemini-3-pro-preview',
		config: (url) => ({ api: 'gemini', baseUrl: url, apiKey: 'key' })
	}
];
export type Wire = (typeof wires)[number];

export function clientFor(wire: Wire, url: string, options: Partial<ClientOptions> = {}) {
	return createClient({ providers: { [wire.provider]: wire.config(url) }, retry: { retries: 0 }, ...options });
}

export function ask(wire: Wire, text: string, more: Partial<Request> = {}): Request {
	return { model: wire.model, provider: wire.provider, messages: [user(text)], ...more };
}

export function user(text: string): Message {
	return { role: 'user', content: [{ type: 'text', text }] };
}

export async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
	const all: StreamEvent[] = [];
	for await (const event of events) all.push(event);
	return all;
}

/** The event of that type; fails unless there is exactly one. */
export function only<Type extends StreamEvent['type']>(events: StreamEvent[], type: Type) {
	const found = events.filter((event): event is Extract<StreamEvent, { type: Type }> => event.type === type);
	const [first] = found;
	if (!first || found.length > 1) {
		throw new Error(`${found.length} events of type ${type} in ${JSON.stringify(events.map((event) => event.type))}`);
	}
	return first;
}

export const readTool: ToolDefinition = {
	name: 'Read',
	description: 'Reads a file.',
	parameters: {
		type: 'object',
		properties: { file_path: { type: 'string' }, limit: { type: 'number' } },
		required: ['file_path']
	}
};
