import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { LocalWebSocket, WebSocketEnd } from '#environment/contract.ts';
import type { Connection } from '#computer/http/exchange.ts';
import { openWebSocket } from '#computer/http/web-socket.ts';

/** The `ws` package as the peer: a widely used WebSocket server. */
const server = new WebSocketServer({
	port: 0,
	handleProtocols: (offered) => (offered.has('chat') ? 'chat' : false),
	verifyClient: ({ req }: { req: { url?: string } }) => req.url !== '/no'
});
beforeAll(async () => {
	if (!server.address()) await once(server, 'listening');
	server.on('connection', (socket, request) => {
		socket.send(`${request.url} ${request.headers['cookie'] ?? ''}`);
		socket.on('message', (data, isBinary) => {
			if (String(data) === 'leave') return socket.close(4001, 'as asked');
			if (String(data) === 'break') return socket.terminate();
			if (String(data) === 'ping') return socket.ping('p');
			if (String(data) === 'parts') {
				socket.send('one ', { fin: false });
				return socket.send('two', { fin: true });
			}
			socket.send(data, { binary: isBinary });
		});
		socket.on('pong', (data) => socket.send(`pong ${String(data)}`));
		socket.on('close', (code) => closes.push(code));
	});
});
afterAll(() => server.close());
const closes: number[] = [];

function connect(): Connection {
	const socket = net.connect((server.address() as AddressInfo).port);
	const chunks = socket.iterator({ destroyOnReturn: false });
	return {
		read: async () => {
			const next = (await chunks.next()) as IteratorResult<Uint8Array, undefined>;
			return next.value ?? new Uint8Array(0);
		},
		write: (bytes) =>
			new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve()))),
		close: () => socket.destroy()
	};
}

/** Opens a WebSocket; its messages can be awaited one by one. */
async function open(target: string, protocols: string[] = []) {
	const arrived: (string | Uint8Array | WebSocketEnd)[] = [];
	let wake = (): void => {};
	const take = (what: string | Uint8Array | WebSocketEnd): void => {
		arrived.push(what);
		wake();
	};
	const request = {
		target,
		protocols,
		headers: [['Cookie', 'a=1']] as [string, string][],
		onMessage: take,
		onEnd: take
	};
	const socket: LocalWebSocket = await openWebSocket(connect(), 'localhost:1', request);
	const next = async () => {
		while (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve));
		return arrived.shift();
	};
	return { socket, next };
}

it('sends and takes text, bytes and long messages, in pieces too, and answers pings', async () => {
	const { socket, next } = await open('/path?q=1', ['other', 'chat']);
	expect(socket.protocol).toBe('chat');
	expect(await next()).toBe('/path?q=1 a=1');
	for (const length of [0, 125, 126, 65_535, 65_536]) {
		socket.send('ä'.repeat(length));
		expect(await next()).toBe('ä'.repeat(length));
		const bytes = Uint8Array.from({ length }, (_, at) => at & 255);
		socket.send(bytes);
		const same = await next();
		expect(same instanceof Uint8Array && Buffer.compare(same, bytes)).toBe(0);
	}
	socket.send('parts');
	expect(await next()).toBe('one two');
	socket.send('ping');
	expect(await next()).toBe('pong p');
	socket.close(4000, 'enough');
	expect(await next()).toEqual({ code: 4000, reason: 'enough', isClean: true });
	await expect.poll(() => closes).toContain(4000);
});

it('says how it ended: closed by the server, broken off, refused', async () => {
	const first = await open('/');
	await first.next();
	first.socket.send('leave');
	expect(await first.next()).toEqual({ code: 4001, reason: 'as asked', isClean: true });
	const second = await open('/');
	await second.next();
	second.socket.send('break');
	expect(await second.next()).toMatchObject({ code: 1006, isClean: false });
	second.socket.send('too late');
	await expect(open('/no')).rejects.toThrow('the server answered 401 Unauthorized');
});
