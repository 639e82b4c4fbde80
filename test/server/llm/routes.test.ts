import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { compatibleProvider, type Provider } from '#server/llm/providers.ts';
import { llmRoutes } from '#server/llm/routes.ts';
import type { UpstreamRequest } from '#server/llm/upstream.ts';
import { Refusal } from '#server/refusal.ts';
import type { Budgets } from '#server/spending/budgets.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startRoutes } from '../start.ts';

const KEY = 'sk-server-secret-0123456789';
const TIMEOUT_MS = 1234;
const HELD = 777;

interface Situation {
	/** Answer of the provider. */
	status?: number;
	headers?: IncomingHttpHeaders;
	body?: string | Buffer | Readable;
	/** Error instead of an answer. */
	failure?: Error;
	provider?: Partial<Provider>;
	/** Whether calls are charged to a budget, and why that fails. */
	isMetered?: boolean;
	notSettled?: Error;
}

/** Routes of one provider, `compatible-box`; `sent` has the requests that reached it, `settled` the costs of calls. */
async function start(situation: Situation = {}) {
	const { status = 200, headers = {}, body = '{}', failure, isMetered = false } = situation;
	const provider = { ...compatibleProvider('box', 'https://box.example/v1', [], KEY), ...situation.provider };
	const sent: (UpstreamRequest & { text: string | undefined })[] = [];
	const held: unknown[] = [];
	const settled: number[] = [];
	const notCounted: unknown[] = [];
	const budgets: Budgets = {
		remaining: () => Promise.reject(new Error('Nobody asks.')),
		hold: async (...call) => {
			held.push(call);
			return {
				held: HELD,
				settle: async (cost) => {
					settled.push(cost);
					if (situation.notSettled) throw situation.notSettled;
				}
			};
		}
	};
	const routes = await startRoutes((app) =>
		llmRoutes(app, {
			find: async (id) => (id === provider.id ? provider : undefined),
			upstream: {
				send: async (request, receive) => {
					const bytes = request.body instanceof Readable ? Buffer.concat(await request.body.toArray()) : request.body;
					sent.push({ ...request, text: bytes && Buffer.from(bytes).toString() });
					if (failure) throw failure;
					const into = receive(status, headers);
					(body instanceof Readable ? body : Readable.from([Buffer.from(body)])).pipe(into);
					return into;
				},
				close: () => undefined
			},
			maxRequestBytes: 100,
			timeoutMs: TIMEOUT_MS,
			budgets: isMetered ? budgets : undefined,
			notCounted: (error) => void notCounted.push(error)
		})
	);
	const call = (options: Parameters<typeof ask>[1] & { path?: string } = {}) =>
		ask(`${routes.url}/api/llm/${options.path ?? `${provider.id}/chat/completions`}`, {
			method: 'POST',
			body: options.method === 'GET' ? '' : '{"model":"m"}',
			...options
		});
	return { ...routes, call, sent, held, settled, notCounted };
}

const errorIn = ({ text }: { text: string }) => JSON.parse(text).error as Record<string, unknown>;

