import { describe, expect, it } from 'vitest';
import { classifyAnswer } from '#llm/classify-error.ts';
import { isContextOverflow, isSilentOverflow } from '#llm/context-overflow.ts';
import { errorDetails } from '#llm/error-body.ts';
import { retryAfterMs, retryDelayInBody } from '#llm/retry-after.ts';

const classify = (status: number | undefined, body: string, provider = 'openai') =>
	classifyAnswer({ provider, body, ...(status === undefined ? {} : { status }) });

/** Error messages of each provider for it, with their status. */
const overflows: [string, number, string][] = [
	['Anthropic', 400, '{"error":{"message":"prompt is too long: 213462 tokens > 200000 maximum"}}'],
	['OpenAI', 400, '{"error":{"message":"Your input exceeds the context window of this model."}}'],
	['Gemini', 400, '{"error":{"message":"The input token count (1196265) exceeds the maximum allowed (1048575)."}}'],
	['xAI', 400, '{"error":"This model\'s maximum prompt length is 131072 but the request has 537812 tokens."}'],
	['Groq', 400, '{"error":{"message":"Please reduce the length of the messages or completion."}}'],
	['Cerebras', 400, ''],
	['Mistral', 413, ''],
	['Mistral', 400, '{"message":"Prompt contains 40000 tokens, too large for model with 32768 maximum context length"}'],
	[
		'vLLM',
		400,
		'{"message":"This model\'s maximum context length is 8192 tokens. However, you requested 9000 tokens."}'
	],
	['OpenRouter', 400, '{"error":{"code":"context_length_exceeded","message":"Too long."}}'],
	['llama.cpp', 400, '{"error":{"message":"the request exceeds the available context size, try increasing it"}}'],
	['LM Studio', 400, '{"error":"The number of tokens to keep is greater than the context length"}'],
	['Bedrock', 400, '{"message":"Input is too long for requested model."}'],
	['Kimi', 400, '{"error":{"message":"Invalid request: Your request exceeded model token limit: 131072"}}'],
	['MiniMax', 400, '{"error":{"message":"invalid params, context window exceeds limit (2013)"}}']
];

describe('context overflow [U-24, S-27]', () => {
	it.each(overflows)('is recognised from %s', (_, status, body) => {
		expect(classify(status, body).code).toBe('context_length');
		expect(isContextOverflow(429, body)).toBe(false);
		expect(classify(429, body).code).not.toBe('context_length');
	});
	it.each([
		'input length and `max_tokens` exceed context limit: 199000 + 20000 > 200000',
		'input length and max_tokens exceed context limit: 199000 + 20000 > 200000',
		'maximum prompt length is 8'
	])('is recognised from "%s"', (message) => {
		expect(isContextOverflow(undefined, message)).toBe(true);
	});
	it('is recognised from a body of white space, with a status that may mean it', () => {
		expect(isContextOverflow(400, ' \n')).toBe(true);
		expect(isContextOverflow(413, ' \n')).toBe(true);
		expect(isContextOverflow(422, '')).toBe(false);
		expect(isContextOverflow(undefined, '')).toBe(false);
	});
	it('is seen in the tokens of a server that says nothing', () => {
		expect(isSilentOverflow(130_000, 128_000)).toBe(true);
		expect(isSilentOverflow(128_000, 128_000)).toBe(false);
		expect(isSilentOverflow(130_000, undefined)).toBe(false);
		expect(isSilentOverflow(130_000, 0)).toBe(false);
	});
	it('is not seen in other refusals', () => {
		expect(classify(400, '{"error":{"message":"Unknown parameter: foo"}}').code).toBe('invalid_request');
		expect(classify(500, '').code).toBe('server');
	});
});

describe('ambiguous answers [U-18]', () => {
	it.each([
		[
			400,
			'{"error":{"status":"INVALID_ARGUMENT","message":"API key not valid. Please pass a valid API key."}}',
			'authentication'
		],
		[400, '{"error":{"message":"Your credit balance is too low to access the API."}}', 'quota'],
		[429, '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}', 'quota'],
		[
			429,
			'{"error":{"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota","details":[{"retryDelay":"31s"}]}}',
			'rate_limit'
		],
		[400, '{"error":{"code":"content_filter","message":"filtered by the content filter"}}', 'content_filter'],
		[undefined, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'server'],
		[undefined, '{"error":{"status":"DEADLINE_EXCEEDED","message":"late"}}', 'timeout'],
		[418, 'teapot', 'unknown']
	])('%s %s is %s', (status, body, code) => expect(classify(status, body).code).toBe(code));

	it('are retryable when nothing is known of them', () => expect(classify(418, '').retryable).toBe(true));
	it('carry the provider’s own code, words and body', () => {
		const error = classify(404, '{"error":{"type":"not_found_error","message":"model: claude-9"}}', 'anthropic');
		expect(error).toMatchObject({ name: 'NotFoundError', providerCode: 'not_found_error', status: 404 });
		expect(error.message).toContain('Choose another model.');
		expect(error.message).toContain('model: claude-9');
	});
});

