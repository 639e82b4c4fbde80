import { once } from 'node:events';
import http from 'node:http';
import { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createUpstream, type UpstreamRequest } from '#server/llm/upstream.ts';
import { Refusal } from '#server/refusal.ts';
import { inTime } from '#test/in-time.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startUpstream } from '../start.ts';

const KEY = 'sk-server-secret-0123456789';
const HOUR_MS = 3_600_000;

async function headOf(request: http.ClientRequest): Promise<http.IncomingMessage> {
	const [answer] = (await inTime(once(request, 'response'), 'the head of the answer')) as [http.IncomingMessage];
	return answer;
}

/**
 * A server that forwards every request to the provider; `failures` has the reasons why calls ended without an answer.
 */
async function start(
	provider: http.RequestListener,
	call: Partial<Omit<UpstreamRequest, 'caller' | 'url'>> & { path?: string } = {},
	receive?: (response: http.ServerResponse) => Writable
) {
	const origin = await startUpstream(provider);
	const upstream = createUpstream();
	onTestFinished(() => upstream.close());
	const failures: unknown[] = [];
	const callers: http.ServerResponse[] = [];
	const page = await startUpstream((request, response) => {
		request.resume();
		callers.push(response);
		upstream
			.send(
				{
					url: new URL(origin.url + (call.path ?? '/')),
					method: 'POST',
					headers: {},
					body: undefined,
					timeoutMs: HOUR_MS,
					hide: undefined,
					...call,
					caller: response
				},
				(status, headers) => {
					if (receive) return receive(response);
					const { connection: _connection, 'transfer-encoding': _encoding, ...rest } = headers;
					return response.writeHead(status, rest);
				}
			)
			.catch((error: unknown) => {
				failures.push(error);
				response.destroy();
			});
	});
	return { url: page.url, origin, upstream, failures, callers };
}

describe('a call to a provider', () => {
	it('has its address, its headers and its body, and its answer comes back', async () => {
		const seen: unknown[] = [];
		const provider: http.RequestListener = (request, response) => {
			let body = '';
			request.on('data', (chunk) => (body += String(chunk)));
			request.on('end', () => {
				seen.push([request.method, request.url, request.headers['x-a'], body]);
				response.writeHead(201, { 'x-b': '2' }).end('answered');
			});
		};
		const headers = { 'x-a': '1' };
		for (const [method, body] of [
			['POST', Buffer.from('bytes')],
			['POST', Readable.from([Buffer.from('str'), Buffer.from('eam')])],
			['GET', undefined]
		] as const) {
			const { url } = await start(provider, { method, headers, body, path: '/v1/x?y=1' });
			expect(await ask(url)).toMatchObject({ status: 201, headers: { 'x-b': '2' }, text: 'answered' });
		}
		expect(seen).toEqual([
			['POST', '/v1/x?y=1', '1', 'bytes'],
			['POST', '/v1/x?y=1', '1', 'stream'],
			['GET', '/v1/x?y=1', '1', '']
		]);
	});

	it('has its key masked in headers and body, and what only begins like it in full', async () => {
		const { url } = await start(
			(_request, response) => response.writeHead(200, { 'x-echo': KEY }).end(`a ${KEY} b ${KEY.slice(0, 5)}`),
			{ hide: KEY }
		);
		const stars = '*'.repeat(KEY.length);
		expect(await ask(url)).toMatchObject({ headers: { 'x-echo': stars }, text: `a ${stars} b ${KEY.slice(0, 5)}` });
	});

	it('goes on after hints that are no answer', async () => {
		const { url } = await start((_request, response) => {
			response.writeEarlyHints({ link: '</a>; rel=preload' });
			response.writeHead(200).end('answered');
		});
		expect(await ask(url)).toMatchObject({ status: 200, text: 'answered' });
	});

	it('has the head of its answer sent on before the first byte', async () => {
		const held: http.ServerResponse[] = [];
		const { url } = await start((_request, response) => {
			response.writeHead(200).flushHeaders();
			held.push(response);
		});
		const request = http.get(url);
		const answer = await headOf(request);
		expect(answer.statusCode).toBe(200);
		held[0]?.end('later');
		expect(String(Buffer.concat(await inTime(answer.toArray(), 'its body')))).toBe('later');
	});

	it('waits for a page that reads slowly', async () => {
		const total = 32 * 2 ** 20;
		let written = 0;
		const { url } = await start((_request, response) => {
			const block = Buffer.alloc(2 ** 20);
			const more = (): void => {
				while (written < total) {
					written += block.length;
					if (!response.write(block)) return;
				}
				response.end();
			};
			response.on('drain', more);
			more();
		});
		const request = http.get(url);
		const answer = await headOf(request);
		// It stops once the buffers on the way are full.
		let before = -1;
		await expect
			.poll(() => [before, (before = written)].every((each, _index, all) => each === all[0]), { interval: 50 })
			.toBe(true);
		expect(written).toBeLessThan(total);
		const lengthOf = async () => {
			let bytes = 0;
			for await (const chunk of answer) bytes += (chunk as Buffer).length;
			return bytes;
		};
		expect(await inTime(lengthOf(), 'the rest of the answer')).toBe(total);
	});

	it('leaves no listener behind on a connection that is used again', async () => {
		const { url, callers } = await start((_request, response) => response.end('answered'));
		const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
		onTestFinished(() => agent.destroy());
		const counts: number[] = [];
		for (let count = 0; count < 3; count += 1) {
			const request = http.get(url, { agent });
			const answer = await headOf(request);
			await inTime(answer.toArray(), 'its body');
			counts.push(callers.at(-1)?.req.socket.listenerCount('end') ?? -1);
		}
		expect(new Set(callers.map(({ req }) => req.socket)).size).toBe(1);
		expect(counts[2]).toBe(counts[0]);
	});
});

