import { once } from 'node:events';
import http from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass, startUpstream } from './start.ts';

const KEY = 'sk-server-secret-0123456789';

/** Requests of each wire, and the settings for its URL and key. */
const WIRES = {
	anthropic: ['anthropic/v1/messages', 'ANTHROPIC', ''],
	openai: ['openai/responses', 'OPENAI', '/v1'],
	gemini: ['gemini/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', 'GOOGLE_GEMINI', ''],
	'a compatible server': ['compatible-box/chat/completions', 'COMPATIBLE_BOX', '/v1']
} as const;

async function serveWire(
	wire: keyof typeof WIRES,
	handler: http.RequestListener,
	settings: Record<string, string> = {}
) {
	const [path, name, suffix] = WIRES[wire];
	const upstream = await startUpstream(handler);
	const key = name === 'GOOGLE_GEMINI' ? 'GEMINI_API_KEY' : `${name}_API_KEY`;
	const server = await startSandglass({ [`${name}_BASE_URL`]: upstream.url + suffix, [key]: KEY, ...settings });
	return `${server.url}/api/llm/${path}`;
}

describe.each(Object.keys(WIRES) as (keyof typeof WIRES)[])('an answer of %s', (wire) => {
	it("is streamed chunk by chunk as it is sent, and the caller's abort is passed on", async () => {
		const held: http.ServerResponse[] = [];
		const address = await serveWire(wire, (request, response) => {
			request.resume();
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write('data: one\n\n');
			held.push(response);
		});
		const start = async (signal?: AbortSignal) => {
			const answer = await fetch(address, { method: 'POST', body: '{}', signal });
			const reader = answer.body!.getReader();
			const text = async () => new TextDecoder().decode((await reader.read()).value);
			expect(await text()).toBe('data: one\n\n'); // the second chunk does not exist yet
			return { reader, text };
		};
		const { reader, text } = await start();
		held[0]?.end('data: two\n\n');
		expect(await text()).toBe('data: two\n\n');
		expect((await reader.read()).done).toBe(true);

		const abort = new AbortController();
		await start(abort.signal);
		const closed = once(held[1]!, 'close');
		abort.abort();
		await closed;
		expect(held[1]!.writableFinished).toBe(false);
	});
});

it.each([
	['an answer', {}],
	['an answer whose cost is counted', { SANDGLASS_DAILY_USD: '1000' }]
])('%s waits for a caller that does not read, and for no other', async (_what, settings) => {
	const size = 48 * 2 ** 20;
	const block = Buffer.alloc(2 ** 16, `data: ${'x'.repeat(1_000)}\n\n`);
	const sent: number[] = [];
	const address = await serveWire(
		'anthropic',
		(request, response) => {
			request.resume();
			const index = sent.push(0) - 1;
			const more = (): void => {
				for (let room = true; room; sent[index]! += block.byteLength) {
					if (sent[index] === size) return void response.end();
					room = response.write(block);
				}
			};
			response.writeHead(200, { 'content-type': 'text/event-stream' }).on('drain', more);
			more();
		},
		settings
	);
	const ask = (): Promise<http.IncomingMessage> =>
		new Promise((resolve, reject) =>
			http.request(address, { method: 'POST', agent: false }, resolve).on('error', reject).end('{}')
		);
	const unread = await ask();
	let read = 0;
	for await (const chunk of await ask()) read += Buffer.from(chunk).byteLength;
	expect(read).toBe(size);
	expect(sent[1]).toBe(size);
	expect(sent[0]).toBeLessThan(size); // it had all that time to continue
	for await (const chunk of unread) read -= Buffer.from(chunk).byteLength;
	expect(read).toBe(0);
});

