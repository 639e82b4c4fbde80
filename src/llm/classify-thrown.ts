import { z } from 'zod';
import { classifyAnswer } from './classify-error.ts';
import { errorDetails } from './error-body.ts';
import {
	AbortedError,
	NetworkError,
	ProviderError,
	providerLabel,
	StreamError,
	UnknownProviderError
} from './errors.ts';
import { retryAfterMs, retryDelayInBody } from './retry-after.ts';

/** Common fields of the SDKs' error classes. */
const sdkError = z.object({
	name: z.string(),
	message: z.string(),
	status: z.number().optional().catch(undefined),
	headers: z.instanceof(Headers).optional().catch(undefined),
	error: z.unknown().optional()
});

/**
 * Converts an error thrown by an SDK or `fetch` into a {@link ProviderError}.
 * @param signal the request's signal; once it has fired, its reason is the error
 */
export function classifyThrown(provider: string, thrown: unknown, signal?: AbortSignal): ProviderError {
	if (signal?.aborted) {
		return signal.reason instanceof ProviderError
			? signal.reason
			: new AbortedError({ provider, cause: signal.reason });
	}
	const own = providerErrorIn(thrown);
	if (own) return own;
	const parsed = sdkError.safeParse(thrown);
	if (!parsed.success) return new UnknownProviderError({ provider, cause: thrown });
	const { name, message, status, headers, error } = parsed.data;
	const body = error === undefined || error === null ? bodyInMessage(message) : JSON.stringify(error);
	if (status !== undefined || (error !== undefined && error !== null)) {
		const wait = (headers && retryAfterMs(headers)) ?? retryDelayInBody(body);
		return classifyAnswer({
			provider,
			body,
			cause: thrown,
			...(status === undefined ? {} : { status }),
			...(wait === undefined ? {} : { retryAfterMs: wait })
		});
	}
	const data = { provider, cause: thrown };
	if (/^(AbortError|APIUserAbortError)$/.test(name)) return new AbortedError(data);
	if (errorDetails(message).message) return classifyAnswer({ provider, body: message, cause: thrown });
	if (/JSON|parsing stream chunk|Unexpected (token|end)/.test(message)) {
		return new StreamError({ ...data, message: 'The response could not be read: it was not valid JSON. Try again.' });
	}
	if (/terminated|premature|socket|other side closed|ended without|network error in/i.test(message)) {
		return new StreamError(data);
	}
	if (/connection error|fetch failed|failed to fetch|networkerror|load failed|ECONN|ENOTFOUND/i.test(message)) {
		return new NetworkError(data);
	}
	return new UnknownProviderError({ ...data, message: `${providerLabel(provider)} failed: ${message}. Try again.` });
}

/** The SDKs wrap errors thrown by `fetch`, including ours. */
function providerErrorIn(thrown: unknown): ProviderError | undefined {
	let current = thrown;
	for (let depth = 0; depth < 5; depth++) {
		if (current instanceof ProviderError) return current;
		if (!(current instanceof Error)) return undefined;
		current = current.cause;
	}
	return undefined;
}

/** The Gemini SDK keeps the body only inside its message; OpenAI's message is `400 status code (no body)`. */
function bodyInMessage(message: string): string {
	if (/no body/.test(message)) return '';
	const start = message.indexOf('{');
	return start === -1 ? message : message.slice(start);
}
