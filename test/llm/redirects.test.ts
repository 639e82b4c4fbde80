import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { watchedFetch } from '#llm/watched-fetch.ts';

async function listen(handler: http.RequestListener): Promise<string> {
	const server = http.createServer(handler);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([301, 302, 307, 308])(
	'follows no redirect %i of a provider, so key and prompt go nowhere else',
	async (status) => {
		const elsewhere: unknown[] = [];
		const other = await listen((request, response) => {
			elsewhere.push(request.method, request.headers);
			response.end('{}');
		});
		const provider = await listen((request, response) => {
			request.resume();
			response.writeHead(status, { location: `${other}/v1/messages` }).end();
		});
		const { signal } = new AbortController();
		const send = watchedFetch(fetch, { provider: 'anthropic', signal, onHeaders() {}, onBytes() {} });
		const init = { method: 'POST', headers: { 'x-api-key': 'sk-own' }, body: '{"a prompt":1}' };
		await expect(send(`${provider}/v1/messages`, init)).rejects.toMatchObject({
			code: 'invalid_request',
			message: expect.stringContaining('redirects')
		});
		expect(elsewhere).toEqual([]);
	}
);
