import type { Configuration } from './configuration/load.ts';
import type { Provider } from './llm/providers.ts';
import { connectOrigins } from './page/connect-origins.ts';
import type { Remaining } from './spending/budgets.ts';
import { MAX_SHARE_BYTES } from './shares/routes.ts';

/** Response of `/api/config`: what this server can do. Never contains a key. */
export interface ServerConfig {
	version: string;
	providers: {
		id: string;
		available: boolean;
		keyVariable: string;
		models: readonly string[];
		/** Amount that the caller can still spend with this key until midnight UTC; `null` if nothing is counted. */
		budget: Remaining | null;
	}[];
	limits: { requestBytes: number; shareBytes: number };
	npmRegistry: string;
	archiveHosts: string[];
	/** Hosts that the outbound guard allows besides public ones. */
	allowHosts: readonly string[];
	/** Origins that the page may connect to directly, besides its own. */
	connectHosts: readonly string[];
	/** Origins for previews, in the order to try; `*` stands for a per-session name. Empty if there is none. */
	previewOrigins: readonly string[];
	webcontainer: boolean;
	/** Origin of the GitHub that this server signs users in to; `null` if it offers no sign-in. */
	gitHubSignIn: string | null;
	/** Address of this server's source code; `null` if its operator configured none. */
	sourceUrl: string | null;
	/** Set if `/api/machines` offers machines. */
	machines: boolean;
}

/**
 * Builds the response of `/api/config`.
 * @param budgetOf remaining budget of this caller for a provider's key; `null` if nothing is counted
 */
export async function serverConfig(
	version: string,
	configuration: Configuration,
	providers: readonly Provider[],
	budgetOf: (provider: Provider) => Promise<Remaining | null>,
	rest: {
		requestBytes: number;
		npmRegistry: string;
		archiveHosts: string[];
		previewOrigins: readonly string[];
		machines: boolean;
	}
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
		webcontainer: configuration.SANDGLASS_WEBCONTAINER,
		gitHubSignIn: configuration.SANDGLASS_GITHUB_CLIENT_ID ? new URL(configuration.SANDGLASS_GITHUB_URL).origin : null,
		sourceUrl: configuration.SANDGLASS_SOURCE_URL ?? null,
		machines: rest.machines
	};
}
