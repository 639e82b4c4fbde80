import type { ErrorData } from './events.ts';

/**
 * Converts an error to plain data: its code (or class name), its message, and what a provider's error adds. Omits
 * cause, body and headers, which may contain secrets.
 */
export function errorData(error: unknown): ErrorData {
	if (!(error instanceof Error)) return { code: 'unknown', message: String(error) };
	const data: ErrorData = { code: error.name, message: error.message };
	if ('code' in error && typeof error.code === 'string') data.code = error.code;
	if ('retryable' in error && typeof error.retryable === 'boolean') data.retryable = error.retryable;
	if ('status' in error && typeof error.status === 'number') data.status = error.status;
	if ('provider' in error && typeof error.provider === 'string' && error.provider !== '')
		data.provider = error.provider;
	if ('retryAfterMs' in error && typeof error.retryAfterMs === 'number') data.retryAfterMs = error.retryAfterMs;
	return data;
}
