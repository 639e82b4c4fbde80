import { describe, expect, it } from 'vitest';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass, startUpstream } from './start.ts';

const KEY = 'sk-server-secret-0123456789';

async function refusal(url: string, options: Parameters<typeof ask>[1] = {}) {
	const { status, text, headers } = await ask(url, options);
	const { error } = JSON.parse(text) as { error: { type: string; message: string } };
	return { status, code: headers['x-sandglass-error'], ...error };
}

describe('what the server refuses', () => {
	it('says of a caller, a host and a missing token what to do', async () => {
		const server = await startSandglass({ SANDGLASS_TOKEN: 'a-long-random-word-1234' });
		const caller = {
			status: 403,
			code: 'caller_refused',
			type: 'caller_refused',
			message: 'Only the Sandglass page of this server may request this. Open the page itself.'
		};
		const strangers: Record<string, string>[] = [
			{ 'sec-fetch-site': 'cross-site' },
			{ origin: 'null' },
			{ 'sec-fetch-dest': 'script' }
		];
		for (const headers of strangers) expect(await refusal(`${server.url}/api/config`, { headers })).toEqual(caller);
		expect(await refusal(`${server.url}/api/config`, { headers: { host: 'evil.example' } })).toMatchObject({
			status: 403,
			type: 'host_refused',
			message: expect.stringMatching(
				/^This server does not accept that host name\. Open \S+, or ask its operator to add the name to SANDGLASS_HOSTS\.$/
			)
		});
		expect(await refusal(`${server.url}/api/config`)).toEqual({
			status: 401,
			code: 'token_needed',
			type: 'token_needed',
			message: 'This server requires a token. Enter the one that its operator set as SANDGLASS_TOKEN.'
		});
	});

	it('says of a call to a model what is wrong with it', async () => {
		const upstream = await startUpstream((request, response) => {
			request.resume();
			if (request.url?.includes('count_tokens'))
				response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
			else response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
		});
		const server = await startSandglass({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: upstream.url });
		const call = (path: string, method = 'POST') =>
			refusal(`${server.url}/api/llm/${path}`, { method, ...(method === 'POST' ? { body: '{}' } : {}) });
		expect(await call('nobody/v1/messages')).toMatchObject({
			status: 404,
			code: 'unknown_provider',
			message: 'This server has no such provider. /api/config lists those it has.'
		});
		expect(await call('anthropic/v1/files')).toMatchObject({
			status: 404,
			code: 'path_refused',
			message:
				'This server forwards model calls only (responses, token counts, model lists), not files, batches or settings.'
		});
		expect(await call('anthropic/v1/messages', 'GET')).toMatchObject({
			status: 405,
			code: 'method_not_allowed',
			message: 'This call requires POST, not GET.'
		});
		expect(await call('anthropic/v1/messages/count_tokens')).toMatchObject({
			status: 502,
			code: 'redirect_refused',
			message: 'anthropic redirected the call, which is not followed. Check its base address.'
		});
		expect(await call('anthropic/v1/messages')).toMatchObject({
			status: 502,
			code: 'encoding_refused',
			message: 'anthropic answered in an encoding that it was not asked for. Check its base address.'
		});
	});

	it('passes on to a provider only what belongs to the call, and back only what belongs to the answer', async () => {
		const seen: { url: string | undefined; headers: Record<string, unknown> }[] = [];
		const upstream = await startUpstream((request, response) => {
			seen.push({ url: request.url, headers: request.headers });
			request.resume();
			response
				.writeHead(200, {
					'content-type': 'application/json',
					'retry-after': '1',
					'retry-after-ms': '2',
					'x-should-retry': 'true',
					'request-id': 'r1',
					'openai-processing-ms': '3',
					'anthropic-ratelimit-tokens': '4',
					'x-ratelimit-requests': '5',
					'set-cookie': 'a=b',
					server: 'secret/1'
				})
				.end('{}');
		});
		const server = await startSandglass({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: upstream.url });
		const { headers, status } = await ask(
			`${server.url}/api/llm/anthropic/v1/models?limit=5&after_id=x&before_id=y&order=asc&secret=1`,
			{
				headers: {
					accept: 'application/json',
					'anthropic-version': '2023-06-01',
					'anthropic-beta': 'b',
					cookie: 'a=b',
					authorization: 'Bearer mine',
					'x-api-key': 'mine',
					'openai-organization': 'org'
				}
			}
		);
		expect(status).toBe(200);
		expect(seen[0]?.url).toBe('/v1/models?limit=5&after_id=x&before_id=y&order=asc');
		expect(seen[0]?.headers).toMatchObject({
			accept: 'application/json',
			'anthropic-version': '2023-06-01',
			'anthropic-beta': 'b',
			'accept-encoding': 'identity',
			'user-agent': 'sandglass',
			'x-api-key': KEY,
			'x-request-id': expect.any(String),
			'x-client-request-id': seen[0]?.headers['x-request-id']
		});
		for (const name of ['cookie', 'authorization', 'openai-organization', 'content-length'])
			expect(seen[0]?.headers).not.toHaveProperty(name);
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			'retry-after': '1',
			'retry-after-ms': '2',
			'x-should-retry': 'true',
			'request-id': 'r1',
			'openai-processing-ms': '3',
			'anthropic-ratelimit-tokens': '4',
			'x-ratelimit-requests': '5'
		});
		for (const name of ['set-cookie', 'server']) expect(headers).not.toHaveProperty(name);
	});
});
