import { callerGone, type ServerApp, type ServerContext } from '../context.ts';
import { apiHeaders } from '../page/headers.ts';
import { Refusal } from '../refusal.ts';
import { pickHeaders, relay } from '../relay.ts';
import { Readable } from 'node:stream';
import { bodyStream } from '../request-body.ts';
import type { Budgets } from '../spending/budgets.ts';
import { meteredCall } from './metered.ts';
import { refusedAnswer } from './refused-answer.ts';
import { providerErrorBody } from './provider-error.ts';
import type { Provider } from './providers.ts';
import type { Upstream } from './upstream.ts';

/** Everything else the caller sends stays here: its keys, cookies, organisation and endpoint names. */
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
	find: (id: string) => Provider | undefined;
	upstream: Upstream;
	maxRequestBytes: number;
	timeoutMs: number;
	budgets: Budgets | undefined;
	/** A cost that could not be counted. */
	notCounted: (error: unknown) => void;
}

/** `/api/llm/:provider/*`: the provider's own wire, our key. */
export function llmRoutes(app: ServerApp, options: LlmOptions): void {
	app.all('/api/llm/:provider/*', async (c) => {
		const provider = options.find(c.req.param('provider'));
		if (!provider)
			throw new Refusal(404, 'unknown_provider', 'This server has no such provider. /api/config lists those it has.');
		c.set('log', { provider: provider.id });
		try {
			return await forward(c, provider, options);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			c.set('log', { provider: provider.id, refused: error.code });
			return Response.json(providerErrorBody(provider.errorShape, error), {
				status: error.status,
				headers: { ...apiHeaders, ...error.headers, 'X-Sandglass-Error': error.code }
			});
		}
	});
}

async function forward(c: ServerContext, provider: Provider, options: LlmOptions): Promise<Response> {
	const signal = callerGone(c);
	const asked = new URL(c.req.url);
	const path = asked.pathname.slice(`/api/llm/${provider.id}`.length);
	const { method } = c.req;
	const onPath = provider.calls.filter((call) => call.path.test(path));
	if (onPath.length === 0)
		throw new Refusal(
			404,
			'path_refused',
			'This server passes on model calls only (answers, token counts, model lists), no files, batches or settings.'
		);
	if (!onPath.some((call) => call.method === method)) {
		const allowed = onPath.map((call) => call.method).join(', ');
		throw new Refusal(405, 'method_not_allowed', `This call takes ${allowed}, not ${method}.`, { Allow: allowed });
	}
	if (provider.keyNeeded && !provider.key)
		throw new Refusal(
			401,
			'no_key',
			`This server has no key for ${provider.id}. Set ${provider.keyVariable} in its environment or .env and start it again, or use a key of your own in the settings.`
		);

	const metered = await meteredCall(c, provider, path, options.budgets, options.maxRequestBytes, options.notCounted);
	const url = new URL(provider.baseUrl + path);
	for (const name of QUERY) for (const value of asked.searchParams.getAll(name)) url.searchParams.append(name, value);
	const incoming = await options.upstream
		.send({
			url,
			method,
			headers: {
				...pickHeaders(c.req.header(), REQUEST_HEADERS),
				...(metered ? { 'content-length': String(metered.body.byteLength) } : {}),
				'accept-encoding': 'identity',
				'user-agent': 'sandglass',
				...(provider.key ? provider.authenticate(provider.key) : {})
			},
			body: metered
				? Readable.from([metered.body])
				: method === 'POST'
					? bodyStream(c, options.maxRequestBytes)
					: undefined,
			signal,
			timeoutMs: options.timeoutMs
		})
		.catch((error: unknown) => {
			// Where the caller left or the provider was late, work may have been done: what was held stays spent.
			if (error instanceof Refusal && error.code === 'upstream_unreachable' && !signal.aborted) metered?.release();
			throw error;
		});
	const status = incoming.statusCode ?? 502;
	if (status >= 300) metered?.release();
	if (status >= 300 && status < 400) {
		incoming.destroy();
		throw new Refusal(
			502,
			'redirect_refused',
			`${provider.id} redirected the call, which is not followed. Check its base address.`
		);
	}
	const headers = pickHeaders(incoming.headers, RESPONSE_HEADERS);
	for (const [name, value] of Object.entries(incoming.headers))
		if (RESPONSE_HEADER_PREFIXES.test(name) && typeof value === 'string') headers[name] = value;
	if (status >= 400) return refusedAnswer(c, provider, status, headers, incoming);
	const body = metered ? metered.count(incoming, headers['content-type'] ?? '') : incoming;
	return relay(c, status, headers, body);
}