describe('a call to a provider', () => {
	it('waits as long as models think, and has the key hidden in its answer', async () => {
		const { call, sent, logged } = await start();
		const answer = await call();
		expect([answer.status, answer.text]).toEqual([200, '{}']);
		expect(sent).toEqual([
			expect.objectContaining({ method: 'POST', text: '{"model":"m"}', timeoutMs: TIMEOUT_MS, hide: KEY })
		]);
		expect(sent[0]?.url.href).toBe('https://box.example/v1/chat/completions');
		await expect.poll(() => logged).toMatchObject([{ provider: 'compatible-box', status: 200 }]);
	});

	it('has no body where it only asks', async () => {
		const { call, sent } = await start();
		await call({ method: 'GET', path: 'compatible-box/models' });
		expect(sent).toEqual([expect.objectContaining({ method: 'GET', body: undefined })]);
	});

	it('has the words of the query that belong to it', async () => {
		const { call, sent } = await start();
		const own = 'beta=1&alt=sse&pageSize=2&pageToken=t&limit=3&after=a&after_id=b&before_id=c&order=asc&order=desc';
		await call({ path: `compatible-box/chat/completions?${own}&key=stolen&x=?` });
		expect(sent[0]?.url.search).toBe(`?${own}`);
	});

	it('has the headers that belong to it', async () => {
		const { call, sent } = await start();
		const own = {
			'content-type': 'application/json',
			accept: 'text/event-stream',
			'anthropic-version': 'v',
			'anthropic-beta': 'a',
			'openai-beta': 'o'
		};
		await call({ headers: { ...own, 'content-length': '2', 'openai-project': 'p' }, body: '{}' });
		const id = expect.stringMatching(/^[\da-f-]{36}$/);
		expect(sent[0]?.headers).toEqual({
			...own,
			'content-length': '2',
			'accept-encoding': 'identity',
			'user-agent': 'sandglass',
			'x-request-id': id,
			'x-client-request-id': id,
			authorization: `Bearer ${KEY}`
		});
	});

	it('to a server without a key has none, and may be answered in any encoding', async () => {
		const { call, sent } = await start({ provider: { key: undefined }, headers: { 'content-encoding': 'gzip' } });
		const answer = await call();
		expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'gzip']);
		expect(sent[0]?.headers).not.toHaveProperty('authorization');
		expect(sent[0]?.hide).toBeUndefined();
	});

	it('is refused without the key that its provider needs, in the words of its operator', async () => {
		const { call, sent, logged } = await start({ provider: { key: undefined, keyNeeded: true } });
		const answer = await call();
		expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([401, 'no_key']);
		expect(errorIn(answer)).toEqual({
			message:
				'This server has no key for compatible-box. Set COMPATIBLE_BOX_API_KEY in its environment or .env and start it again, or use a key of your own in the settings.',
			type: 'authentication_error',
			param: null,
			code: 'no_key'
		});
		expect(sent).toEqual([]);
		await expect.poll(() => logged).toMatchObject([{ provider: 'compatible-box', refused: 'no_key' }]);
	});

	it.each([
		[
			'compatible-box/files',
			'POST',
			404,
			undefined,
			'path_refused',
			'This server forwards model calls only (responses, token counts, model lists), not files, batches or settings.'
		],
		['compatible-box/chat/completions', 'PUT', 405, 'POST', 'method_not_allowed', 'This call requires POST, not PUT.'],
		['compatible-box/both', 'PUT', 405, 'GET, POST', 'method_not_allowed', 'This call requires GET, POST, not PUT.']
	])('to %s by %s is refused with %i', async (path, method, status, allow, code, message) => {
		const { calls } = compatibleProvider('box', '', []);
		const both = (['GET', 'POST'] as const).map((each) => ({ method: each, path: /^\/both$/ }));
		const { call, sent } = await start({ provider: { calls: [...calls, ...both] } });
		const answer = await call({ path, method });
		expect([answer.status, answer.headers.allow, answer.headers['cache-control']]).toEqual([status, allow, 'no-store']);
		expect(errorIn(answer)).toMatchObject({ code, message });
		expect(answer.headers['x-sandglass-error']).toBe(code);
		expect(sent).toEqual([]);
	});

	it('to a provider that is none here is refused', async () => {
		const { call, logged } = await start();
		const answer = await call({ path: 'other/chat/completions' });
		expect([answer.status, errorIn(answer)]).toEqual([
			404,
			{
				type: 'unknown_provider',
				message: 'This server has no such provider. /api/config lists those it has.'
			}
		]);
		await expect.poll(() => logged).toMatchObject([{ refused: 'unknown_provider' }]);
	});

	it('may be as large as it may', async () => {
		const { call } = await start();
		expect((await call({ body: 'x'.repeat(100) })).status).toBe(200);
		const answer = await call({ body: 'x'.repeat(101) });
		expect([answer.status, errorIn(answer)['code']]).toEqual([413, 'request_too_large']);
	});

	it('to a provider that cannot be reached is refused with the reason', async () => {
		const { call } = await start({ failure: new Refusal(502, 'upstream_unreachable', 'Away.') });
		const answer = await call();
		expect([answer.status, errorIn(answer)]).toEqual([
			502,
			{ message: 'Away.', type: 'server_error', param: null, code: 'upstream_unreachable' }
		]);
	});

	it('that fails for a reason of ours says nothing of it to the page', async () => {
		const { call, logged } = await start({ failure: new TypeError('secret place') });
		const answer = await call();
		expect([answer.status, errorIn(answer)['type']]).toEqual([500, 'internal']);
		expect(answer.text).not.toContain('secret');
		expect(logged[0]).toMatchObject({ error: 'TypeError', stack: expect.stringContaining('secret place') });
	});
});

