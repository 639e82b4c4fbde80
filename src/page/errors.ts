import { en } from './strings/en/index.ts';
import { formatWait } from './format.ts';
import { providerName } from './settings/direct-providers.ts';
import { t } from './strings/index.ts';

/** Explanation of an error for the user: what happened and what to do. */
export interface Explanation {
	code: string;
	sentence: string;
	nextStep: string;
	/** Technical cause, shown small. */
	detail?: string;
}

/** Maps names that parts use for the same error. */
const ALIASES: Record<string, string> = {
	accessDenied: 'access_denied',
	contextLength: 'context_length',
	contentFilter: 'content_filter',
	invalidRequest: 'invalid_request',
	rateLimit: 'rate_limit',
	SessionNotFoundError: 'SessionNotFound',
	StorageFullError: 'QuotaExceededError',
	AbortError: 'cancelled',
	aborted: 'cancelled'
};

const SHARE_KEYS: Record<string, string> = { newer_version: 'share_version' };

/** Messages of Chromium, Firefox and Safari when a lazily loaded part of the page is missing. */
const MODULE_MISSING = /dynamically imported module|Importing a module script failed/;

/** Codes that have an explanation. */
export const EXPLAINED_CODES: readonly string[] = Object.keys(en.explained);

/**
 * Returns a sentence and a next step for anything that was thrown or stored as {@link
 * import('#agent/events.ts').ErrorData}. An unknown error keeps its own message; a code alone is never shown.
 */
export function explain(error: unknown): Explanation {
	const { code, message } = identify(error);
	const detail = detailOf(error);
	// The missing feature differs between browsers, so this error has its own message.
	if (code === 'EUNAVAILABLE' && message !== '') return { code, sentence: asSentence(message), nextStep: '', detail };
	const explained: Readonly<Record<string, readonly [sentence: string, nextStep: string]>> = t.explained;
	const key = MODULE_MISSING.test(message) ? 'page_part' : keyOf(code, error);
	const entry = Object.hasOwn(explained, key) ? explained[key] : undefined;
	if (entry)
		return { code, sentence: ofProvider(key, error) ?? entry[0], nextStep: pauseOf(error) ?? entry[1], detail };
	const sentence = message === '' ? t.errors.unknown : asSentence(message);
	return { code, sentence, nextStep: t.errors.unknownStep, detail };
}

/** Code and message of an error, whatever its shape. */
export function identify(error: unknown): { code: string; message: string } {
	if (typeof error === 'string') return { code: 'unknown', message: error };
	if (typeof error !== 'object' || error === null) return { code: 'unknown', message: '' };
	const code = textIn(error, 'code') ?? textIn(error, 'name') ?? 'unknown';
	return { code, message: textIn(error, 'message') ?? '' };
}

/** Text property of an error; `undefined` if there is none. */
function textIn(error: unknown, name: string): string | undefined {
	const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
	return typeof value === 'string' ? value : undefined;
}

/** Sentence that names the provider, if the error does. The demo's model has no provider. */
function ofProvider(key: string, error: unknown): string | undefined {
	const provider = textIn(error, 'provider');
	if (!provider || provider === 'demo') return undefined;
	const sentences: Readonly<Record<string, (provider: string) => string>> = t.providerErrors;
	return Object.hasOwn(sentences, key) ? sentences[key]?.(providerName(provider)) : undefined;
}

/** Advice about a retry delay given by the provider. */
function pauseOf(error: unknown): string | undefined {
	if (typeof error !== 'object' || error === null || !('retryAfterMs' in error)) return undefined;
	const { retryAfterMs } = error;
	return typeof retryAfterMs === 'number' && retryAfterMs > 0 ? t.errors.pause(formatWait(retryAfterMs)) : undefined;
}

/**
 * Explanation key: several parts use the same code with different meanings, which other properties of the error
 * distinguish.
 */
function keyOf(code: string, error: unknown): string {
	if (typeof error === 'object' && error !== null) {
		if ('name' in error && error.name === 'ShareError') return SHARE_KEYS[code] ?? `share_${code}`;
		if (code === 'not_found' && 'provider' in error) return 'model_not_found';
	}
	return ALIASES[code] ?? code;
}

function detailOf(error: unknown): string | undefined {
	return textIn(error, 'detail')?.slice(0, 500) || undefined;
}

function asSentence(message: string): string {
	const text = message.trim();
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}
