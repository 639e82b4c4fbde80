import http from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { callerGone } from '#server/context.ts';
import { pickHeaders, relay } from '#server/relay.ts';
import { inTime } from '#test/in-time.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startRoutes } from './start.ts';

/** A server whose every answer is relayed from a source. */
const start = (source: Readable, headers: http.OutgoingHttpHeaders = {}) =>
	startRoutes((app) => app.get('/', (c) => relay(c, 202, headers, source)));

describe('an answer that is relayed', () => {
	it('has its status, its headers and ours, and an id', async () => {
		const { url, logged } = await start(Readable.from(['a', 'b']), {
			'content-type': 'text/x',
			'cache-control': 'private'
		});
		const { status, text, headers } = await ask(url);
		expect([status, text]).toEqual([202, 'ab']);
		expect(headers).toMatchObject({
			'content-type': 'text/x',
			'cache-control': 'private',
			'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
			'x-content-type-options': 'nosniff'
		});
		await expect.poll(() => logged).toMatchObject([{ status: 202, end: 'whole', id: headers['x-request-id'] }]);
	});

	it('has its head sent before its first byte', async () => {
		const source = new Readable({ read: () => undefined });
		const { url } = await start(source);
		const request = http.get(url);
		const [answer] = (await inTime(once(request, 'response'), 'the head')) as [http.IncomingMessage];
		expect(answer.statusCode).toBe(202);
		source.push('later');
		source.push(null);
		expect(String(Buffer.concat(await inTime(answer.toArray(), 'the body')))).toBe('later');
	});

	it('is cut, and never taken for whole, where its source fails', async () => {
		const source = new Readable({ read: () => undefined });
		const { url, logged } = await start(source);
		const answer = ask(url);
		source.push('half');
		await expect.poll(() => source.listenerCount('error'), { timeout: 10_000 }).toBeGreaterThan(0);
		source.destroy(new Error('gone'));
		await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
		await expect.poll(() => logged).toMatchObject([{ end: 'cut' }]);
	});

	it('lets go of its source when its caller leaves', async () => {
		const source = new Readable({ read: () => undefined });
		const { url } = await start(source);
		const request = http.get(url).on('error', () => undefined);
		await inTime(once(request, 'response'), 'the head');
		request.destroy();
		await expect.poll(() => source.destroyed).toBe(true);
	});

	it('lets go of its source when its caller has left before', async () => {
		const source = Readable.from(['a']);
		let isAborted = false;
		const { url } = await startRoutes((app) =>
			app.get('/', async (c) => {
				c.env.outgoing.destroy();
				isAborted = callerGone(c).aborted;
				return relay(c, 200, {}, source);
			})
		);
		await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect([source.destroyed, isAborted]).toEqual([true, true]);
	});
});

describe('the caller of a request', () => {
	const start = async () => {
		const signals: AbortSignal[] = [];
		const held: http.ServerResponse[] = [];
		const { url } = await startRoutes((app) =>
			app.get('/', (c) => {
				signals.push(callerGone(c));
				held.push(c.env.outgoing);
				return new Promise<Response>((resolve) => {
					if (c.req.query('whole') !== undefined) resolve(c.text('whole'));
				});
			})
		);
		return { url, signals, held };
	};

	it('that leaves aborts what is done for it', async () => {
		const { url, signals } = await start();
		const request = http.get(url).on('error', () => undefined);
		await expect.poll(() => signals).toHaveLength(1);
		expect(signals[0]?.aborted).toBe(false);
		request.destroy();
		await expect.poll(() => signals[0]?.aborted).toBe(true);
	});

	it('that has its answer aborts nothing', async () => {
		const { url, signals, held } = await start();
		expect((await ask(`${url}/?whole`)).text).toBe('whole');
		await expect.poll(() => held[0]?.closed).toBe(true);
		expect(signals[0]?.aborted).toBe(false);
	});
});

it('picks the headers that are there, several values as one', () => {
	expect(pickHeaders({ a: '1', b: ['2', '3'], c: undefined, d: '4' }, ['a', 'b', 'c', 'e'])).toStrictEqual({
		a: '1',
		b: '2, 3'
	});
});
