import type { Adapter } from '../types.ts';
import type { AdapterConfig, CreateAdapter } from './adapter.ts';
import { createAnthropicAdapter } from './anthropic.ts';
import { createDemoAdapter } from './demo.ts';
import { createGeminiAdapter } from './gemini.ts';
import { createOpenAIChatAdapter } from './openai-chat.ts';
import { createOpenAIResponsesAdapter } from './openai-responses.ts';

const adapters = {
	'anthropic-messages': createAnthropicAdapter,
	'openai-responses': createOpenAIResponsesAdapter,
	'openai-chat': createOpenAIChatAdapter,
	gemini: createGeminiAdapter,
	demo: createDemoAdapter
} satisfies Record<string, CreateAdapter>;

/** Supported wire formats. */
export type Api = keyof typeof adapters;

/** Configuration of a provider; `api` is its wire format. */
export interface ProviderConfig extends Omit<AdapterConfig, 'name'> {
	api: Api;
}

export function createAdapter(name: string, { api, ...config }: ProviderConfig): Adapter {
	return adapters[api]({ ...config, name });
}
