import { z } from 'zod';
import { compatibleId, compatibleProvider, type Provider } from './providers.ts';

/** Where a model server on this machine listens by default. */
export interface LocalServer {
	name: string;
	/** In the SDK's form, ending in `/v1`. */
	baseUrl: string;
}

export const LOCAL_SERVERS: readonly LocalServer[] = [
	{ name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
	{ name: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1' }
];

const modelList = z.object({ data: z.array(z.object({ id: z.string() })).nullable() });
const PROBE_MS = 500;

/** The model servers on this machine, as they were last seen. */
export interface LocalModels {
	/** Asks each server for its models. @returns those that answer now */
	poll(): Promise<Provider[]>;
	/**
	 * A provider that has answered before, or answers now. One that was seen once stays: whether it still runs, the call
	 * to it says better than a list that is being renewed.
	 */
	find(id: string): Promise<Provider | undefined>;
}

export function createLocalModels(servers: readonly LocalServer[]): LocalModels {
	const seen = new Map<string, Provider>();
	const poll = async (): Promise<Provider[]> => {
		const found = await findLocalServers(servers);
		for (const provider of found) seen.set(provider.id, provider);
		return found;
	};
	return {
		poll,
		async find(id) {
			const known = seen.get(id);
			if (known || !servers.some(({ name }) => compatibleId(name) === id)) return known;
			return (await poll()).find((provider) => provider.id === id);
		}
	};
}

/** Asks each local server for its models; those that do not answer, or answer something else, are left out. */
async function findLocalServers(servers: readonly LocalServer[]): Promise<Provider[]> {
	const found = await Promise.all(
		servers.map(async ({ name, baseUrl }) => {
			try {
				const answer = await fetch(`${baseUrl}/models`, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'error' });
				const list = modelList.parse(await answer.json());
				const models = (list.data ?? []).map(({ id }) => id);
				return models.length > 0 ? compatibleProvider(name, baseUrl, models) : undefined;
			} catch {
				return undefined; // not running here: the ordinary case, nothing to tell
			}
		})
	);
	return found.filter((provider) => provider !== undefined);
}
