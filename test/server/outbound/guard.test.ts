import type { LookupFunction } from 'node:net';
import { once } from 'node:events';
import type http from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGuard } from '#server/outbound/guard.ts';
import type { OutboundRequest } from '#server/outbound/types.ts';
import { Refusal } from '#server/refusal.ts';
import { inTime } from '#test/in-time.ts';
import { startUpstream } from '../start.ts';

const HOUR_MS = 3_600_000;
const LIMITS = { headersMs: HOUR_MS, idleMs: HOUR_MS, totalMs: HOUR_MS, maxBytes: 1_000 };

async function start(handler: http.RequestListener, isAllowed = true) {
	const host = await startUpstream(handler);
	const guard = createGuard({ allowHosts: isAllowed ? [host.host] : [], ownHosts: () => [] });
	onTestFinished(() => guard.close());
	const send = (request: Partial<OutboundRequest> = {}, alsoAllowed?: string) => {
		const sent: OutboundRequest = {
			url: new URL(`${host.url}/path?query`),
			method: 'GET',
			headers: {},
			signal: new AbortController().signal,
			limits: LIMITS,
			...request
		};
		return inTime(guard.request(sent, alsoAllowed), `an answer from ${sent.url.href}`);
	};
	return { ...host, guard, send };
}

const wholeBody = (body: Readable) => inTime(buffer(body), 'the whole body');

const answering: http.RequestListener = (request, response) => {
	let body = '';
	request.on('data', (chunk) => (body += String(chunk)));
	request.on('end', () => {
		const { method, url, headers } = request;
		response.writeHead(201, { 'x-a': '1' }).end(JSON.stringify({ method, url, headers, body }));
	});
};