it("drops the caller's credentials and puts the server's key in, for each provider", async () => {
	const seen: { url: string; headers: http.IncomingHttpHeaders }[] = [];
	const upstream = await startUpstream((request, response) => {
		seen.push({ url: request.url ?? '', headers: request.headers });
		response.setHeader('set-cookie', 'a=b').setHeader('openai-organization', 'acme');
		response.end('{}');
	});
	const server = await startSandglass({
		ANTHROPIC_API_KEY: KEY,
		OPENAI_API_KEY: KEY,
		GEMINI_API_KEY: KEY,
		COMPATIBLE_MY_BOX_BASE_URL: `${upstream.url}/c/v1`,
		COMPATIBLE_MY_BOX_API_KEY: KEY,
		ANTHROPIC_BASE_URL: upstream.url,
		OPENAI_BASE_URL: `${upstream.url}/v1`,
		GOOGLE_GEMINI_BASE_URL: upstream.url
	});
	const stolen = {
		authorization: 'Bearer stolen',
		'x-api-key': 'stolen',
		'x-goog-api-key': 'stolen',
		cookie: 'c=stolen',
		'openai-organization': 'stolen',
		'anthropic-beta': 'kept'
	};
	const calls = [
		['anthropic/v1/messages?key=stolen&beta=true', '/v1/messages?beta=true', 'x-api-key', KEY],
		['openai/responses?key=stolen', '/v1/responses', 'authorization', `Bearer ${KEY}`],
		[
			'gemini/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse&key=stolen',
			'/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
			'x-goog-api-key',
			KEY
		],
		['compatible-my-box/chat/completions', '/c/v1/chat/completions', 'authorization', `Bearer ${KEY}`]
	] as const;
	for (const [path, url, header, value] of calls) {
		const answer = await ask(`${server.url}/api/llm/${path}`, { method: 'POST', headers: stolen, body: '{}' });
		expect(answer.status, path).toBe(200);
		expect(answer.headers['set-cookie']).toBeUndefined();
		expect(answer.headers['openai-organization']).toBeUndefined();
		const request = seen.at(-1);
		expect(request?.url).toBe(url);
		expect(request?.headers[header]).toBe(value);
		expect(request?.headers['anthropic-beta']).toBe('kept');
		expect(JSON.stringify(request)).not.toContain('stolen');
	}
});

it('takes its own id of a request to the provider, and notes what the provider calls it', async () => {
	const seen: http.IncomingHttpHeaders[] = [];
	const upstream = await startUpstream((request, response) => {
		seen.push(request.headers);
		response.setHeader(seen.length === 1 ? 'request-id' : 'x-request-id', `req_${seen.length}`).end('{}');
	});
	const base = { ANTHROPIC_BASE_URL: upstream.url, OPENAI_BASE_URL: `${upstream.url}/v1` };
	const server = await startSandglass({ ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY, ...base });
	for (const path of ['anthropic/v1/messages', 'openai/responses']) {
		const headers = { 'x-request-id': 'the-caller-says' };
		const answer = await ask(`${server.url}/api/llm/${path}`, { method: 'POST', headers, body: '{}' });
		const id = answer.headers['x-request-id'];
		expect(id).toMatch(/^[\da-f-]{36}$/);
		expect(seen.at(-1)).toMatchObject({ 'x-request-id': id, 'x-client-request-id': id });
		await vi.waitFor(
			() =>
				expect(JSON.parse(server.logged.at(-1) ?? '{}')).toMatchObject({ id, providerRequest: `req_${seen.length}` }),
			10_000
		);
	}
});

it('refuses every other path and method without asking the provider', async () => {
	let asked = 0;
	const upstream = await startUpstream((_request, response) => {
		asked += 1;
		response.end();
	});
	const server = await startSandglass({
		ANTHROPIC_API_KEY: KEY,
		OPENAI_API_KEY: KEY,
		GEMINI_API_KEY: KEY,
		ANTHROPIC_BASE_URL: upstream.url,
		OPENAI_BASE_URL: `${upstream.url}/v1`,
		GOOGLE_GEMINI_BASE_URL: upstream.url
	});
	const refused = [
		['POST', 'anthropic/v1/files', 404],
		['POST', 'anthropic/v1/messages/batches', 404],
		['GET', 'anthropic/v1/organizations/users', 404],
		['POST', 'anthropic/v1/messages/../files', 404],
		['POST', 'anthropic/v1/messages/%2e%2e/files', 404],
		['POST', 'anthropic/v1/messages%2f..%2ffiles', 404],
		['DELETE', 'anthropic/v1/messages', 405],
		['POST', 'openai/files', 404],
		['POST', 'openai/batches', 404],
		['GET', 'openai/responses', 405],
		['DELETE', 'openai/models/x', 405],
		['POST', 'gemini/upload/v1beta/files', 404],
		['POST', 'gemini/v1beta/models/x:batchGenerateContent', 404],
		['POST', 'nobody/v1/messages', 404],
		// An endpoint named by the caller, in the address or next to it.
		['POST', 'https%3A%2F%2Fevil.example/v1/messages', 404],
		['POST', 'anthropic@evil.example/v1/messages', 404],
		['POST', 'anthropic//evil.example/v1/messages', 404],
		['POST', 'anthropic/https://evil.example/v1/messages', 404],
		['POST', 'compatible-evil.example/chat/completions', 404],
		['GET', 'anthropic/v1/files?baseUrl=https://evil.example', 404]
	] as const;
	const headers = { 'x-base-url': 'https://evil.example', 'x-portkey-custom-host': 'https://evil.example/v1' };
	for (const [method, path, status] of refused) {
		const answer = await ask(`${server.url}/api/llm/${path}`, { method, headers });
		expect(answer.status, `${method} ${path}`).toBe(status);
		expect(JSON.parse(answer.text).error.message).toMatch(/\.$/);
	}
	expect(asked).toBe(0);
});

