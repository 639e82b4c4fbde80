import { describe, expect, it } from 'vitest';
import { classifyThrown } from '#llm/classify-thrown.ts';
import { errorDetails } from '#llm/error-body.ts';
import {
	AbortedError,
	AccessDeniedError,
	AuthenticationError,
	ConfigurationError,
	ContentFilterError,
	ContextLengthError,
	InvalidRequestError,
	NetworkError,
	NotFoundError,
	providerLabel,
	QuotaError,
	RateLimitError,
	ServerError,
	StreamError,
	TimeoutError,
	UnknownProviderError
} from '#llm/errors.ts';

describe('a failure of a provider', () => {
	it.each([
		[
			AuthenticationError,
			'authentication',
			false,
			'Anthropic did not accept the API key. Check the key and try again.'
		],
		[
			AccessDeniedError,
			'access_denied',
			false,
			'Anthropic does not allow this key to use the model. Choose another model or another key.'
		],
		[NotFoundError, 'not_found', false, 'Anthropic does not know this model or address. Choose another model.'],
		[
			InvalidRequestError,
			'invalid_request',
			false,
			'Anthropic refused the request as invalid. Start a new session or choose another model.'
		],
		[
			ContextLengthError,
			'context_length',
			false,
			'The conversation is too long for this model. Compact it, or go on in a new session.'
		],
		[QuotaError, 'quota', false, 'The quota or credit at Anthropic is used up. Add credit or use another key.'],
		[
			ContentFilterError,
			'content_filter',
			false,
			'Anthropic stopped this by its content filter. Rephrase the request.'
		],
		[RateLimitError, 'rate_limit', true, 'Anthropic is limiting requests. Wait a moment and try again.'],
		[ServerError, 'server', true, 'Anthropic failed on its side. Try again in a moment.'],
		[TimeoutError, 'timeout', true, 'Anthropic did not answer in time. Try again.'],
		[NetworkError, 'network', true, 'Anthropic could not be reached. Check the connection and try again.'],
		[StreamError, 'stream', true, 'The response from Anthropic broke off. Try again.'],
		[AbortedError, 'aborted', false, 'The request was stopped. Send a message to go on.'],
		[
			ConfigurationError,
			'configuration',
			false,
			'No model provider is configured. Add an API key or choose the demo model.'
		],
		[UnknownProviderError, 'unknown', true, 'Anthropic failed in a way not known here. Try again.']
	])('says what to do, and whether to try again: %o', (Failure, code, retryable, message) => {
		const error = new Failure({ provider: 'anthropic' });
		expect(error).toMatchObject({ name: Failure.name, code, retryable, message, provider: 'anthropic' });
		const { status, retryAfterMs, providerCode, body, cause } = error;
		expect([status, retryAfterMs, providerCode, body, cause]).toEqual(Array(5).fill(undefined));
		expect(new Failure({ provider: 'anthropic', message: 'Mine.' }).message).toBe('Mine.');
	});

	it('has what the provider told, and 4,000 characters of its body', () => {
		const cause = new Error('below');
		const data = { provider: 'x', status: 429, retryAfterMs: 5, providerCode: 'c', body: 'b'.repeat(4_001), cause };
		expect(new ServerError(data)).toMatchObject({ ...data, body: 'b'.repeat(4_000) });
	});

	it.each([
		['anthropic', 'Anthropic'],
		['openai', 'OpenAI'],
		['gemini', 'Gemini'],
		['demo', 'The demo'],
		['', 'The provider'],
		['compatible-local', 'The server "local"'],
		['my-compatible-one', 'The server "my-compatible-one"']
	])('names the provider %j: %s', (provider, name) => {
		expect(providerLabel(provider)).toBe(name);
	});
});

describe('the body of an error', () => {
	it.each([
		['{"error":{"message":"m","type":"t","code":"c"}}', { message: 'm', code: 'c' }],
		['{"error":{"message":"m","type":"t"}}', { message: 'm', code: 't' }],
		['{"error":{"message":"m","code":400,"status":"S","type":"t"}}', { message: 'm', code: 'S' }],
		['{"error":{"message":"m","code":null}}', { message: 'm' }],
		['[{"error":{"message":"m"}},{"error":{"message":"n"}}]', { message: 'm' }],
		['{"message":"m","code":"c"}', { message: 'm', code: 'c' }],
		['{"error":"m"}', { message: 'm' }],
		[' data: {"error":{"message":"m"}}\n', { message: 'm' }],
		[
			'{"error":{"message":" {\\"error\\":{\\"message\\":\\"inner\\",\\"status\\":\\"S\\"}}","code":"outer"}}',
			{ message: 'inner', code: 'S' }
		],
		['{"error":{"message":"{ no JSON"}}', { message: '{ no JSON' }],
		['{"error":{"message":5,"code":"c"}}', { code: 'c' }],
		['{"error":{"message":"","code":"c"}}', { code: 'c' }],
		['<html>', {}],
		['5', {}],
		['', {}]
	])('%s is %j', (body, details) => {
		expect(errorDetails(body)).toEqual(details);
	});
});