describe('the answer of a provider', () => {
	it.each([300, 302, 399])('is no redirect: %i', async (status) => {
		const { call } = await start({ status });
		const answer = await call();
		expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([502, 'redirect_refused']);
		expect(errorIn(answer)['message']).toBe(
			'compatible-box redirected the call, which is not followed. Check its base address.'
		);
	});

	it.each([
		['gzip', 502],
		['identity', 200]
	])('in the encoding %s has the status %i', async (encoding, status) => {
		const { call } = await start({ headers: { 'content-encoding': encoding } });
		const answer = await call();
		expect(answer.status).toBe(status);
		if (status === 502)
			expect(errorIn(answer)).toMatchObject({
				code: 'encoding_refused',
				message: 'compatible-box answered in an encoding that it was not asked for. Check its base address.'
			});
	});

	it('has the headers that a client of it reads, and no others', async () => {
		const own = {
			'content-type': 'application/json',
			'content-length': '2',
			'retry-after': '1',
			'retry-after-ms': '2',
			'x-should-retry': 'true',
			'request-id': 'r1',
			'openai-processing-ms': '3'
		};
		const { call } = await start({ headers: { ...own, server: 'x', 'set-cookie': ['a=b'], 'x-other': 'y' } });
		const { headers } = await call();
		expect(headers).toMatchObject(own);
		for (const name of ['server', 'set-cookie', 'x-other']) expect(headers).not.toHaveProperty(name);
	});

	it('has the limits of its rate, and no header that merely looks like one', async () => {
		const { call } = await start({
			headers: {
				'anthropic-ratelimit-tokens': '1',
				'x-ratelimit-requests': '2',
				'my-x-ratelimit-requests': '3',
				'y-ratelimit-requests': '4',
				'x-ratelimit-twice': ['5', '6']
			}
		});
		const { headers } = await call();
		expect(headers).toMatchObject({ 'anthropic-ratelimit-tokens': '1', 'x-ratelimit-requests': '2' });
		for (const name of ['my-x-ratelimit-requests', 'y-ratelimit-requests', 'x-ratelimit-twice'])
			expect(headers).not.toHaveProperty(name);
	});

	it('that its page cannot take ends that answer and not the server', async () => {
		const body = new PassThrough();
		const { call, sent, logged } = await start({ body });
		const answer = call();
		await expect.poll(() => sent).toHaveLength(1);
		await expect.poll(() => sent[0]?.caller.headersSent).toBe(true);
		await new Promise(setImmediate);
		expect(() => sent[0]?.caller.emit('error', new Error('The connection was reset.'))).not.toThrow();
		expect(logged).toEqual([]);
		sent[0]?.caller.end('late');
		expect((await answer).text).toBe('late');
		await expect.poll(() => logged).toMatchObject([{ end: 'whole' }]);
	});

	it.each([
		[{ 'request-id': 'req_1', 'x-request-id': 'other' }, 'req_1'],
		[{ 'x-request-id': 'a.b:c-1' }, 'a.b:c-1'],
		[{ 'request-id': 'x'.repeat(100) }, 'x'.repeat(100)],
		[{ 'request-id': 'x'.repeat(101) }, undefined],
		[{ 'request-id': 'a b' }, undefined],
		[{ 'request-id': ' a' }, undefined],
		[{}, undefined]
	])('with %j is noted as %j', async (headers, noted) => {
		const { call, logged } = await start({ headers });
		await call();
		await expect.poll(() => logged).toHaveLength(1);
		expect(logged[0]?.['providerRequest']).toBe(noted);
	});

	it.each([400, 429, 529])('that is an error of %i is handed on in its words', async (status) => {
		const { call } = await start({
			status,
			headers: { 'content-type': 'application/json', 'content-length': '999', 'retry-after': '7', server: 'x' },
			body: '{"error":"its words"}'
		});
		const answer = await call();
		expect([answer.status, answer.text]).toEqual([status, '{"error":"its words"}']);
		expect(answer.headers).toMatchObject({
			'content-type': 'application/json',
			'retry-after': '7',
			'cache-control': 'no-store',
			'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/)
		});
		expect(answer.headers).not.toHaveProperty('server');
	});

	it('that is an endless error is cut off', async () => {
		const { call } = await start({ status: 400, body: Buffer.alloc(262_144, 'x') });
		expect((await call()).text).toHaveLength(262_144);
		const longer = await start({ status: 400, body: Buffer.alloc(262_145, 'x') });
		const answer = await longer.call();
		expect(answer.status).toBe(400);
		expect(answer.text.length).toBeLessThanOrEqual(262_144);
	});

	it('to a wrong key is our own sentence: theirs may quote some of it', async () => {
		const { call } = await start({ status: 401, body: 'Incorrect API key: sk-ser***789' });
		const answer = await call();
		expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([401, 'key_refused']);
		expect(errorIn(answer)['message']).toBe(
			"compatible-box refused this server's key. Check COMPATIBLE_BOX_API_KEY where the server runs."
		);
	});
});

