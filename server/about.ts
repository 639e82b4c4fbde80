import type { Configuration } from './configuration/load.ts';
import type { Provider } from './llm/providers.ts';
import { MAX_SHARE_BYTES } from './shares/routes.ts';

/** The answer of `/api/config`: what this server can do; never a key. */
export interface ServerConfig {
	version: string;
	providers: { id: string; available: boolean; keyVariable: string; models: readonly string[] }[];
	limits: { requestBytes: number; shareBytes: number };
	npmRegistry: string;
	archiveHosts: string[];
	/** Hosts that the outbound guard lets through besides public ones. */
	allowHosts: readonly string[];
	/** Origins that the page may reach by itself, beside its own. */
	connectHosts: readonly string[];
	/** Where previews live that need an origin, `*` for a name of their own. */
	previewOrigin: string | null;
	webcontainer: boolean;
}

export function serverConfig(
	version: string,
	configuration: Configuration,
	providers: readonly Provider[],
	rest: { requestBytes: number; npmRegistry: string; archiveHosts: string[]; previewOrigin: string | null }
): ServerConfig {
	return {
		version,
		providers: providers.map(({ id, key, keyNeeded, keyVariable, models }) => ({
			id,
			available: !keyNeeded || key !== undefined,
			keyVariable,
			models
		})),
		limits: { requestBytes: rest.requestBytes, shareBytes: MAX_SHARE_BYTES },
		npmRegistry: rest.npmRegistry,
		archiveHosts: rest.archiveHosts,
		allowHosts: configuration.SANDGLASS_ALLOW_HOSTS,
		connectHosts: configuration.SANDGLASS_CONNECT_HOSTS,
		previewOrigin: rest.previewOrigin,
		webcontainer: configuration.SANDGLASS_WEBCONTAINER
	};
}
