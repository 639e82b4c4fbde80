import { serverConfig, serverConfigNow, type Budget, type ServerConfig } from '../server-config.ts';
import { ownKeys } from '../settings/own-keys.ts';

/** Remaining budget of the server for a provider; `null` if there is no budget, or the key is the user's. */
export async function budgetOf(provider: string): Promise<Budget | null> {
	if (provider in ownKeys.all()) return null;
	const budgetIn = (config: ServerConfig | null): Budget | null =>
		config?.providers.find(({ id }) => id === provider)?.budget ?? null;
	// A server without budgets is not asked again.
	return budgetIn(await serverConfig()) && budgetIn(await serverConfigNow());
}
