import type { Client } from '../llm/types.ts';
import { DEMO } from './demo-choice.ts';
import type { ModelChoice } from './parts.ts';
import { serverConfig } from './server-config.ts';

/** What can be used with the server's keys, best first; without any, the demo model alone. */
export async function availableModels(): Promise<ModelChoice[]> {
	const providers = await serverProviders();
	if (providers.length === 0) return [DEMO];
	const { listModels, findModel } = await import('../llm/catalog.ts');
	const choices = providers.flatMap(({ id, models }): ModelChoice[] => {
		if (models.length === 0) {
			return listModels(id).map((model) => ({ model: model.id, provider: id, label: model.name, scripted: false }));
		}
		return models.map((model) => ({ model, provider: id, label: findModel(model)?.name ?? model, scripted: false }));
	});
	return choices.length > 0 ? choices : [DEMO];
}

/** Static hosting has no such address; then there is no key either. */
async function serverProviders(): Promise<{ id: string; models: string[] }[]> {
	return ((await serverConfig())?.providers ?? []).filter(({ available }) => available);
}

/** One client over the same-origin proxy and the demo. */
export async function browserClient(): Promise<Client> {
	const { createClient } = await import('../llm/client.ts');
	const proxy = (id: string): string => `${location.origin}/api/llm/${id}`;
	const compatible = (await serverProviders()).filter(({ id }) => id.startsWith('compatible-'));
	return createClient({
		providers: {
			anthropic: { api: 'anthropic-messages', baseUrl: proxy('anthropic') },
			openai: { api: 'openai-responses', baseUrl: proxy('openai') },
			gemini: { api: 'gemini', baseUrl: proxy('gemini') },
			demo: { api: 'demo' },
			...Object.fromEntries(compatible.map(({ id }) => [id, { api: 'openai-chat' as const, baseUrl: proxy(id) }]))
		}
	});
}
