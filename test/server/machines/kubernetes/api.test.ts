import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import http from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { KubernetesApi, type ApiRequest } from '#server/machines/kubernetes/api.ts';
import { inTime } from '#test/in-time.ts';
import { startUpstream } from '../../start.ts';

const schema = z.object({ items: z.array(z.object({ name: z.string() })) });
const GOOD = '{"items":[{"name":"a"}]}';

async function start(answer: http.RequestListener, token: string | undefined = 'word') {
	const asked: { call: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
	const server = await startUpstream((request, response) => {
		let body = '';
		request.on('data', (chunk) => (body += String(chunk)));
		request.on('end', () => {
			asked.push({ call: `${request.method} ${request.url}`, headers: request.headers, body });
			answer(request, response);
		});
	});
	const cluster = { server: server.url, namespace: 'machines', tls: {}, token: () => token };
	const api = new KubernetesApi(cluster);
	const ask = (request: ApiRequest) => inTime(api.ask(request, schema), 'the answer of the API server');
	return { api, ask, asked };
}

const answering = (status: number, body: string): http.RequestListener => {
	return (_request, response) => void response.writeHead(status).end(body);
};

describe('a call of an API server', () => {
	it('says who asks, and is parsed', async () => {
		const { ask, asked } = await start(answering(200, GOOD));
		expect(await ask({ method: 'GET', path: '/api/v1/pods?a=b' })).toEqual({ items: [{ name: 'a' }] });
		expect(asked).toMatchObject([
			{ call: 'GET /api/v1/pods?a=b', headers: { authorization: 'Bearer word', accept: 'application/json' }, body: '' }
		]);
		expect(asked[0]?.headers).not.toHaveProperty('content-type');
	});

	it('has no token where certificates say who asks', async () => {
		const { api, asked } = await start(answering(200, GOOD), '');
		expect(new KubernetesApi({ ...api.cluster, token: () => undefined }).headers()).toEqual({});
		const answer = new KubernetesApi({ ...api.cluster, token: () => undefined }).ask(
			{ method: 'GET', path: '/' },
			schema
		);
		await inTime(answer, 'the answer of the API server');
		expect(asked[0]?.headers).not.toHaveProperty('authorization');
	});

	it.each([
		['POST', 'application/json'],
		['DELETE', 'application/json'],
		['PATCH', 'application/merge-patch+json']
	] as const)('by %s sends JSON as %s, with its length in bytes', async (method, type) => {
		const { ask, asked } = await start(answering(201, GOOD));
		await ask({ method, path: '/', body: { name: 'é' } });
		expect(asked).toMatchObject([{ headers: { 'content-type': type, 'content-length': '13' }, body: '{"name":"é"}' }]);
	});

	it.each([300, 302, 404, 500])('is refused by the status %i, in the words of the server', async (status) => {
		const { ask } = await start(answering(status, '{"message":"No."}'));
		await expect(ask({ method: 'GET', path: '/' })).rejects.toMatchObject({
			name: 'KubernetesError',
			code: status,
			message: `Kubernetes answered ${status}: No.`
		});
	});

	it('may succeed with the highest of its statuses', async () => {
		const { ask } = await start(answering(299, GOOD));
		await expect(ask({ method: 'GET', path: '/' })).resolves.toBeDefined();
	});

	it.each([
		['{"items":[{"name":1}]}', 'items.0.name'],
		['{}', 'items'],
		['no JSON', '']
	])('that is answered by %s says where that is wrong', async (body, place) => {
		const { ask } = await start(answering(200, body));
		await expect(ask({ method: 'GET', path: '/where' })).rejects.toMatchObject({
			code: 200,
			message: `Kubernetes gave an invalid answer to /where: ${place}`
		});
	});

	it('that cannot be made, or breaks off, says why', async () => {
		const closed = new KubernetesApi({ server: 'http://127.0.0.1:1', namespace: '', tls: {}, token: () => '' });
		const refused = closed.ask({ method: 'GET', path: '/' }, schema);
		await expect(inTime(refused, 'the refusal of the call')).rejects.toMatchObject({
			name: 'KubernetesError',
			code: 0,
			message: expect.stringMatching(/^Kubernetes: connect ECONNREFUSED/)
		});
		const { ask } = await start((_request, response) => {
			response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
		});
		await expect(ask({ method: 'GET', path: '/' })).rejects.toThrow(/^Kubernetes: aborted$/);
	});

	it('is given up when nothing comes for half a minute', async () => {
		const { ask } = await start(() => undefined);
		const made: http.ClientRequest[] = [];
		const note = (message: unknown) => void made.push((message as { request: http.ClientRequest }).request);
		subscribe('http.client.request.start', note);
		onTestFinished(() => void unsubscribe('http.client.request.start', note));
		const answer = ask({ method: 'GET', path: '/' });
		await expect.poll(() => made.map((request) => Reflect.get(request, 'timeout'))).toEqual([30_000]);
		// Emitted by Node when that time is over.
		made[0]?.emit('timeout');
		await expect(answer).rejects.toThrow(/^Kubernetes: no answer in 30 seconds$/);
	});

	it('reads no more than 16 MB', async () => {
		const most = 16_777_216;
		const filled = (length: number) => `{"items":[],"x":"${'x'.repeat(length - 19)}"}`;
		const { ask } = await start(answering(200, filled(most)));
		await expect(ask({ method: 'GET', path: '/' })).resolves.toEqual({ items: [] });
		const { ask: askLarger } = await start(answering(200, filled(most + 1)));
		await expect(askLarger({ method: 'GET', path: '/' })).rejects.toThrow('the answer is too large');
	});
});
