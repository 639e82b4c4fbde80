import type { Api, ProviderConfig } from './adapters/registry.ts';

/** Wire format of a configured name; `compatible-<name>` servers speak Chat Completions. */
function apiOf(name: string): Api {
	if (name === 'anthropic') return 'anthropic-messages';
	if (name === 'openai') return 'openai-responses';
	if (name === 'gemini' || name === 'demo') return name;
	return 'openai-chat';
}

/**
 * Configures providers that a page reaches through its own server, which holds the keys. The demo needs no server and
 * is always included.
 * @param origin of the page, e.g. `location.origin`; the SDKs need absolute addresses
 * @param names providers that the server offers: `anthropic`, `openai`, `gemini`, `compatible-<name>`
 */
export function proxyProviders(origin: string, names: string[]): Record<string, ProviderConfig> {
	const providers: Record<string, ProviderConfig> = {};
	for (const name of names) {
		if (name !== 'demo') providers[name] = { api: apiOf(name), baseUrl: `${origin}/api/llm/${name}` };
	}
	providers['demo'] = { api: 'demo' };
	return providers;
}

/** Configures a provider reached directly with the user's own key. `baseUrl` defaults to its public address. */
export function directProvider(name: string, apiKey: string | undefined, baseUrl?: string): ProviderConfig {
	return {
		api: apiOf(name),
		...(apiKey ? { apiKey } : {}),
		...(baseUrl ? { baseUrl } : {})
	};
}
