import { describe, expect, it } from 'vitest';
import { egressRoute } from '#server/proxy/egress.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startRoutes } from '../start.ts';
import { standInGuard } from './stand-in-guard.ts';

async function start(answer: Parameters<typeof standInGuard>[0] = {}) {
	const { guard, state } = standInGuard(answer);
	const routes = await startRoutes((app) => egressRoute(app, guard));
	const send = (options: Parameters<typeof ask>[1] = {}) =>
		ask(`${routes.url}/api/egress?url=${encodeURIComponent('https://api.example:8443/x?y=1')}`, options);
	return { ...routes, state, send };
}

describe('a request of the sandbox', () => {
	it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is sent by %s with its body', async (method) => {
		const { send, state } = await start();
		// Node sends no length for a body that DELETE and OPTIONS rarely have.
		const answer = await send({ method, body: 'sent', headers: { 'content-length': '4' } });
		expect(answer.text).toBe('answered');
		expect(state.asked).toEqual([expect.objectContaining({ method, sent: 'sent', headers: {} })]);
	});

	it.each(['GET', 'HEAD'])('is sent by %s without a body', async (method) => {
		const { send, state, logged } = await start();
		expect((await send({ method })).status).toBe(200);
		expect(state.asked).toEqual([expect.objectContaining({ method, sent: undefined })]);
		expect(state.asked[0]?.url.href).toBe('https://api.example:8443/x?y=1');
		await expect.poll(() => logged).toMatchObject([{ to: 'api.example:8443' }]);
	});

	it('has ten minutes and 256 MB for its answer, and 32 MB itself', async () => {
		const { send, state } = await start();
		await send();
		expect(state.asked[0]?.limits).toEqual({
			headersMs: 60_000,
			idleMs: 60_000,
			totalMs: 600_000,
			maxBytes: 268_435_456
		});
		const largest = new Uint8Array(33_554_432);
		expect((await send({ method: 'POST', body: largest })).status).toBe(200);
		const larger = await send({ method: 'POST', headers: { 'content-length': '33554433' } }).catch(() => undefined);
		if (larger) expect(larger.status).toBe(413);
		expect(state.asked).toHaveLength(2);
	});

	it('has its own headers, none of the page’s, and none of the connection', async () => {
		const { send, state } = await start();
		const connection = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'upgrade'];
		const others = ['expect', 'te', 'trailer', 'keep-alive', 'proxy-authorization'];
		const own = { authorization: 'mine', 'x-host': 'a', hostname: 'b', 'my-proxy-x': 'c', 'x-te': 'd', text: 'e' };
		await send({
			headers: {
				authorization: 'ours',
				cookie: 'ours=1',
				...Object.fromEntries([...connection, ...others].map((name) => [`x-egress-${name}`, 'x'])),
				...Object.fromEntries(Object.entries(own).map(([name, value]) => [`x-egress-${name}`, value]))
			}
		});
		expect(state.asked[0]?.headers).toEqual(own);
	});

	it('cannot have a header without a name', async () => {
		const { send, state } = await start();
		const answer = await send({ headers: { 'x-egress-': 'x' } });
		expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([400, 'header_invalid']);
		expect(JSON.parse(answer.text).error.message).toBe('X-Egress- needs the name of a header after it.');
		expect(state.asked).toEqual([]);
	});

	it('is answered with the host’s status and headers beside ours', async () => {
		const { send } = await start({
			status: 404,
			headers: {
				'content-type': 'text/html',
				'set-cookie': ['a=b', 'c=d'],
				connection: 'close',
				'keep-alive': 'timeout=5',
				'transfer-encoding': 'chunked',
				'content-encoding': 'gzip',
				'content-length': '1',
				age: undefined
			}
		});
		const { status, headers } = await send();
		expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream']);
		const given = Object.entries(headers).filter(([name]) => name.startsWith('x-egress-'));
		expect(Object.fromEntries(given)).toEqual({
			'x-egress-status': '404',
			'x-egress-content-type': 'text/html',
			'x-egress-set-cookie': 'a=b, c=d'
		});
	});

	it('is of these methods alone', async () => {
		const { send } = await start();
		const answer = await send({ method: 'PROPFIND' });
		expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS']);
	});
});
