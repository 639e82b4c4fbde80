import { visibleName } from '../visible-text.ts';

/** Providers that a user can reach with their own key, and the URLs of their APIs. */
export const DIRECT_PROVIDERS = [
	{ id: 'anthropic', name: 'Anthropic', baseUrl: 'https://api.anthropic.com' },
	{ id: 'openai', name: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
	{ id: 'gemini', name: 'Google Gemini', baseUrl: 'https://generativelanguage.googleapis.com' }
] as const;
export type DirectProvider = (typeof DIRECT_PROVIDERS)[number]['id'];

/**
 * Display name of a provider: an id of {@link DIRECT_PROVIDERS}, or the name that the server's operator gave to a
 * compatible one.
 */
export function providerName(id: string): string {
	return DIRECT_PROVIDERS.find((one) => one.id === id)?.name ?? visibleName(id.replace(/^compatible-/, ''));
}
