import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { KubernetesApi } from '#server/machines/kubernetes/api.ts';
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
	return { api: new KubernetesApi(cluster), asked };
}

const answering = (status: number, body: string): http.RequestListener => {
	return (_request, response) => void response.writeHead(status).end(body);
};

describe('a call of an API server', () => {
	it('says who asks, and is parsed', async () => {
		const { api, asked } = await start(answering(200, GOOD));
		expect(await api.ask({ method: 'GET', path: '/api/v1/pods?a=b' }, schema)).toEqual({ items: [{ name: 'a' }] });
		expect(asked).toMatchObject([
			{ call: 'GET /api/v1/pods?a=b', headers: { authorization: 'Bearer word', accept: 'application/json' }, body: '' }
		]);
		expect(asked[0]?.headers).not.toHaveProperty('content-type');
	});

	it('has no token where certificates say who asks', async () => {
		const { api, asked } = await start(answering(200, GOOD), '');
		expect(new KubernetesApi({ ...api.cluster, token: () => undefined }).headers()).toEqual({});
		await new KubernetesApi({ ...api.cluster, token: () => undefined }).ask({ method: 'GET', path: '/' }, schema);
		expect(asked[0]?.headers).not.toHaveProperty('authorization');
	});

	it.each([
		['POST', 'application/json'],
		['DELETE', 'application/json'],
		['PATCH', 'application/merge-patch+json']
	] as const)('by %s sends JSON as %s, with its length in bytes', async (method, type) => {
		const { api, asked } = await start(answering(201, GOOD));
		await api.ask({ method, path: '/', body: { name: 'é' } }, schema);
		expect(asked).toMatchObject([{ headers: { 'content-type': type, 'content-length': '13' }, body: '{"name":"é"}' }]);
	});

	it.each([300, 302, 404, 500])('is refused by the status %i, in the words of the server', async (status) => {
		const { api } = await start(answering(status, '{"message":"No."}'));
		await expect(api.ask({ method: 'GET', path: '/' }, schema)).rejects.toMatchObject({
			name: 'KubernetesError',
			code: status,
			message: `Kubernetes answered ${status}: No.`
		});
	});

	it('may succeed with the highest of its statuses', async () => {
		const { api } = await start(answering(299, GOOD));
		await expect(api.ask({ method: 'GET', path: '/' }, schema)).resolves.toBeDefined();
	});

	it.each([
		['{"items":[{"name":1}]}', 'items.0.name'],
		['{}', 'items'],
		['no JSON', '']
	])('that is answered by %s says where that is wrong', async (body, place) => {
		const { api } = await start(answering(200, body));
		await expect(api.ask({ method: 'GET', path: '/where' }, schema)).rejects.toMatchObject({
			code: 200,
			message: `Kubernetes gave an invalid answer to /where: ${place}`
		});
	});

	it('that cannot be made, or breaks off, says why', async () => {
		const closed = new KubernetesApi({ server: 'http://127.0.0.1:1', namespace: '', tls: {}, token: () => '' });
		await expect(closed.ask({ method: 'GET', path: '/' }, schema)).rejects.toMatchObject({
			name: 'KubernetesError',
			code: 0,
			message: expect.stringMatching(/^Kubernetes: connect ECONNREFUSED/)
		});
		const { api } = await start((_request, response) => {
			response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
		});
		await expect(api.ask({ method: 'GET', path: '/' }, schema)).rejects.toThrow(/^Kubernetes: aborted$/);
	});

	it('reads no more than 16 MB', async () => {
		const most = 16_777_216;
		const filled = (length: number) => `{"items":[],"x":"${'x'.repeat(length - 19)}"}`;
		const { api } = await start(answering(200, filled(most)));
		await expect(api.ask({ method: 'GET', path: '/' }, schema)).resolves.toEqual({ items: [] });
		const { api: larger } = await start(answering(200, filled(most + 1)));
		await expect(larger.ask({ method: 'GET', path: '/' }, schema)).rejects.toThrow('the answer is too large');
	});
});
