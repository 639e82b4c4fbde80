import { expect, it } from 'vitest';
import { providerErrorBody } from '#server/llm/provider-error.ts';
import { Refusal } from '#server/refusal.ts';

it.each([
	[400, 'invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
	[401, 'authentication_error', 'authentication_error', 'UNAUTHENTICATED'],
	[403, 'permission_error', 'permission_error', 'PERMISSION_DENIED'],
	[404, 'not_found_error', 'not_found_error', 'NOT_FOUND'],
	[405, 'invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
	[413, 'request_too_large', 'invalid_request_error', 'INVALID_ARGUMENT'],
	[429, 'rate_limit_error', 'rate_limit_error', 'RESOURCE_EXHAUSTED'],
	[502, 'api_error', 'server_error', 'UNAVAILABLE']
])('says a refusal with %i in each provider’s own words', (status, anthropic, openai, gemini) => {
	const refusal = new Refusal(status, 'our_code', 'Why.');
	expect(providerErrorBody('anthropic', refusal)).toEqual({
		type: 'error',
		error: { type: anthropic, message: 'Why.' }
	});
	expect(providerErrorBody('openai', refusal)).toEqual({
		error: { message: 'Why.', type: openai, param: null, code: 'our_code' }
	});
	expect(providerErrorBody('gemini', refusal)).toEqual({
		error: { code: status, message: 'Why.', type: 'our_code', status: gemini }
	});
});
