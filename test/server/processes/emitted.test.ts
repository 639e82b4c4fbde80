import { createClient } from '@redis/client';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { noRedis, startRedis } from '../limits/redis.ts';
import { ask, startUpstream } from '../start.ts';
import { serve, temporaryFolder } from './serve.ts';

const secrets = {
	ANTHROPIC_API_KEY: 'sk-ant-hidden-anthropic-0123456789',
	OPENAI_API_KEY: 'sk-hidden-openai-0123456789abcdef',
	GEMINI_API_KEY: 'AIza-hidden-gemini-0123456789abcdef',
	COMPATIBLE_BOX_API_KEY: 'box-hidden-compatible-0123456789',
	SANDGLASS_TOKEN: 'hidden-token-of-the-operator-01234'
};
const calls = [
	['POST', 'anthropic/v1/messages'],
	['GET', 'anthropic/v1/models'],
	['POST', 'openai/responses'],
	['POST', 'openai/chat/completions'],
	['POST', 'gemini/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse'],
	['POST', 'compatible-box/chat/completions']
] as const;

/** Unchanged, in base64, URL-encoded, and its first half, as some providers repeat it. */
const forms = (secret: string): string[] => [
	secret,
	Buffer.from(secret).toString('base64').replace(/=+$/, ''),
	encodeURIComponent(secret),
	secret.slice(0, Math.ceil(secret.length / 2))
];

it('emits no key, by any route: not in an answer, its headers, the log, the metrics, a share, nor to another host', async () => {
	const folder = temporaryFolder();
	const redis = noRedis === undefined ? await startRedis() : undefined;
	if (redis) onTestFinished(redis.stop);
	let status = 200;
	const received: string[] = [];
	const provider = await startUpstream((request, response) => {
		const key = String(
			request.headers['x-api-key'] ?? request.headers['x-goog-api-key'] ?? request.headers.authorization
		).replace('Bearer ', '');
		received.push(key);
		buffer(request).then(
			() => {
				response.writeHead(status, { 'x-echo': key, 'request-id': key, location: `/?${key}` });
				// Twice, the second time in two pieces: a streamed answer, or an error.
				response.write(`data: {"error":{"message":"fine with ${key}"}}\n\n${key.slice(0, 20)}`);
				setImmediate(() => response.end(`${key.slice(20)} and done`));
			},
			() => response.destroy()
		);
	});
	const stranger = await startUpstream((request, response) => {
		received.push('stranger', JSON.stringify([request.url, request.rawHeaders]));
		response.writeHead(request.url === '/moved' ? 302 : 200, { location: '/', 'content-type': 'text/plain' }).end('x');
	});
	const server = await serve({
		...secrets,
		ANTHROPIC_BASE_URL: provider.url,
		OPENAI_BASE_URL: `${provider.url}/v1`,
		GOOGLE_GEMINI_BASE_URL: provider.url,
		COMPATIBLE_BOX_BASE_URL: `${provider.url}/v1`,
		SANDGLASS_ALLOW_HOSTS: stranger.host,
		SANDGLASS_ARCHIVE_HOSTS: `${stranger.host}=gitea`,
		NPM_REGISTRY: stranger.url,
		SANDGLASS_METRICS: '1',
		SHARES_DIR: folder,
		...(redis ? { REDIS_URL: redis.url } : {})
	});
	const emitted: unknown[] = [];
	const headers = { 'x-sandglass-token': secrets.SANDGLASS_TOKEN };
	const call = async (path: string, method = 'GET', body?: string): Promise<void> =>
		void emitted.push(await ask(server.url + path, { method, headers, body }));
	for (status of [200, 302, 400, 401, 403, 404, 429, 500, 529])
		for (const [method, path] of calls) await call(`/api/llm/${path}`, method, method === 'POST' ? '{}' : undefined);
	expect(JSON.stringify(emitted)).toMatch(/fine with \*+[\s\S]* and done/); // the rest of such an answer arrives
	expect(new Set(received)).toEqual(new Set(Object.values(secrets).slice(0, 4))); // each was called with its key
	received.length = 0;
	const url = encodeURIComponent(`${stranger.url}/a/b`);
	for (const path of [
		'/',
		'/runner',
		'/preview-frame',
		'/nothing',
		'/api/config',
		'/api/health',
		'/metrics',
		'/api/nothing',
		`/api/fetch?url=${url}`,
		`/api/fetch?url=${encodeURIComponent(`${stranger.url}/moved`)}`,
		`/api/egress?url=${url}`,
		`/api/archive?url=${url}&ref=main`,
		'/api/npm/express',
		`/api/git/http/${stranger.host}/r.git/info/refs?service=git-upload-pack`,
		'/api/llm/anthropic/v1/files'
	])
		await call(path);
	await call('/api/shares', 'PUT', 'a share');
	expect((await ask(`${server.url}/api/config`)).status).toBe(401);
	emitted.push(await unparsed(server.url));
	if (redis) emitted.push(await everythingIn(redis.url));
	await server.kill('SIGTERM');
	expect(emitted.length).toBeGreaterThan(65);
	expect(received.filter((each) => each === 'stranger').length).toBeGreaterThanOrEqual(6);
	expect(server.said().split('\n').length).toBeGreaterThan(65); // one line per request
	const shares = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'latin1'));
	expect(shares.join()).toContain('a share');

	const everything = JSON.stringify([emitted, received, shares, server.said()]);
	for (const [name, secret] of Object.entries(secrets))
		for (const form of forms(secret)) expect(everything.includes(form), `${name} as ${form}`).toBe(false);

	const wrong = serve({ ...secrets, PORT: 'none', ANTHROPIC_API_KEY: `${secrets.ANTHROPIC_API_KEY} twice` });
	const words = await wrong.then(String, (error: unknown) => String(error));
	expect(words).toContain('ANTHROPIC_API_KEY must be one word');
	for (const secret of Object.values(secrets)) expect(words).not.toContain(secret);
}, 60_000);

/** Response to bytes that are not a request. */
function unparsed(url: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const request = http.request(url, { method: 'CONNECT' });
		request.on('connect', (answer, socket, head) => {
			socket.destroy();
			resolve(JSON.stringify([answer.statusCode, answer.headers, head.toString()]));
		});
		request.on('error', reject).end();
	});
}

async function everythingIn(url: string): Promise<string[]> {
	const client = await createClient({ url }).connect();
	const keys = await client.keys('*');
	const values = await Promise.all(keys.map((key) => client.get(key)));
	client.destroy();
	expect(keys.length).toBeGreaterThan(0);
	return [...keys, ...values.map(String)];
}