it('says in the shape of each SDK which key is missing', async () => {
	const server = await startSandglass();
	const post = async (path: string) => {
		const answer = await ask(`${server.url}/api/llm/${path}`, { method: 'POST', body: '{}' });
		expect(answer.status).toBe(401);
		return JSON.parse(answer.text);
	};
	const anthropic = await post('anthropic/v1/messages');
	expect(anthropic).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
	expect(anthropic.error.message).toContain('ANTHROPIC_API_KEY');
	expect(await post('openai/responses')).toMatchObject({ error: { type: 'authentication_error', code: 'no_key' } });
	expect(await post('gemini/v1beta/models/x:generateContent')).toMatchObject({
		error: { code: 401, status: 'UNAUTHENTICATED' }
	});
});

it('shows the key in no answer and no log line, even when the provider repeats it', async () => {
	let status = 400;
	const upstream = await startUpstream((request, response) => {
		response.writeHead(status, { location: `https://evil.example/?k=${KEY}`, 'x-echo': KEY });
		response.end(`{"error":{"message":"bad key ${String(request.headers['x-api-key'])}"}}`);
	});
	const server = await startSandglass({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: upstream.url });
	const emitted: unknown[] = [];
	for (status of [400, 401, 302, 500]) {
		const answer = await ask(`${server.url}/api/llm/anthropic/v1/messages?key=${KEY}`, { method: 'POST', body: '{}' });
		emitted.push(answer);
		expect(answer.status).toBe(status === 302 ? 502 : status);
	}
	for (const path of ['/api/config', '/api/health', '/', `/api/x?k=${KEY}`, '/metrics'])
		emitted.push(await ask(server.url + path));
	expect(server.logged.length).toBeGreaterThanOrEqual(8);
	expect(JSON.stringify([emitted, server.logged])).not.toContain(KEY);
});

it('refuses a request that is too large, announced or not', async () => {
	const upstream = await startUpstream((request, response) => {
		request.resume().on('end', () => response.end());
	});
	const server = await startSandglass({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: upstream.url });
	const answer = await ask(`${server.url}/api/llm/anthropic/v1/messages`, {
		method: 'POST',
		headers: { 'content-length': String(33 * 2 ** 20) },
		body: ''
	}).catch(() => undefined);
	if (answer) expect(answer.status).toBe(413);
	const block = new Uint8Array(2 ** 20);
	let sent = 0;
	const endless = new ReadableStream<Uint8Array>({
		pull(controller) {
			sent += 1;
			if (sent > 40) controller.close();
			else controller.enqueue(block);
		}
	});
	const streamed = await fetch(`${server.url}/api/llm/anthropic/v1/messages`, {
		method: 'POST',
		body: endless,
		duplex: 'half'
	} as RequestInit);
	expect(streamed.status).toBe(413);
});

it('answers 429 with Retry-After beyond the rate limit', async () => {
	const server = await startSandglass({}, { rateLimits: { llm: 2 } });
	const post = () => ask(`${server.url}/api/llm/openai/responses`, { method: 'POST' });
	await post();
	await post();
	const third = await post();
	expect(third.status).toBe(429);
	expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
});
