import * as z from 'zod/mini';
import type { Client } from '../llm/types.ts';
import { DEMO } from './demo-choice.ts';
import type { ModelChoice } from './parts.ts';

/** The part of the server's `/api/config` that tells which models can be used. */
const ServerModels = z.object({
	providers: z.array(z.object({ id: z.string(), available: z.boolean(), models: z.array(z.string()) }))
});

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
	let answer: unknown;
	try {
		const response = await fetch('/api/config');
		if (!response.ok) return [];
		answer = await response.json();
	} catch {
		return [];
	}
	const config = z.safeParse(ServerModels, answer);
	return config.success ? config.data.providers.filter(({ available }) => available) : [];
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