describe('gRPC codes [U-18]', () => {
	it.each([
		['UNAUTHENTICATED', 'authentication', false],
		['PERMISSION_DENIED', 'access_denied', false],
		['NOT_FOUND', 'not_found', false],
		['INVALID_ARGUMENT', 'invalid_request', false],
		['FAILED_PRECONDITION', 'invalid_request', false],
		['RESOURCE_EXHAUSTED', 'rate_limit', true],
		['INTERNAL', 'server', true],
		['UNAVAILABLE', 'server', true],
		['DEADLINE_EXCEEDED', 'timeout', true],
		['BRAND_NEW', 'unknown', true]
	])('%s is %s', (status, code, retryable) => {
		const body = JSON.stringify({ error: { status, message: 'Words.' } });
		expect(classify(undefined, body, 'gemini')).toMatchObject({
			...{ code, retryable, provider: 'gemini', providerCode: status, body },
			message: expect.stringContaining('Words.')
		});
	});
});

describe('a status without words [U-18]', () => {
	it.each([
		[400, 'invalid_request'],
		[401, 'authentication'],
		[402, 'quota'],
		[403, 'access_denied'],
		[404, 'not_found'],
		[408, 'timeout'],
		[409, 'invalid_request'],
		[410, 'not_found'],
		[413, 'context_length'],
		[422, 'invalid_request'],
		[429, 'rate_limit'],
		[500, 'server'],
		[503, 'server'],
		[302, 'unknown']
	])('%i is %s', (status, code) => {
		expect(classify(status, '{}')).toMatchObject({ code, status });
		expect(classify(status, '{}').providerCode).toBeUndefined();
	});
});

describe('a code without a status [U-18]', () => {
	it.each([
		['authentication_error', 'authentication'],
		['invalid_api_key', 'authentication'],
		['permission_error', 'access_denied'],
		['billing_error', 'quota'],
		['insufficient_quota', 'quota'],
		['not_found_error', 'not_found'],
		['model_not_found', 'not_found'],
		['invalid_request_error', 'invalid_request'],
		['invalid_prompt', 'invalid_request'],
		['rate_limit_error', 'rate_limit'],
		['rate_limit_exceeded', 'rate_limit'],
		['api_error', 'server'],
		['server_error', 'server'],
		['timeout_error', 'timeout'],
		['content_filter', 'content_filter'],
		['content_policy_violation', 'content_filter']
	])('%s is %s', (type, code) => {
		const error = classify(undefined, JSON.stringify({ error: { type, message: 'Words.' } }));
		expect(error).toMatchObject({ code, providerCode: type });
		expect(error.status).toBeUndefined();
	});
});

describe('words that decide more than the status', () => {
	it.each([
		['Billing limit reached.', 'quota'],
		['Billing hard limit has been reached.', 'quota'],
		['apikey expired', 'authentication'],
		['The API-key is invalid.', 'authentication'],
		['invalid api key', 'authentication'],
		['invalid x-api-key', 'authentication'],
		['invalid apikey', 'authentication']
	])('%s is %s', (message, code) => {
		expect(classify(400, JSON.stringify({ message })).code).toBe(code);
		expect(classify(undefined, JSON.stringify({ message })).code).toBe(code);
		// A failed server may quote the request.
		expect(classify(500, JSON.stringify({ message })).code).toBe('server');
	});

	it('those of a filter count for a request that was refused, not for one that is not allowed', () => {
		const body = '{"message":"Blocked by our safety system."}';
		expect(classify(400, body).code).toBe('content_filter');
		expect(classify(403, body).code).toBe('access_denied');
		expect(classify(undefined, body).code).toBe('unknown');
	});

	it('keep the delay that the provider asked for', () => {
		const body = '{"error":{"message":"Slow down."}}';
		expect(classifyAnswer({ provider: 'p', status: 429, body, retryAfterMs: 1500 }).retryAfterMs).toBe(1500);
		expect(classifyAnswer({ provider: 'p', status: 429, body }).retryAfterMs).toBeUndefined();
	});
});