describe('a call that ends early', () => {
	it('is aborted when its page goes away, before an answer and in the middle of one', async () => {
		for (const isAnswered of [false, true]) {
			const asked: http.ServerResponse[] = [];
			const { url } = await start((_request, response) => {
				if (isAnswered) response.writeHead(200).write('half');
				asked.push(response);
			});
			const request = http.get(url).on('error', () => undefined);
			if (isAnswered) await headOf(request);
			await expect.poll(() => asked).toHaveLength(1);
			const closed = once(asked[0] ?? request, 'close');
			request.destroy();
			await inTime(closed, 'the end of the call to the provider');
			expect(asked[0]?.writableFinished).toBe(false);
		}
	});

	it.each(['its response closes', 'its connection ends'])('is aborted as soon as %s', async (what) => {
		const asked: http.ServerResponse[] = [];
		const origin = await startUpstream((_request, response) => void asked.push(response));
		const upstream = createUpstream();
		onTestFinished(() => upstream.close());
		const socket = new Socket();
		const caller = new http.ServerResponse(new http.IncomingMessage(socket));
		const call = { url: new URL(origin.url), method: 'GET', headers: {}, body: undefined, timeoutMs: HOUR_MS } as const;
		const failed = expect(upstream.send({ ...call, hide: undefined, caller }, () => caller)).rejects.toMatchObject({
			cause: new Error('The client disconnected.')
		});
		await expect.poll(() => asked).toHaveLength(1);
		if (what === 'its connection ends') socket.emit('end');
		else caller.emit('close');
		await inTime(failed, 'the refusal of the call');
		await expect.poll(() => asked[0]?.destroyed).toBe(true);
	});

	it('leaves nothing on a response whose call is over', async () => {
		const origin = await startUpstream((_request, response) => response.end('answered'));
		const upstream = createUpstream();
		onTestFinished(() => upstream.close());
		const caller = new http.ServerResponse(new http.IncomingMessage(new Socket()));
		const listeners = () => caller.listenerCount('close');
		const before = listeners();
		const call = { url: new URL(origin.url), method: 'GET', headers: {}, body: undefined, timeoutMs: HOUR_MS } as const;
		const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
		const answered = await inTime(
			upstream.send({ ...call, hide: undefined, caller }, () => sink),
			'an answer'
		);
		expect(answered).toBe(sink);
		await expect.poll(() => sink.writableFinished).toBe(true);
		expect(listeners()).toBe(before);
	});

	it('is not even made for a page that has gone', async () => {
		let asked = 0;
		const origin = await startUpstream((_request, response) => {
			asked += 1;
			response.end();
		});
		const upstream = createUpstream();
		onTestFinished(() => upstream.close());
		const caller = new http.ServerResponse(new http.IncomingMessage(new Socket()));
		caller.destroy();
		const call = { url: new URL(origin.url), method: 'GET', headers: {}, body: undefined, timeoutMs: HOUR_MS } as const;
		await expect(upstream.send({ ...call, hide: undefined, caller }, () => caller)).rejects.toMatchObject({
			status: 502,
			cause: new Error('The client disconnected.')
		});
		expect(asked).toBe(0);
	});

	it('is refused in time where its provider says nothing', async () => {
		const { url, failures } = await start(() => undefined, { timeoutMs: 20 });
		await ask(url).catch(() => undefined);
		expect(failures).toEqual([
			expect.objectContaining({
				status: 504,
				code: 'upstream_timeout',
				message: 'The provider did not respond in time. Try again later.'
			})
		]);
	});

	it('is cut in time where its provider falls silent in the middle', async () => {
		const { url } = await start((_request, response) => void response.writeHead(200).write('half'), { timeoutMs: 20 });
		await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
	});

	it('is refused where its provider cannot be reached, and the log gets the reason', async () => {
		const { url, failures } = await start((request) => request.socket.destroy());
		await ask(url).catch(() => undefined);
		expect(failures).toEqual([
			expect.objectContaining({
				status: 502,
				code: 'upstream_unreachable',
				message: 'The provider could not be reached. Try again later.',
				cause: expect.any(Error)
			})
		]);
	});

	it('is what its receiver says it is', async () => {
		const refusal = new Refusal(502, 'redirect_refused', 'No.');
		const { url, failures } = await start(
			(_request, response) => void response.writeHead(302).end(),
			{},
			() => {
				throw refusal;
			}
		);
		await ask(url).catch(() => undefined);
		expect(failures).toEqual([refusal]);
	});

	it('is no whole answer to its page, or to any other reader', async () => {
		const cutOff: http.RequestListener = (_request, response) => {
			response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy());
		};
		await expect(ask((await start(cutOff)).url)).rejects.toMatchObject({ code: 'ECONNRESET' });
		const errors: unknown[] = [];
		const { url } = await start(cutOff, {}, () => {
			const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
			return sink.on('error', (error) => errors.push(error));
		});
		const request = http.get(url).on('error', () => undefined);
		await expect.poll(() => errors).toEqual([expect.any(Error)]);
		request.destroy();
	});

	it('cannot be made when the server has ended', async () => {
		const { url, upstream, failures } = await start((_request, response) => response.end());
		upstream.close();
		await ask(url).catch(() => undefined);
		expect(failures).toEqual([expect.objectContaining({ code: 'upstream_unreachable' })]);
	});
});
