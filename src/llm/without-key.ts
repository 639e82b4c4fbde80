import type { ProviderError } from './errors.ts';

/**
 * Minimum length of a key: a shorter word is a local server's placeholder rather than a secret, and may occur in any
 * sentence.
 */
const LEAST_KEY_CHARACTERS = 12;
const MARKER = '[key left out]';

/**
 * Removes the provider's key from the texts of an error: some providers and proxies quote the key in their response,
 * and these texts become events, which are logged and shared.
 *
 * @returns the same error
 */
export function withoutKey(error: ProviderError, key: string | undefined): ProviderError {
	if (key === undefined || key.length < LEAST_KEY_CHARACTERS) return error;
	const forms = [key, encodeURIComponent(key)];
	const remove = (text: string): string => forms.reduce((left, form) => left.replaceAll(form, MARKER), text);
	return Object.assign(error, {
		message: remove(error.message),
		...(error.stack === undefined ? {} : { stack: remove(error.stack) }),
		...(error.body === undefined ? {} : { body: remove(error.body) })
	});
}
