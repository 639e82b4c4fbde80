import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, type Writable } from 'node:stream';
import type { ServerApp, ServerContext } from '../context.ts';
import { apiHeaders } from '../page/headers.ts';
import { Refusal } from '../refusal.ts';
import { pickHeaders, writeHead } from '../relay.ts';
import { bodyStream } from '../request-body.ts';
import type { Budgets } from '../spending/budgets.ts';
import { meteredCall } from './metered.ts';
import { refusedAnswer } from './refused-answer.ts';
import { providerErrorBody } from './provider-error.ts';
import type { Provider } from './providers.ts';
import type { Upstream } from './upstream.ts';

/** All other headers of the caller are dropped: its keys, cookies, organization and endpoint names. */
const REQUEST_HEADERS = [
	'content-type',
	'content-length',
	'accept',
	'anthropic-version',
	'anthropic-beta',
	'openai-beta'
];
const QUERY = ['beta', 'alt', 'pageSize', 'pageToken', 'limit', 'after', 'after_id', 'before_id', 'order'];
const RESPONSE_HEADERS = [
	'content-type',
	'content-length',
	'content-encoding',
	'retry-after',
	'retry-after-ms',
	'x-should-retry',
	'request-id',
	'openai-processing-ms'
];
const RESPONSE_HEADER_PREFIXES = /^(anthropic|x)-ratelimit-/;

interface LlmOptions {
	find: (id: string) => Promise<Provider | undefined>;
	upstream: Upstream;
	maxRequestBytes: number;
	timeoutMs: number;
	budgets: Budgets | undefined;
	/** Reports a cost that could not be counted. */
	notCounted: (error: unknown) => void;
}

/** `/api/llm/:provider/*`: the provider's own wire format, with our key. */
export function llmRoutes(app: ServerApp, options: LlmOptions): void {
	app.all('/api/llm/:provider/*', async (c) => {
		const provider = await options.find(c.req.param('provider'));
		if (!provider)
			throw new Refusal(404, 'unknown_provider', 'This server has no such provider. /api/config lists those it has.');
		c.set('log', { provider: provider.id });
		try {
			return await forward(c, provider, options);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			c.set('log', { ...c.get('log'), refused: error.code });
			return Response.json(providerErrorBody(provider.errorShape, error), {
				status: error.status,
				headers: { ...apiHeaders, ...error.headers, 'X-Sandglass-Error': error.code }
			});
		}
	});
}

async function forward(c: ServerContext, provider: Provider, options: LlmOptions): Promise<Response> {
	const { incoming, outgoing } = c.env;
	const asked = incoming.url ?? '';
	const queryAt = asked.indexOf('?');
	const path = (queryAt < 0 ? asked : asked.slice(0, queryAt)).slice(`/api/llm/${provider.id}`.length);
	const method = checkCall(provider, path, c.req.method);
	if (provider.keyNeeded && !provider.key)
		throw new Refusal(
			401,
			'no_key',
			`This server has no key for ${provider.id}. Set ${provider.keyVariable} in its environment or .env and start it again, or use a key of your own in the settings.`
		);

	const metered = await meteredCall(c, provider, path, options.budgets, options.maxRequestBytes, options.notCounted);
	const url = new URL(provider.baseUrl + path);
	if (queryAt >= 0) copyQuery(new URLSearchParams(asked.slice(queryAt)), url.searchParams);
	let answered = { status: 0, headers: NO_HEADERS };
	const into = await options.upstream
		.send(
			{
				url,
				method,
				headers: {
					...pickHeaders(incoming.headers, REQUEST_HEADERS),
					...(metered ? { 'content-length': String(metered.body.byteLength) } : {}),
					'accept-encoding': 'identity',
					'user-agent': 'sandglass',
					// OpenAI stores the second header, servers such as vLLM the first: our log can be matched with
					// theirs.
					'x-request-id': c.get('requestId'),
					'x-client-request-id': c.get('requestId'),
					...(provider.key ? provider.authenticate(provider.key) : {})
				},
				body: metered ? metered.body : method === 'POST' ? bodyStream(c, options.maxRequestBytes) : undefined,
				caller: outgoing,
				timeoutMs: options.timeoutMs,
				hide: provider.key
			},
			(status, received): Writable => {
				const headers = answerHeaders(received);
				answered = { status, headers };
				c.set('log', { provider: provider.id, providerRequest: providerRequest(received) });
				if (status >= 300) metered?.release();
				if (status >= 300 && status < 400)
					throw new Refusal(
						502,
						'redirect_refused',
						`${provider.id} redirected the call, which is not followed. Check its base address.`
					);
				if (provider.key && encoded(received))
					throw new Refusal(
						502,
						'encoding_refused',
						`${provider.id} answered in an encoding that it was not asked for. Check its base address.`
					);
				if (status >= 400) return new PassThrough();
				writeHead(c, status, headers);
				return metered ? metered.count(outgoing, headers['content-type'] ?? '') : outgoing;
			}
		)
		.catch((error: unknown) => {
			// If the caller disconnected or the provider timed out, work may have been done: the held amount stays
			// spent.
			if (error instanceof Refusal && error.code === 'upstream_unreachable' && !outgoing.destroyed) metered?.release();
			throw error;
		});
	if (into instanceof PassThrough) return refusedAnswer(c, provider, answered.status, answered.headers, into);
	outgoing.on('error', () => undefined); // 'close' follows, and the log line says 'cut'
	return RESPONSE_ALREADY_SENT;
}

const NO_HEADERS: Record<string, string> = {};

/**
 * Checks that the provider offers this call.
 * @throws Refusal 404 or 405
 */
function checkCall(provider: Provider, path: string, method: string): 'GET' | 'POST' {
	const onPath = provider.calls.filter((call) => call.path.test(path));
	if (onPath.length === 0)
		throw new Refusal(
			404,
			'path_refused',
			'This server forwards model calls only (responses, token counts, model lists), not files, batches or settings.'
		);
	const call = onPath.find((each) => each.method === method);
	if (call) return call.method;
	const allowed = onPath.map((each) => each.method).join(', ');
	throw new Refusal(405, 'method_not_allowed', `This call requires ${allowed}, not ${method}.`, { Allow: allowed });
}

function copyQuery(from: URLSearchParams, to: URLSearchParams): void {
	for (const name of QUERY) for (const value of from.getAll(name)) to.append(name, value);
}

/** Returns true for an encoded body, which cannot be searched for the key. */
const encoded = (received: IncomingHttpHeaders): boolean => (received['content-encoding'] ?? 'identity') !== 'identity';

/** The provider's own request id, needed for support requests. */
function providerRequest(received: IncomingHttpHeaders): string | undefined {
	const id = received['request-id'] ?? received['x-request-id'];
	return typeof id === 'string' && /^[\w.:-]{1,100}$/.test(id) ? id : undefined;
}

function answerHeaders(received: IncomingHttpHeaders): Record<string, string> {
	const headers = pickHeaders(received, RESPONSE_HEADERS);
	for (const [name, value] of Object.entries(received))
		if (RESPONSE_HEADER_PREFIXES.test(name) && typeof value === 'string') headers[name] = value;
	return headers;
}
