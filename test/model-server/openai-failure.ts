const types: Record<number, { type: string; code: string | null }> = {
	400: { type: 'invalid_request_error', code: null },
	401: { type: 'invalid_request_error', code: 'invalid_api_key' },
	403: { type: 'invalid_request_error', code: 'unsupported_country_region_territory' },
	404: { type: 'invalid_request_error', code: 'model_not_found' },
	429: { type: 'tokens', code: 'rate_limit_exceeded' }
};

/** Refusals of OpenAI's APIs. */
export function openaiFailure(status: number, message: string): unknown {
	return { error: { message, param: null, ...(types[status] ?? { type: 'server_error', code: null }) } };
}
