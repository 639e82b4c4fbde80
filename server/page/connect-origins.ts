import type { Configuration } from '../configuration/load.ts';

/** Providers' public API addresses, which the page calls directly with the user's own key. */
const OWN_KEY_ORIGINS: readonly string[] = [
	'https://api.anthropic.com',
	'https://api.openai.com',
	'https://generativelanguage.googleapis.com'
];

/** Origins that the page may connect to directly, besides its own. */
export function connectOrigins(configuration: Configuration): string[] {
	const { SANDGLASS_OWN_KEYS, SANDGLASS_CONNECT_HOSTS } = configuration;
	return [...new Set([...(SANDGLASS_OWN_KEYS ? OWN_KEY_ORIGINS : []), ...SANDGLASS_CONNECT_HOSTS])];
}
