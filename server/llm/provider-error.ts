import type { Refusal } from '../refusal.ts';
import type { ErrorShape } from './providers.ts';

const TYPES: Readonly<Record<number, readonly [anthropic: string, openai: string, gemini: string]>> = {
	400: ['invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
	401: ['authentication_error', 'authentication_error', 'UNAUTHENTICATED'],
	403: ['permission_error', 'permission_error', 'PERMISSION_DENIED'],
	404: ['not_found_error', 'not_found_error', 'NOT_FOUND'],
	405: ['invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
	413: ['request_too_large', 'invalid_request_error', 'INVALID_ARGUMENT'],
	429: ['rate_limit_error', 'rate_limit_error', 'RESOURCE_EXHAUSTED']
};

/** Formats a refusal as the provider's SDK expects it, each shape with `error.message`. */
export function providerErrorBody(shape: ErrorShape, { status, code, message }: Refusal): object {
	const [anthropic, openai, gemini] = TYPES[status] ?? ['api_error', 'server_error', 'UNAVAILABLE'];
	switch (shape) {
		case 'anthropic':
			return { type: 'error', error: { type: anthropic, message } };
		case 'openai':
			return { error: { message, type: openai, param: null, code } };
		case 'gemini':
			return { error: { code: status, message, type: code, status: gemini } };
	}
}