describe('what a client throws', () => {
	const classify = (thrown: unknown, signal?: AbortSignal) => classifyThrown('openai', thrown, signal);
	const thrown = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

	it('is the reason of the signal once that has fired', () => {
		const controller = new AbortController();
		const reason = new TimeoutError({ provider: 'openai' });
		controller.abort(reason);
		expect(classify(thrown('x'), controller.signal)).toBe(reason);
		const stopped = new AbortController();
		stopped.abort('why');
		expect(classify(thrown('x'), stopped.signal)).toMatchObject({ code: 'aborted', provider: 'openai', cause: 'why' });
		expect(classify(thrown('x'), new AbortController().signal).code).toBe('unknown');
	});

	it('is our own error, however deep an SDK has wrapped it', () => {
		const own = new NetworkError({ provider: 'openai' });
		const wrapped = (depth: number): unknown =>
			depth === 0 ? own : new Error('wrapped', { cause: wrapped(depth - 1) });
		expect(classify(wrapped(0))).toBe(own);
		expect(classify(wrapped(4))).toBe(own);
		expect(classify(wrapped(5))).not.toBe(own);
	});

	it.each<[string, unknown, object]>([
		['no error', 'text', { code: 'unknown', cause: 'text' }],
		['a status', thrown('x', { status: 401 }), { code: 'authentication', status: 401 }],
		[
			'a status with its body',
			thrown('x', { status: 400, error: { message: 'prompt is too long' } }),
			{ code: 'context_length' }
		],
		['a body without a status', thrown('x', { error: { type: 'overloaded_error' } }), { code: 'server' }],
		['an empty answer', thrown('400 status code (no body)', { status: 400 }), { code: 'context_length', body: '' }],
		[
			'a delay in its headers',
			thrown('x', { status: 429, headers: new Headers({ 'retry-after': '7' }) }),
			{ code: 'rate_limit', retryAfterMs: 7_000 }
		],
		[
			'a delay in its body',
			thrown('got {"error":{"details":[{"retryDelay":"31s"}]}}', { status: 429 }),
			{ code: 'rate_limit', retryAfterMs: 31_000, body: '{"error":{"details":[{"retryDelay":"31s"}]}}' }
		],
		['an abort', thrown('x', { name: 'AbortError' }), { code: 'aborted' }],
		['a name that only begins so', thrown('x', { name: 'AbortErrorOfAnother' }), { code: 'unknown' }],
		['a name that only ends so', thrown('x', { name: 'NoAbortError' }), { code: 'unknown' }],
		['a status alone', thrown('upstream is down', { status: 503 }), { code: 'server', body: 'upstream is down' }],
		[
			'the body in its message where it has no other',
			thrown('400 {"error":{"message":"Not so"}}', { status: 400, error: null }),
			{ code: 'invalid_request', body: '{"error":{"message":"Not so"}}' }
		],
		['no connection and no body', thrown('fetch failed', { error: null }), { code: 'network' }],
		['an abort of an SDK', thrown('x', { name: 'APIUserAbortError' }), { code: 'aborted' }],
		[
			'a body as its message',
			thrown('{"error":{"message":"slow down","code":"rate_limit_exceeded"}}'),
			{ code: 'rate_limit' }
		],
		[
			'broken JSON',
			thrown('Unexpected token < in JSON'),
			{ code: 'stream', message: 'The response could not be read: it was not valid JSON. Try again.' }
		],
		[
			'a broken chunk',
			thrown('Error parsing stream chunk'),
			{ code: 'stream', message: expect.stringContaining('not valid JSON') }
		],
		[
			'a cut connection',
			thrown('terminated'),
			{ code: 'stream', message: 'The response from OpenAI broke off. Try again.' }
		],
		['a closed socket', thrown('other side closed'), { code: 'stream' }],
		[
			'no connection',
			thrown('fetch failed'),
			{ code: 'network', message: expect.stringContaining('could not be reached') }
		],
		['a refused connection', thrown('connect ECONNREFUSED'), { code: 'network' }],
		['Safari’s no connection', thrown('Load failed'), { code: 'network' }],
		['anything else', thrown('went wrong'), { code: 'unknown', message: 'OpenAI failed: went wrong. Try again.' }]
	])('is known by %s', (_, given, error) => {
		const classified = classify(given);
		expect(classified).toMatchObject({ provider: 'openai', ...error });
		if (given instanceof Error) expect(classified.cause).toBe(given);
	});
});