describe('a request to the outside', () => {
	it('is sent as it is, and its answer comes back', async () => {
		const { send, host, url } = await start(answering);
		const answer = await send({ headers: { 'x-b': '2', 'accept-encoding': 'gzip' } });
		expect(answer).toMatchObject({ status: 201, headers: { 'x-a': '1' } });
		expect(answer.url.href).toBe(`${url}/path?query`);
		expect(JSON.parse(String(await wholeBody(answer.body)))).toMatchObject({
			method: 'GET',
			url: '/path?query',
			headers: { host, 'x-b': '2', 'accept-encoding': 'identity' },
			body: ''
		});
	});

	it.each([
		['bytes', () => new TextEncoder().encode('sent'), 'content-length', '4'],
		['a stream', () => Readable.from([Buffer.from('se'), Buffer.from('nt')]), 'transfer-encoding', 'chunked']
	])('has a body of %s', async (_what, body, header, value) => {
		const { send } = await start(answering);
		const answer = await send({ method: 'POST', headers: { 'x-b': '2' }, body: body() });
		expect(JSON.parse(String(await wholeBody(answer.body)))).toMatchObject({
			method: 'POST',
			body: 'sent',
			headers: { 'x-b': '2', [header]: value }
		});
	});

	it('has its answer decoded', async () => {
		const { send } = await start((_request, response) =>
			response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('decoded'))
		);
		expect(String(await wholeBody((await send()).body))).toBe('decoded');
	});

	it('goes to an address that is not public only where the operator allows that, for all or for this route', async () => {
		const { send, host } = await start(answering, false);
		await expect(send()).rejects.toMatchObject({ status: 403 });
		expect((await send({}, host)).status).toBe(201);
		await expect(send({}, 'other.example:80')).rejects.toMatchObject({ status: 403 });
	});

	it('to an address that filters refuse says so in our words', async () => {
		const guard = createGuard({ allowHosts: [], ownHosts: () => [] });
		onTestFinished(() => guard.close());
		const url = new URL('http://10.0.0.1/');
		const request = { url, method: 'GET', headers: {}, signal: new AbortController().signal, limits: LIMITS };
		await expect(guard.request(request)).rejects.toMatchObject({
			status: 403,
			code: 'address_refused',
			message: expect.stringMatching(/^10\.0\.0\.1 is not on the public internet/)
		});
	});

	it('that cannot be made says why, and lets go of its body', async () => {
		const { guard } = await start(answering);
		const open = createGuard({ allowHosts: ['127.0.0.1:1'], ownHosts: () => [] });
		onTestFinished(() => open.close());
		const body = new Readable({ read: () => undefined });
		await expect(
			open.request({
				url: new URL('http://127.0.0.1:1/'),
				method: 'POST',
				headers: {},
				body,
				signal: new AbortController().signal,
				limits: LIMITS
			})
		).rejects.toMatchObject({
			status: 502,
			code: 'upstream_unreachable',
			message: '127.0.0.1:1 could not be reached (ECONNREFUSED). Check the address, or try again later.'
		});
		expect(body.destroyed).toBe(true);
		guard.close();
	});

	it.each(['ENOTFOUND', 'EAI_AGAIN'])('to a name without an address says that, by %s', async (code) => {
		const lookup: LookupFunction = (_, __, done) => done(Object.assign(new Error('no address'), { code }), '', 0);
		const guard = createGuard({ allowHosts: [], ownHosts: () => [] }, lookup);
		onTestFinished(() => guard.close());
		const signal = new AbortController().signal;
		const url = new URL('https://missing.example/');
		await expect(
			guard.request({ url, method: 'GET', headers: {}, body: undefined, signal, limits: LIMITS })
		).rejects.toMatchObject({
			status: 502,
			code: 'upstream_not_found',
			message: `missing.example was not found (${code}). Check the name of the host.`
		});
	});

	it('breaks off with its body, in the words of what broke it', async () => {
		const { send } = await start((request) => void request.resume());
		const body = new Readable({ read: () => undefined });
		const sent = send({ method: 'POST', body });
		const refusal = new Refusal(413, 'request_too_large', 'Too large.');
		setImmediate(() => body.destroy(refusal));
		await expect(sent).rejects.toBe(refusal);
		const other = new Readable({ read: () => undefined });
		const failed = send({ method: 'POST', body: other });
		setImmediate(() => other.destroy(new Error('The client disconnected.')));
		await expect(failed).rejects.toMatchObject({
			message: expect.stringMatching(/^127\.0\.0\.1:\d+ could not be reached\. Check the address/)
		});
	});

	it('ends when its caller has gone, before an answer and in the middle of one', async () => {
		const closed: boolean[] = [];
		const { send } = await start((request, response) => {
			response.once('close', () => closed.push(response.writableFinished));
			if (request.method === 'POST') response.writeHead(200).write('half');
		});
		const before = new AbortController();
		const waiting = send({ signal: before.signal });
		setTimeout(() => before.abort(), 20);
		await expect(waiting).rejects.toMatchObject({ status: 502 });
		const middle = new AbortController();
		const { body } = await send({ method: 'POST', signal: middle.signal });
		middle.abort();
		await expect(wholeBody(body)).rejects.toThrow();
		await expect.poll(() => closed).toEqual([false, false]);
	});

	it.each([
		['headersMs', 'GET', '127.0.0.1 did not respond in time. Try again later.'],
		['totalMs', 'GET', '127.0.0.1 took too long. Try again later, or request less.'],
		['idleMs', 'POST', '127.0.0.1 stopped in the middle of its response.'],
		['totalMs', 'POST', '127.0.0.1 took too long. Try again later, or request less.']
	] as const)('has a limit %s with %s, and then says: %s', async (limit, method, sentence) => {
		const { send } = await start((request, response) => {
			if (request.method === 'POST') response.writeHead(200).write('half');
		});
		const failure = await send({ method, limits: { ...LIMITS, [limit]: 30 } })
			.then(({ body }) => wholeBody(body))
			.catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(Refusal);
		expect(failure).toMatchObject({ status: 504, code: 'upstream_timeout' });
		expect((failure as Refusal).message.replace(/:\d+/, '')).toBe(sentence);
	});

	it('leaves no timer behind that would keep a server from ending', async () => {
		const { send } = await start(answering);
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		onTestFinished(() => void vi.useRealTimers());
		const { body } = await send();
		const closed = once(body, 'close');
		expect(vi.getTimerCount()).toBe(1);
		await wholeBody(body);
		await inTime(closed, 'the end of the answer');
		expect(vi.getTimerCount()).toBe(0);
		for (const refused of ['ftp://a.example', 'http://10.0.0.1'])
			await expect(send({ url: new URL(refused) })).rejects.toBeInstanceOf(Refusal);
		expect(vi.getTimerCount()).toBe(0);
	});

	it('names the code of an error only where that is a word', async () => {
		const { send } = await start((request) => void request.resume());
		const body = new Readable({ read: () => undefined });
		const sent = send({ method: 'POST', body });
		setImmediate(() => body.destroy(new DOMException('The tab was closed.', 'AbortError')));
		await expect(sent).rejects.toMatchObject({
			status: 502,
			message: expect.stringMatching(/^127\.0\.0\.1:\d+ could not be reached\. Check the address/)
		});
	});
});
