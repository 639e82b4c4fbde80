import type { Configuration } from '../configuration/load.ts';

/** Where the page sends a key of the user's own: the providers' public API addresses. */
const OWN_KEY_ORIGINS: readonly string[] = [
	'https://api.anthropic.com',
	'https://api.openai.com',
	'https://generativelanguage.googleapis.com'
];

/** Origins that the page may reach by itself, beside its own. */
export function connectOrigins(configuration: Configuration): string[] {
	const { SANDGLASS_OWN_KEYS, SANDGLASS_CONNECT_HOSTS } = configuration;
	return [...new Set([...(SANDGLASS_OWN_KEYS ? OWN_KEY_ORIGINS : []), ...SANDGLASS_CONNECT_HOSTS])];
}
