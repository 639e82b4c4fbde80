import { z } from 'zod';
import { compatibleProvider, type Provider } from './providers.ts';

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

/** Asks each local server for its models; those that do not answer, or answer something else, are left out. */
export async function findLocalServers(servers: readonly LocalServer[]): Promise<Provider[]> {
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