describe('a call that is charged to a budget', () => {
	it('holds its cost by its length and its client, and is sent with that length', async () => {
		const { call, sent, held, settled } = await start({ isMetered: true });
		expect((await call({ headers: { 'transfer-encoding': 'chunked' }, body: '{"a":1}' })).text).toBe('{}');
		expect(held).toEqual([['compatible-box', 'client', 7]]);
		expect(sent[0]).toMatchObject({ text: '{"a":1}', headers: { 'content-length': '7' } });
		// It reported no usage.
		await expect.poll(() => settled).toEqual([HELD]);
	});

	it('costs what its answer says', async () => {
		const usage = { prompt_tokens: 1_000, completion_tokens: 0 };
		const { call, settled } = await start({
			isMetered: true,
			headers: { 'content-type': 'text/event-stream' },
			body: `data: ${JSON.stringify({ model: 'm', usage })}\n\n`
		});
		await call();
		await expect.poll(() => settled).toEqual([8_000]);
	});

	it.each(['messages', 'responses', 'chat/completions', 'models/m:generateContent', 'models/m:streamGenerateContent'])(
		'is one to %s',
		async (path) => {
			const calls = [{ method: 'POST', path: /^/ }] as const;
			const { call, held } = await start({ isMetered: true, provider: { calls } });
			await call({ path: `compatible-box/${path}` });
			expect(held).toHaveLength(1);
		}
	);

	it.each([
		'messages/count_tokens',
		'responses/input_tokens',
		'my-messages',
		'models/m:countTokens',
		'models/m:generateContents',
		'chat/completions/x'
	])('is none to %s', async (path) => {
		const calls = [{ method: 'POST', path: /^/ }] as const;
		const { call, held, sent } = await start({ isMetered: true, provider: { calls } });
		expect((await call({ path: `compatible-box/${path}` })).status).toBe(200);
		expect(held).toEqual([]);
		expect(sent).toHaveLength(1);
	});

	it('is none that only asks, nor one to a server without a key', async () => {
		const calls = [{ method: 'GET', path: /^/ }] as const;
		const asking = await start({ isMetered: true, provider: { calls } });
		await asking.call({ method: 'GET' });
		const free = await start({ isMetered: true, provider: { key: undefined } });
		await free.call();
		expect([asking.held, free.held]).toEqual([[], []]);
	});

	it('may not go on unseen, and says why', async () => {
		const { call, held, sent } = await start({ isMetered: true });
		const answer = await call({ body: '{"b\\u0061ckground":true}' });
		expect([answer.status, errorIn(answer)]).toEqual([
			400,
			{
				message: 'This server has a budget and refuses background calls, since it could not see their cost.',
				type: 'invalid_request_error',
				param: null,
				code: 'cost_unseen'
			}
		]);
		expect([held, sent]).toEqual([[], []]);
	});

	it.each(['{"background":false}', 'null', '"background"', 'no JSON'])('goes on with the body %s', async (body) => {
		const { call, sent } = await start({ isMetered: true });
		expect((await call({ body })).status).toBe(200);
		expect(sent).toHaveLength(1);
	});

	it.each([300, 400, 401, 500])('costs nothing when it is answered with %i', async (status) => {
		const { call, settled } = await start({ isMetered: true, status });
		await call();
		expect(settled).toEqual([0]);
	});

	it('costs nothing when its provider cannot be reached, and what is held when that does not answer in time', async () => {
		const unreachable = await start({ isMetered: true, failure: new Refusal(502, 'upstream_unreachable', 'Away.') });
		expect((await unreachable.call()).status).toBe(502);
		expect(unreachable.settled).toEqual([0]);
		const late = await start({ isMetered: true, failure: new Refusal(504, 'upstream_timeout', 'Late.') });
		expect((await late.call()).status).toBe(504);
		expect(late.settled).toEqual([]);
	});

	it('is reported where its cost could not be counted', async () => {
		const notSettled = new Error('Redis is away.');
		const { call, notCounted } = await start({ isMetered: true, status: 400, notSettled });
		await call();
		await expect.poll(() => notCounted).toEqual([notSettled]);
	});
});
