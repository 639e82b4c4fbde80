import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpServer, type Fetch } from '#server/http-server.ts';
import { inTime } from '#test/in-time.ts';

async function start(fetch: Fetch = () => new Response('from the app'), maxHeaderSize?: number) {
	const server: Server = createHttpServer(fetch, maxHeaderSize);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	const { port } = server.address() as AddressInfo;
	/** Sends bytes, and resolves with everything received until the server closes the connection. */
	const send = async (...pieces: string[]): Promise<string> => {
		const socket = net.connect(port, '127.0.0.1');
		let text = '';
		socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
		socket.on('error', () => undefined); // cut off while it sends
		onTestFinished(() => void socket.destroy());
		for (const piece of pieces) socket.write(piece);
		await inTime(once(socket, 'close'), 'the end of the connection');
		return text;
	};
	return { server, port, send };
}

/** Status, headers and error of a response written by the server itself. */
function refusalIn(text: string) {
	const [head = '', body = ''] = text.split('\r\n\r\n');
	const [status, ...lines] = head.split('\r\n');
	const headers = Object.fromEntries(lines.map((line) => line.split(': ')));
	expect(headers).toMatchObject({
		'content-type': 'application/json',
		'content-length': String(Buffer.byteLength(body)),
		connection: 'close',
		'x-content-type-options': 'nosniff',
		'cache-control': 'no-store'
	});
	return { status, clears: headers['clear-site-data'], ...(JSON.parse(body).error as object) };
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n';

describe('what never becomes a request', () => {
	it.each([
		[
			'is no HTTP',
			'hello\r\n\r\n',
			'400 Bad Request',
			'request_invalid',
			'This is not a valid HTTP request. Check the program that sends it.'
		],
		[
			'asks for a tunnel',
			'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n',
			'405 Method Not Allowed',
			'method_not_allowed',
			'This server does not proxy CONNECT. Use the addresses listed by /api/config.'
		],
		[
			'expects something',
			`${GET}Expect: a miracle\r\n\r\n`,
			'417 Expectation Failed',
			'expectation_failed',
			'This expectation is not supported. Send the request without the Expect header.'
		],
		[
			'has endless extensions of chunks',
			`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n`,
			'413 Payload Too Large',
			'request_invalid',
			'The chunk extensions of this request are too large. Send it without them.'
		]
	])('and %s is answered in a sentence', async (_what, request, status, type, message) => {
		const { send } = await start(async (asked) => {
			await asked.arrayBuffer();
			return new Response('');
		});
		expect(refusalIn(await send(request))).toEqual({ status: `HTTP/1.1 ${status}`, type, message });
	});

	it('and has endless headers has the browser drop the cookies that are in them', async () => {
		const { send } = await start();
		const large = `${GET}Cookie: ${'x'.repeat(20_000)}\r\n\r\n`;
		expect(refusalIn(await send(large))).toEqual({
			status: 'HTTP/1.1 431 Request Header Fields Too Large',
			clears: '"cookies"',
			type: 'request_invalid',
			message:
				'The headers of this request are larger than this server takes. Cookies of this site were cleared; load the page again.'
		});
		const patient = await start(undefined, 100_000);
		expect(await patient.send(`${GET}Connection: close\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`)).toContain(
			'from the app'
		);
	});

	it('and takes too long to arrive is answered in a sentence', async () => {
		const { server, send } = await start();
		// Node checks for such requests every half minute, and then reports this.
		const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
		server.once('connection', (socket) => void socket.once('data', () => server.emit('clientError', late, socket)));
		expect(refusalIn(await send(GET))).toEqual({
			status: 'HTTP/1.1 408 Request Timeout',
			type: 'request_invalid',
			message: 'The request took too long to arrive. Send it again.'
		});
	});

	it('has no second answer where the first one is half sent', async () => {
		const { send } = await start((_request, { outgoing }) => {
			outgoing.writeHead(200);
			(outgoing as import('node:http').ServerResponse).write('half');
			return new Promise<Response>(() => undefined);
		});
		const text = await send(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`, 'no chunk\r\n\r\n');
		expect(text).not.toContain('request_invalid');
	});

	it('is refused after an answer that is whole', async () => {
		const { send } = await start();
		const text = await send(`${GET}\r\n`, 'no HTTP\r\n\r\n');
		expect(text).toContain('request_invalid');
	});
});

describe('a request', () => {
	it('without a Host is the app’s to refuse', async () => {
		const { send } = await start();
		expect(await send('GET http://a/ HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain('from the app');
	});

	it.each(['GET / HTTP/1.1\r\nHost: a b', 'GET http:// HTTP/1.1\r\nHost: a'])(
		'with the address %j is refused in a sentence',
		async (head) => {
			const { send } = await start();
			const text = await send(`${head}\r\nConnection: close\r\n\r\n`);
			expect(text).toMatch(/^HTTP\/1\.1 400 /);
			expect(text).toContain('cache-control: no-store');
			expect(text).toContain(
				'{"error":{"type":"address_invalid","message":"The address or the Host header of this request is invalid."}}'
			);
		}
	);

	it('that fails outside of the app says nothing of the cause', async () => {
		const { send } = await start(() => {
			throw new Error('secret');
		});
		const text = await send(`${GET}Connection: close\r\n\r\n`);
		expect(text).toMatch(/^HTTP\/1\.1 500 /);
		expect(text).toContain('cache-control: no-store');
		expect(text).toContain('{"error":{"type":"internal","message":"Something went wrong in this server."}}');
		expect(text).not.toContain('secret');
	});

	it('whose answer a handler has sent gets no other', async () => {
		const { send } = await start((_request, { outgoing }) => {
			(outgoing as import('node:http').ServerResponse).writeHead(201).end('sent');
			return new Response('other');
		});
		const text = await send(`${GET}Connection: close\r\n\r\n`);
		expect(text).toMatch(/^HTTP\/1\.1 201 /);
		expect(text).toContain('sent');
		expect(text).not.toContain('other');
	});

	it('may have a dozen listeners for its end without a warning', async () => {
		const warnings: Error[] = [];
		const warned = (warning: Error) => void warnings.push(warning);
		process.on('warning', warned);
		onTestFinished(() => void process.off('warning', warned));
		const { send } = await start((_request, { outgoing }) => {
			for (let count = 0; count < 15; count += 1) outgoing.on('close', () => undefined);
			return new Response('');
		});
		await send(`${GET}Connection: close\r\n\r\n`);
		await new Promise(setImmediate);
		expect(warnings).toEqual([]);
	});
});
