import { describe, expect, it } from 'vitest';
import { Process } from '#computer/kernel/processes/process.ts';
import { isLoopback, loopbackFetch } from '#computer/kernel/sockets/loopback-fetch.ts';
import { Ports } from '#computer/kernel/sockets/ports.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (chunk: Uint8Array) => new TextDecoder().decode(chunk);
const processOf = (pid: number) => new Process(pid, 1, pid, ['server', '--port'], '/', {});

/** A port, and who listens on it. */
function listening(ports: Ports, port: number) {
	const process = processOf(7);
	const listener = ports.listen(process, 'localhost', port);
	process.open(listener);
	return { process, listener };
}

describe('the loopback', () => {
	it('carries bytes both ways until both sides have ended', async () => {
		const ports = new Ports();
		const { listener } = listening(ports, 3000);
		const client = ports.connect('127.0.0.1', 3000).retain();
		const server = await listener.accept(null);
		await client.write(bytes('ping'), null);
		expect(text(await server.read(100, null))).toBe('ping');
		client.shut();
		expect((await server.read(100, null)).length).toBe(0);
		await server.write(bytes('pong'), null);
		server.release();
		expect(text(await client.read(100, null))).toBe('pong');
		expect((await client.read(100, null)).length).toBe(0);
	});

	it('fails the other end of a connection that is cut, whether it reads or writes', async () => {
		const ports = new Ports();
		const { listener } = listening(ports, 3000);
		const client = ports.connect('127.0.0.1', 3000).retain();
		const server = await listener.accept(null);
		await client.write(bytes('lost'), null);
		client.cut();
		client.release();
		const reset: unknown = expect.objectContaining({ code: 'ECONNRESET' });
		expect(() => server.read(100, null)).toThrow(reset);
		expect(() => server.write(bytes('late'), null)).toThrow(expect.objectContaining({ code: 'EPIPE' }));

		const waiting = ports.connect('127.0.0.1', 3000).retain();
		const reading = waiting.read(100, null);
		(await listener.accept(null)).cut();
		await expect(reading).rejects.toEqual(reset);
	});

	it('gives the connections of a shared port to those who wait, in turns, until they leave', async () => {
		const ports = new Ports();
		const { process: first, listener } = listening(ports, 3000);
		const second = processOf(8);
		second.open(listener);
		const accepted: string[] = [];
		const accept = (process: Process, name: string) =>
			Promise.resolve(listener.accept(process)).then(() => accepted.push(name));
		const waiting = [accept(first, 'first'), accept(second, 'second'), accept(first, 'first'), accept(second, 'left')];
		for (let count = 0; count < 3; count++) ports.connect('localhost', 3000);
		await Promise.all(waiting.slice(0, 3));
		second.close(0);
		await expect(waiting[3]).rejects.toMatchObject({ code: 'ECONNABORTED' });
		ports.connect('localhost', 3000);
		await accept(first, 'last');
		expect(accepted).toEqual(['first', 'second', 'first', 'last']);
	});

	it('keeps what arrives at a connection for the process that still has it', async () => {
		const ports = new Ports();
		const { listener } = listening(ports, 3000);
		const client = ports.connect('localhost', 3000).retain();
		const server = await listener.accept(null);
		const [first, second] = [processOf(8), processOf(9)];
		const descriptor = first.open(server);
		second.open(server);
		const stale = server.read(100, first);
		first.close(descriptor);
		expect((await stale).length).toBe(0);
		await client.write(bytes('for the second'), null);
		expect(text(await server.read(100, second))).toBe('for the second');
	});

	it('refuses a port that is taken, and a host that is elsewhere', () => {
		const ports = new Ports();
		listening(ports, 3000);
		expect(() => ports.listen(processOf(8), '0.0.0.0', 3000)).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }));
		expect(() => ports.listen(processOf(8), '10.0.0.1', 1)).toThrow(expect.objectContaining({ code: 'EADDRNOTAVAIL' }));
		expect(() => ports.connect('example.com', 80)).toThrow(expect.objectContaining({ code: 'ENETUNREACH' }));
		expect(() => ports.connect('localhost', 3001)).toThrow(expect.objectContaining({ code: 'ECONNREFUSED' }));
	});

	it('picks a free port for 0, tells who listens, and forgets a process that ended', () => {
		const ports = new Ports();
		let changes = 0;
		ports.onChange = () => changes++;
		const { process, listener } = listening(ports, 0);
		expect(listener.port).toBeGreaterThan(1024);
		expect(ports.list()).toEqual([{ port: listener.port, pid: 7, command: 'server --port' }]);
		const waiting = ports.connect('localhost', listener.port).retain();
		process.closeAll();
		expect(ports.list()).toEqual([]);
		expect(changes).toBe(2);
		// It was never accepted: its other end is gone.
		expect(waiting.read(1, null)).toEqual(new Uint8Array(0));
		expect(() => ports.connect('localhost', listener.port)).toThrow('nothing listens');
	});

	it('answers a request for this machine itself, and no other', async () => {
		for (const url of ['http://localhost:3000/x', 'http://127.0.0.1/', 'http://[::1]:8080/', 'http://app.localhost/'])
			expect(isLoopback(url)).toBe(true);
		for (const url of ['http://example.com/', 'http://localhost.example.com/', 'http://10.0.0.1/', 'nonsense'])
			expect(isLoopback(url)).toBe(false);

		const ports = new Ports();
		const { listener } = listening(ports, 3000);
		const request = {
			method: 'POST',
			url: 'http://localhost:3000/a?b',
			headers: [],
			body: bytes('hi'),
			purpose: 'curl'
		};
		const answer = loopbackFetch(ports, request);
		const server = await listener.accept(null);
		expect(text(await server.read(1000, null))).toBe(
			'POST /a?b HTTP/1.1\r\nHost: localhost:3000\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi'
		);
		await server.write(bytes('HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nyes\r\n0\r\n\r\n'), null);
		const { status, statusText, body } = await answer;
		expect([status, statusText, text(body)]).toEqual([200, 'Fine', 'yes']);
		await expect(loopbackFetch(ports, { ...request, url: 'https://localhost:3000/' })).rejects.toThrow('use http:');
	});
});
