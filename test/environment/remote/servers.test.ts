import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalResponse, Process } from '#environment/contract.ts';
import { parseListening } from '#environment/local/listening-sockets.ts';
import type { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { ReachedServers } from '#page/machines/reached-servers.ts';
import { createMachine, overPair, type Machine } from './temporary.ts';

/** Echoes over HTTP and WebSocket, and sends as fast as possible at `/endless`. */
const SERVER = `
const http = require('http');
const { WebSocketServer } = require(${JSON.stringify(createRequire(import.meta.url).resolve('ws'))});
let sent = 0;
const server = http.createServer(async (request, response) => {
	if (request.url === '/sent') return response.end(String(sent));
	if (request.url === '/endless') {
		const chunk = Buffer.alloc(65536, 'x');
		while (!response.destroyed) {
			sent += chunk.length;
			if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
		}
		return;
	}
	let body = '';
	for await (const chunk of request) body += chunk;
	response.setHeader('X-Seen', request.headers.host);
	response.end(request.method + ' ' + request.url + ' ' + body);
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
new WebSocketServer({ server }).on('connection', (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })));
`;

const text = async ({ body }: LocalResponse): Promise<string> => {
	const chunks: Uint8Array[] = [];
	for await (const chunk of body) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
};
const get = (target: string) => ({ method: 'GET', target, headers: [], body: null });

describe.skipIf(process.platform !== 'linux')('servers on a machine', () => {
	let machine: Machine;
	let environment: RemoteExecutionEnvironment;
	let servers: ReachedServers;
	let server: Process;
	let port: number;

	beforeAll(async () => {
		machine = await createMachine();
		environment = await overPair(machine);
		if (!environment.servers) throw new Error('This machine offers no servers.');
		servers = new ReachedServers(environment.servers);
		await environment.writeFile('server.cjs', SERVER);
		port = await new Promise<number>((resolve, reject) => {
			const onOutput = ({ data }: { data: string }): void => resolve(Number(data));
			environment.start('exec node server.cjs', { onOutput }).then((started) => (server = started), reject);
		});
	});
	afterAll(async () => {
		await environment.cleanup();
		await machine.dispose();
	});

	it('are seen with their process when a command starts them', async () => {
		await expect.poll(() => servers.ports.map((each) => each.port)).toEqual([port]);
		expect(servers.ports[0]).toMatchObject({ pid: server.pid, command: 'node server.cjs' });
	});

	it('answer requests through the channel', async () => {
		const body = new TextEncoder().encode('a body');
		const answer = await servers.fetch(port, { method: 'POST', target: '/here?a=1', headers: [], body });
		expect(answer.status).toBe(200);
		expect(answer.headers).toContainEqual(['X-Seen', `localhost:${port}`]);
		expect(await text(answer)).toBe('POST /here?a=1 a body');
		const many = await Promise.all(
			Array.from({ length: 40 }, (_, at) => servers.fetch(port, get(`/${at}`)).then(text))
		);
		expect(many).toEqual(Array.from({ length: 40 }, (_, at) => `GET /${at} `));
	});

	it('speak WebSocket', async () => {
		const heard: (string | Uint8Array)[] = [];
		let end: { code: number } | undefined;
		const socket = await servers.webSocket(port, {
			target: '/',
			protocols: [],
			headers: [],
			onMessage: (message) => heard.push(message),
			onEnd: (ended) => (end = ended)
		});
		socket.send('hello');
		socket.send(new Uint8Array([1, 2, 3]));
		await expect.poll(() => heard).toEqual(['hello', new Uint8Array([1, 2, 3])]);
		socket.close(4000, 'over');
		await expect.poll(() => end?.code).toBe(4000);
	});

	it('wait for a page that does not read', async () => {
		const endless = await servers.fetch(port, get('/endless'));
		const chunks = endless.body[Symbol.asyncIterator]();
		await chunks.next();
		const sent = async (): Promise<number> => Number(await text(await servers.fetch(port, get('/sent'))));
		// Only as much is sent as fits into the socket buffers.
		let before = -1;
		await expect
			.poll(async () => {
				const now = await sent();
				const isSteady = now === before;
				before = now;
				return isSteady;
			})
			.toBe(true);
		expect(before).toBeLessThan(64 * 2 ** 20);
		await chunks.return?.();
	});

	it('of other programs on this computer are neither shown nor reached', async () => {
		const other = createServer((_request, response) => response.end('private'));
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		const foreign = (other.address() as AddressInfo).port;
		await expect(servers.fetch(foreign, get('/'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		expect(servers.ports.map((each) => each.port)).toEqual([port]);
		other.close();
	});

	it('that nobody listens on refuse, and ended ones are seen no more', async () => {
		await server.kill();
		await expect.poll(() => servers.ports).toEqual([]);
		await expect(servers.fetch(port, get('/'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	});
});

it('are read from the table of the kernel, those that the loopback interface reaches', () => {
	const line = (at: string, state: string, inode: number): string =>
		`   0: ${at} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 00000000 100 0 0 10 0`;
	const table = [
		'  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
		line('0100007F:1F90', '0A', 1),
		line('00000000:0050', '0A', 2),
		line('0100007F:1F91', '01', 3),
		line('0201A8C0:1F92', '0A', 4),
		line('00000000000000000000000001000000:1F93', '0A', 5),
		line('00000000000000000000000000000000:1F94', '0A', 6),
		line('0000000000000000FFFF00000100007F:1F95', '0A', 7),
		line('B80D01200000000067452301EFCDAB89:1F96', '0A', 8),
		'garbage; 0: 0100007F:1F97'
	].join('\n');
	expect(parseListening(table)).toEqual([
		{ port: 8080, inode: '1' },
		{ port: 80, inode: '2' },
		{ port: 8083, inode: '5' },
		{ port: 8084, inode: '6' },
		{ port: 8085, inode: '7' }
	]);
});
