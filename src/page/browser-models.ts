import { opened } from '#llm/arrived.ts';
import { findModel, listModels } from '#llm/catalog.ts';
import type { Client } from '#llm/types.ts';
import { DEMO } from './demo-choice.ts';
import type { ModelChoice } from './parts.ts';
import { namedModels } from './models/named-models.ts';
import { patience } from './models/patience.ts';
import { ownKeys } from './settings/own-keys.ts';
import { serverConfig } from './server-config.ts';

/** Models available with the server's keys and the user's own, best first; if there are none, only the demo model. */
export async function availableModels(): Promise<ModelChoice[]> {
	const server = await serverProviders();
	const own = Object.keys(ownKeys.all()).filter((id) => !server.some((provider) => provider.id === id));
	const providers = [...server, ...own.map((id) => ({ id, models: [] as string[] }))];
	if (providers.length === 0) return [DEMO];
	const named = namedModels();
	const choices = providers.flatMap(({ id, models }): ModelChoice[] => {
		const listed = models.length > 0 ? models : listModels(id).map((model) => model.id);
		const added = named.filter(({ provider }) => provider === id).map(({ model }) => model);
		return [...new Set([...listed, ...added])].map((model) => ({
			model,
			provider: id,
			label: findModel(model)?.name ?? model,
			scripted: false
		}));
	});
	return choices.length > 0 ? choices : [DEMO];
}

/** Static hosting has no such route, and then no key either. */
async function serverProviders(): Promise<{ id: string; models: string[] }[]> {
	return ((await serverConfig())?.providers ?? []).filter(({ available }) => available);
}

/** Creates one client for the same-origin proxy, the demo, and providers for which the user has a key. */
export function browserClient(): Client {
	let made: Promise<Client> | null = null;
	ownKeys.onChange(() => (made = null));
	patience.onChange(() => (made = null));
	const current = (): Promise<Client> => (made ??= makeClient());
	return {
		stream: (request) => opened(async () => (await current()).stream(request)),
		async complete(request) {
			return (await current()).complete(request);
		}
	};
}

async function makeClient(): Promise<Client> {
	const [{ createClient }, { directProvider, proxyProviders }, { withLargeBody }] = await Promise.all([
		import('#llm/client.ts'),
		import('#llm/providers.ts'),
		import('./models/large-body.ts')
	]);
	const compatible = (await serverProviders()).map(({ id }) => id).filter((id) => id.startsWith('compatible-'));
	const own = Object.entries(ownKeys.all()).map(
		([id, { key, baseUrl }]) => [id, directProvider(id, key, baseUrl)] as const
	);
	return createClient({
		fetch: withLargeBody(globalThis.fetch.bind(globalThis)),
		deadlines: { silenceMs: patience.seconds * 1_000 },
		providers: {
			...proxyProviders(location.origin, ['anthropic', 'openai', 'gemini', ...compatible]),
			...Object.fromEntries(own)
		}
	});
}
