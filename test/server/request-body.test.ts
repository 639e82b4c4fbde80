import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { bodyBytes, bodyStream } from '#server/request-body.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startRoutes } from './start.ts';

const LIMIT = 8;
const CHUNKED = { 'transfer-encoding': 'chunked' };

async function start(read = bodyBytes) {
	const got: string[] = [];
	const failures: unknown[] = [];
	const { url } = await startRoutes((app) =>
		app.post('/', async (c) => {
			try {
				got.push(Buffer.from(await read(c, LIMIT)).toString());
			} catch (error) {
				failures.push(error);
				throw error;
			}
			return c.text('ok');
		})
	);
	return { url, got, failures };
}

describe('the body of a request', () => {
	it.each([
		['announced', {}],
		['not announced', CHUNKED]
	])('is read up to its limit where its length is %s', async (_which, headers: Record<string, string>) => {
		const { url, got } = await start();
		expect((await ask(url, { method: 'POST', headers, body: '12345678' })).status).toBe(200);
		expect((await ask(url, { method: 'POST', headers, body: '' })).status).toBe(200);
		expect(got).toEqual(['12345678', '']);
		const larger = await ask(url, { method: 'POST', headers, body: '123456789' });
		expect([larger.status, JSON.parse(larger.text).error]).toEqual([
			413,
			{ type: 'request_too_large', message: 'The request is larger than the limit of 8 bytes. Send less.' }
		]);
		expect(got).toHaveLength(2);
	});

	it('is passed on as it comes where its length is announced', async () => {
		const streams: boolean[] = [];
		const { url } = await startRoutes((app) =>
			app.post('/', async (c) => {
				const body = bodyStream(c, LIMIT);
				streams.push(body === c.env.incoming);
				body.resume();
				return c.text('ok');
			})
		);
		await ask(url, { method: 'POST', body: '1' });
		await ask(url, { method: 'POST', headers: CHUNKED, body: '1' });
		expect(streams).toEqual([true, false]);
	});

	it('ends with an error where its client disconnects', async () => {
		const { url, failures } = await start();
		const request = http.request(url, { method: 'POST', headers: CHUNKED });
		request.on('error', () => undefined); // aborted by the test
		request.write('1');
		request.once('socket', (socket) => socket.once('connect', () => setImmediate(() => request.destroy())));
		await expect.poll(() => failures).toEqual([new Error('The client disconnected.')]);
	});
});