describe('Retry-After', () => {
	it('is read as seconds, milliseconds or a date', () => {
		const now = Date.parse('2026-11-21T00:00:00Z');
		const read = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), now);
		expect(read({ 'retry-after': '2' })).toBe(2000);
		expect(read({ 'retry-after': '0.5' })).toBe(500);
		expect(read({ 'retry-after-ms': '250', 'retry-after': '9' })).toBe(250);
		expect(read({ 'retry-after': 'Sat, 21 Nov 2026 00:00:07 GMT' })).toBe(7000);
		expect(read({ 'retry-after-ms': ' 250.75 ' })).toBe(250.75);
		expect(read({ 'retry-after': '12.25' })).toBe(12_250);
		// Invalid formats are not read partially.
		for (const odd of ['1s', '1.', '.5s', 'x1', '1.x', '-3ms'])
			expect(read({ 'retry-after-ms': odd, 'retry-after': '2' }), odd).toBe(2000);
		expect(read({ 'retry-after': 'Sat, 21 Nov 2026 00:00:00 GMT' })).toBe(0);
		expect(read({ 'retry-after': 'Fri, 20 Nov 2026 00:00:00 GMT' })).toBe(0);
		expect(read({ 'retry-after': ' ' })).toBeUndefined();
		expect(read({ 'retry-after': 'soon' })).toBeUndefined();
		expect(read({})).toBeUndefined();
	});
});

describe('the words of a provider', () => {
	it('are quoted up to 500 characters, and kept whole beside it', () => {
		const said = `${'x'.repeat(500)}y`;
		const error = classify(400, JSON.stringify({ error: { message: said } }), 'openai');
		expect(error.message.endsWith(`Its message: ${'x'.repeat(500)}`)).toBe(true);
		expect(error.body).toContain(said);
	});

	it.each([
		['{"error":"No."}', { message: 'No.' }],
		['[{"error":{"message":"No.","status":"NOT_FOUND"}}]', { message: 'No.', code: 'NOT_FOUND' }],
		['{"message":"No.","type":"invalid"}', { message: 'No.', code: 'invalid' }],
		['{"error":{"message":"No.","type":"t","status":"S","code":"c"}}', { message: 'No.', code: 'c' }],
		// Numbers repeat the status; Gemini's word for it is more specific.
		['{"error":{"message":"No.","status":"S","code":404}}', { message: 'No.', code: 'S' }],
		['{"error":{"message":"No.","type":"t","code":null}}', { message: 'No.', code: 't' }],
		[
			JSON.stringify({ error: { message: ' {"error":{"message":"Inner.","code":"inner"}}', code: 'outer' } }),
			{ message: 'Inner.', code: 'inner' }
		],
		[
			JSON.stringify({ error: { message: '{"error":{"message":"Inner."}}', status: 'OUTER' } }),
			{ message: 'Inner.', code: 'OUTER' }
		],
		[JSON.stringify({ error: { message: '{broken' } }), { message: '{broken' }],
		['no JSON', {}],
		['7', {}]
	])('are found in %s', (body, details) => expect(errorDetails(body)).toEqual(details));

	it('are found behind the mark of an event, at its beginning alone', () => {
		const body = JSON.stringify({ error: { message: 'Words.' } });
		expect(errorDetails(` data:  ${body}`)).toEqual({ message: 'Words.' });
		expect(errorDetails(`data:${body}`)).toEqual({ message: 'Words.' });
		expect(errorDetails(`x data: ${body}`)).toEqual({});
	});
});

it('reads the delay in a body of Gemini', () => {
	const body = (delay: string) => `{"details":[{"@type":"RetryInfo","retryDelay" : "${delay}"}]}`;
	expect(retryDelayInBody(body('31s'))).toBe(31_000);
	expect(retryDelayInBody(body('0.25s'))).toBe(250);
	expect(retryDelayInBody('{"retryDelay":"12.75s"}')).toBe(12_750);
	for (const odd of ['31', 's', '31ms', '1.s', 'x']) expect(retryDelayInBody(body(odd)), odd).toBeUndefined();
});
