import type { Configuration } from './configuration/load.ts';
import type { Provider } from './llm/providers.ts';
import { connectOrigins } from './page/connect-origins.ts';
import type { Remaining } from './spending/budgets.ts';
import { MAX_SHARE_BYTES } from './shares/routes.ts';

/** The answer of `/api/config`: what this server can do; never a key. */
export interface ServerConfig {
	version: string;
	providers: {
		id: string;
		available: boolean;
		keyVariable: string;
		models: readonly string[];
		/** What the caller may still spend with this key until midnight UTC; `null` where nothing is counted. */
		budget: Remaining | null;
	}[];
	limits: { requestBytes: number; shareBytes: number };
	npmRegistry: string;
	archiveHosts: string[];
	/** Hosts that the outbound guard lets through besides public ones. */
	allowHosts: readonly string[];
	/** Origins that the page may reach by itself, beside its own. */
	connectHosts: readonly string[];
	/** Origins of previews in the order to try, `*` for a name of the session's own. Empty where there is none. */
	previewOrigins: readonly string[];
	webcontainer: boolean;
}

/** @param budgetOf what is left for this caller with a provider's key; `null` where nothing is counted */
export async function serverConfig(
	version: string,
	configuration: Configuration,
	providers: readonly Provider[],
	budgetOf: (provider: Provider) => Promise<Remaining | null>,
	rest: { requestBytes: number; npmRegistry: string; archiveHosts: string[]; previewOrigins: readonly string[] }
): Promise<ServerConfig> {
	return {
		version,
		providers: await Promise.all(
			providers.map(async (provider) => ({
				id: provider.id,
				available: !provider.keyNeeded || provider.key !== undefined,
				keyVariable: provider.keyVariable,
				models: provider.models,
				budget: await budgetOf(provider)
			}))
		),
		limits: { requestBytes: rest.requestBytes, shareBytes: MAX_SHARE_BYTES },
		npmRegistry: rest.npmRegistry,
		archiveHosts: rest.archiveHosts,
		allowHosts: configuration.SANDGLASS_ALLOW_HOSTS,
		connectHosts: connectOrigins(configuration),
		previewOrigins: rest.previewOrigins,
		webcontainer: configuration.SANDGLASS_WEBCONTAINER
	};
}
