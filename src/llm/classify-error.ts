import {
	AccessDeniedError,
	AuthenticationError,
	ContentFilterError,
	ContextLengthError,
	InvalidRequestError,
	NotFoundError,
	ProviderError,
	type ProviderErrorData,
	QuotaError,
	RateLimitError,
	ServerError,
	TimeoutError,
	UnknownProviderError
} from './errors.ts';
import { isContextOverflow } from './context-overflow.ts';
import { errorDetails } from './error-body.ts';

type ErrorClass = new (data: ProviderErrorData) => ProviderError;

/** An error that a provider returned instead of a response. */
export interface FailedAnswer {
	provider: string;
	/** Absent for an error inside a stream that started with status 200. */
	status?: number;
	body: string;
	retryAfterMs?: number;
	cause?: unknown;
}

const byStatus = new Map<number, ErrorClass>([
	[400, InvalidRequestError],
	[401, AuthenticationError],
	[402, QuotaError],
	[403, AccessDeniedError],
	[404, NotFoundError],
	[408, TimeoutError],
	[409, InvalidRequestError],
	[410, NotFoundError],
	[413, ContextLengthError],
	[422, InvalidRequestError],
	[429, RateLimitError]
]);

/** Error types and gRPC codes in the providers' terms; used if the status is ambiguous. */
const byProviderCode = new Map<string, ErrorClass>([
	['authentication_error', AuthenticationError],
	['invalid_api_key', AuthenticationError],
	['unauthenticated', AuthenticationError],
	['permission_error', AccessDeniedError],
	['permission_denied', AccessDeniedError],
	['billing_error', QuotaError],
	['insufficient_quota', QuotaError],
	['not_found_error', NotFoundError],
	['model_not_found', NotFoundError],
	['not_found', NotFoundError],
	['invalid_request_error', InvalidRequestError],
	['invalid_argument', InvalidRequestError],
	['invalid_prompt', InvalidRequestError],
	['failed_precondition', InvalidRequestError],
	['rate_limit_error', RateLimitError],
	['rate_limit_exceeded', RateLimitError],
	['resource_exhausted', RateLimitError],
	['overloaded_error', ServerError],
	['api_error', ServerError],
	['server_error', ServerError],
	['internal', ServerError],
	['unavailable', ServerError],
	['timeout_error', TimeoutError],
	['deadline_exceeded', TimeoutError],
	['content_filter', ContentFilterError],
	['content_policy_violation', ContentFilterError]
]);

const quotaWords = /insufficient_quota|credit balance is too low|exceeded your current quota|billing (hard )?limit/i;
const keyWords =
	/api[ _-]?key (is )?(not valid|invalid|expired)|API_KEY_INVALID|incorrect api key|invalid (x-)?api[ _-]?key/i;
const filterWords = /content[ _](filter|management policy|policy_violation)|safety system/i;

/** Maps a status and a body to a typed error. Pure: the same input always gives the same class. */
export function classifyAnswer(answer: FailedAnswer): ProviderError {
	const details = errorDetails(answer.body);
	const Class = classFor(answer, details.code);
	const data: ProviderErrorData = {
		provider: answer.provider,
		body: answer.body,
		cause: answer.cause
	};
	if (answer.status !== undefined) data.status = answer.status;
	if (details.code !== undefined) data.providerCode = details.code;
	if (answer.retryAfterMs !== undefined) data.retryAfterMs = answer.retryAfterMs;
	const plain = new Class(data);
	if (!details.message) return plain;
	// The provider's message names the field or the limit, which our own message cannot.
	return new Class({ ...data, message: `${plain.message} Its message: ${details.message.slice(0, 500)}` });
}

function classFor(answer: FailedAnswer, code: string | undefined): ErrorClass {
	const { status, body } = answer;
	if (status === 429) return isHardQuota(body) ? QuotaError : RateLimitError;
	if (status === undefined || status < 500) {
		if (isContextOverflow(status, body)) return ContextLengthError;
		if (quotaWords.test(body)) return QuotaError;
		if (keyWords.test(body)) return AuthenticationError;
		if (status === 400 && filterWords.test(body)) return ContentFilterError;
	}
	if (status !== undefined) {
		const known = byStatus.get(status);
		if (known) return known;
		if (status >= 500) return ServerError;
	}
	return byProviderCode.get(code?.toLowerCase() ?? '') ?? UnknownProviderError;
}

/**
 * Recognizes exhausted credit, for which OpenAI also uses 429: waiting does not help. Gemini's 429 with a delay is only
 * a rate limit.
 */
function isHardQuota(body: string): boolean {
	return quotaWords.test(body) && !/retryDelay/.test(body);
}
