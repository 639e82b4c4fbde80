import { z } from 'zod';
import { compatibleId, compatibleProvider, type Provider } from './providers.ts';

/** Default address of a model server on this machine. */
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

/** Model servers on this machine, as last seen. */
export interface LocalModels {
	/** Asks each server for its models. @returns those that answer now */
	poll(): Promise<Provider[]>;
	/**
	 * Finds a provider that has answered before, or answers now. Once seen, a provider stays listed: a failing call
	 * reports better than a refreshed list that it no longer runs.
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

/** Asks each local server for its models; servers that do not respond, or respond with something else, are omitted. */
async function findLocalServers(servers: readonly LocalServer[]): Promise<Provider[]> {
	const found = await Promise.all(
		servers.map(async ({ name, baseUrl }) => {
			try {
				const answer = await fetch(`${baseUrl}/models`, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'error' });
				const list = modelList.parse(await answer.json());
				const models = (list.data ?? []).map(({ id }) => id);
				return models.length > 0 ? compatibleProvider(name, baseUrl, models) : undefined;
			} catch {
				return undefined; // not running here: the usual case, nothing to report
			}
		})
	);
	return found.filter((provider) => provider !== undefined);
}
