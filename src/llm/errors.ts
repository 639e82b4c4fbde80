/** Failures between a request and its response. The page maps a `code` to a sentence and a next step. */

export type ProviderErrorCode =
	| 'authentication'
	| 'access_denied'
	| 'not_found'
	| 'invalid_request'
	| 'context_length'
	| 'quota'
	| 'content_filter'
	| 'rate_limit'
	| 'server'
	| 'timeout'
	| 'network'
	| 'stream'
	| 'aborted'
	| 'configuration'
	| 'unknown';

export interface ProviderErrorData {
	/** The configured provider of the request; `''` if there was none. */
	provider: string;
	/** A sentence with a next step. Defaults to the text for the code. */
	message?: string;
	/** The HTTP status, if the provider responded. */
	status?: number;
	/** Delay that the provider requested, in ms. */
	retryAfterMs?: number;
	/** The provider's error code or type, e.g. `overloaded_error`. */
	providerCode?: string;
	/** The raw body, at most 4,000 characters. */
	body?: string;
	cause?: unknown;
}

/** Base class of every failure of the model client; `retryable` is true if the same request may succeed later. */
export class ProviderError extends Error {
	readonly code: ProviderErrorCode;
	readonly retryable: boolean;
	readonly provider: string;
	readonly status?: number;
	readonly retryAfterMs?: number;
	readonly providerCode?: string;
	readonly body?: string;

	constructor(code: ProviderErrorCode, retryable: boolean, fallback: string, data: ProviderErrorData) {
		super(data.message ?? fallback, data.cause === undefined ? undefined : { cause: data.cause });
		this.name = new.target.name;
		this.code = code;
		this.retryable = retryable;
		this.provider = data.provider;
		if (data.status !== undefined) this.status = data.status;
		if (data.retryAfterMs !== undefined) this.retryAfterMs = data.retryAfterMs;
		if (data.providerCode !== undefined) this.providerCode = data.providerCode;
		if (data.body !== undefined) this.body = data.body.slice(0, 4000);
	}
}

export class AuthenticationError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('authentication', false, `${label(data)} did not accept the API key. Check the key and try again.`, data);
	}
}

export class AccessDeniedError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super(
			'access_denied',
			false,
			`${label(data)} does not allow this key to use the model. Choose another model or another key.`,
			data
		);
	}
}

export class NotFoundError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('not_found', false, `${label(data)} does not know this model or address. Choose another model.`, data);
	}
}

export class InvalidRequestError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super(
			'invalid_request',
			false,
			`${label(data)} refused the request as invalid. Start a new session or choose another model.`,
			data
		);
	}
}

export class ContextLengthError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super(
			'context_length',
			false,
			`The conversation is too long for this model. Compact it, or go on in a new session.`,
			data
		);
	}
}

export class QuotaError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('quota', false, `The quota or credit at ${label(data)} is used up. Add credit or use another key.`, data);
	}
}

export class ContentFilterError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('content_filter', false, `${label(data)} stopped this by its content filter. Rephrase the request.`, data);
	}
}

export class RateLimitError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('rate_limit', true, `${label(data)} is limiting requests. Wait a moment and try again.`, data);
	}
}

export class ServerError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('server', true, `${label(data)} failed on its side. Try again in a moment.`, data);
	}
}

export class TimeoutError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('timeout', true, `${label(data)} did not answer in time. Try again.`, data);
	}
}

export class NetworkError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('network', true, `${label(data)} could not be reached. Check the connection and try again.`, data);
	}
}

/** The response was cut off or became unreadable after it started. */
export class StreamError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('stream', true, `The response from ${label(data)} broke off. Try again.`, data);
	}
}

export class AbortedError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('aborted', false, 'The request was stopped. Send a message to go on.', data);
	}
}

export class ConfigurationError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('configuration', false, `No model provider is configured. Add an API key or choose the demo model.`, data);
	}
}

/** A failure that no rule matches. It may be temporary, so it is retryable. */
export class UnknownProviderError extends ProviderError {
	constructor(data: ProviderErrorData) {
		super('unknown', true, `${label(data)} failed in a way not known here. Try again.`, data);
	}
}

const names: Record<string, string> = { anthropic: 'Anthropic', openai: 'OpenAI', gemini: 'Gemini', demo: 'The demo' };

function label(data: ProviderErrorData): string {
	return providerLabel(data.provider);
}

/** Display name of a configured provider, for the start of a sentence. */
export function providerLabel(provider: string): string {
	if (provider === '') return 'The provider';
	return names[provider] ?? `The server "${provider.replace(/^compatible-/, '')}"`;
}
