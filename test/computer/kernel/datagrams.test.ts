import { describe, expect, it } from 'vitest';
import { packDatagram, unpackDatagram, type Datagram } from '#computer/abi/datagram.ts';
import { Process } from '#computer/kernel/processes/process.ts';
import { DatagramPorts } from '#computer/kernel/sockets/datagram-ports.ts';
import type { DatagramSocket } from '#computer/kernel/sockets/datagram-socket.ts';
import fc from '#test/fast-check.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const code = (name: string) => expect.objectContaining({ code: name }) as Error;
const processOf = (pid: number) => new Process(pid, 1, pid, ['server'], '/', {});

type Options = Parameters<DatagramPorts['bind']>[4];

function bound(ports: DatagramPorts, address: string, port: number, options?: Options): DatagramSocket {
	return ports.bind(processOf(7), address.includes(':') ? 6 : 4, address, port, options).retain();
}

const next = async (socket: DatagramSocket) => {
	const { address, port, bytes: received } = await socket.receive(processOf(7));
	return { address, port, text: new TextDecoder().decode(received) };
};

describe('datagrams', () => {
	it('reach the socket at their port, with the address of their sender', async () => {
		const ports = new DatagramPorts();
		const server = bound(ports, '0.0.0.0', 9);
		const client = bound(ports, '127.0.0.1', 0);
		ports.send(client, bytes('one'), '127.0.0.1', 9);
		const waiting = next(server);
		ports.send(client, bytes('two'), '0.0.0.0', 9);
		const from = { address: '127.0.0.1', port: client.binding.port };
		expect(await waiting).toEqual({ ...from, text: 'one' });
		expect(await next(server)).toEqual({ ...from, text: 'two' });
	});

	it('cross from IPv4 to a socket of IPv6 that takes both', async () => {
		const ports = new DatagramPorts();
		const server = bound(ports, '::', 9);
		ports.send(bound(ports, '0.0.0.0', 0), bytes('four'), '127.0.0.1', 9);
		expect(await next(server)).toMatchObject({ address: '::ffff:127.0.0.1', text: 'four' });
		ports.send(bound(ports, '::', 0), bytes('six'), '::1', 9);
		expect(await next(server)).toMatchObject({ address: '::1', text: 'six' });
	});

	it('are dropped once the queue of a slow receiver is full, however small they are', () => {
		const ports = new DatagramPorts();
		const server = bound(ports, '127.0.0.1', 9);
		const client = bound(ports, '127.0.0.1', 0);
		const count = () => {
			let queued = 0;
			while (server.readiness().readable) queued += server.receive(processOf(7)) instanceof Promise ? 0 : 1;
			return queued;
		};
		for (let sent = 0; sent < 10_000; sent++) ports.send(client, new Uint8Array(0), '127.0.0.1', 9);
		expect(count()).toBe(277);
		for (let sent = 0; sent < 100; sent++) ports.send(client, new Uint8Array(65_507), '127.0.0.1', 9);
		expect(count()).toBe(3);
		server.set({ receiveBytes: 2 ** 31 });
		for (let sent = 0; sent < 100; sent++) ports.send(client, new Uint8Array(65_507), '127.0.0.1', 9);
		expect(count()).toBe(6);
	});

	it('are copies: what the sender changes later does not matter', async () => {
		const ports = new DatagramPorts();
		const server = bound(ports, '127.0.0.1', 9);
		const message = bytes('old');
		ports.send(server, message, '127.0.0.1', 9);
		message.set(bytes('new'));
		expect(await next(server)).toMatchObject({ text: 'old' });
	});

	it('to another host are refused with what to do instead', () => {
		const ports = new DatagramPorts();
		const socket = bound(ports, '0.0.0.0', 0);
		expect(() => ports.send(socket, bytes('a'), '10.0.0.1', 53)).toThrow('reach other hosts by HTTP, with fetch');
		expect(() => ports.send(socket, bytes('a'), '10.0.0.1', 53)).toThrow(code('ENETUNREACH'));
		expect(() => bound(ports, '10.0.0.1', 53)).toThrow(code('EADDRNOTAVAIL'));
		expect(() => ports.send(socket, bytes('a'), '::1', 53)).toThrow(code('EINVAL'));
		expect(() => ports.send(socket, new Uint8Array(65_508), '127.0.0.1', 9)).toThrow(code('EMSGSIZE'));
		expect(() => ports.send(socket, bytes('a'), null, 0)).toThrow(code('EDESTADDRREQ'));
	});

	it('of a connected socket come from its peer only, which refuses when nothing is there', async () => {
		const ports = new DatagramPorts();
		const client = bound(ports, '127.0.0.1', 0);
		ports.connect(client, '127.0.0.1', 9);
		const refused = client.receive(processOf(7));
		ports.send(client, bytes('lost'), null, 0);
		await expect(refused).rejects.toEqual(code('ECONNREFUSED'));
		ports.send(client, bytes('lost'), null, 0);
		expect(() => ports.send(client, bytes('late'), null, 0)).toThrow(code('ECONNREFUSED'));
		const server = bound(ports, '127.0.0.1', 9);
		const stranger = bound(ports, '127.0.0.1', 0);
		ports.send(stranger, bytes('strange'), '127.0.0.1', client.binding.port);
		ports.send(server, bytes('mine'), '127.0.0.1', client.binding.port);
		expect(await next(client)).toMatchObject({ port: 9, text: 'mine' });
	});

	it('to a group reach its members, and to all only with the setting for it', async () => {
		const ports = new DatagramPorts();
		const member = bound(ports, '0.0.0.0', 9, { reuse: true });
		const sender = bound(ports, '0.0.0.0', 0);
		ports.send(sender, bytes('early'), '224.0.0.9', 9);
		member.set({ join: '224.0.0.9' });
		ports.send(sender, bytes('grouped'), '224.0.0.9', 9);
		expect(await next(member)).toMatchObject({ text: 'grouped' });
		expect(() => member.set({ join: '224.0.0.9' })).toThrow(code('EADDRINUSE'));
		member.set({ leave: '224.0.0.9' });
		member.set({ join: '224.0.0.9', source: '127.0.0.2' });
		ports.send(sender, bytes('another source'), '224.0.0.9', 9);
		expect(() => ports.send(sender, bytes('all'), '255.255.255.255', 9)).toThrow(code('EACCES'));
		sender.set({ broadcast: true });
		ports.send(sender, bytes('all'), '255.255.255.255', 9);
		expect(await next(member)).toMatchObject({ text: 'all' });
		for (let group = 10; group < 29; group++) member.set({ join: `224.0.0.${group}` });
		expect(() => member.set({ join: '224.0.0.30' })).toThrow(code('ENOBUFS'));
		expect(() => member.set({ join: '10.0.0.1' })).toThrow(code('EINVAL'));
	});

	it.each<[string, string, boolean, Options?, Options?]>([
		['0.0.0.0', '127.0.0.1', true],
		['127.0.0.1', '127.0.0.2', false],
		['127.0.0.1', '127.0.0.1', true, { reuse: true }],
		['127.0.0.1', '127.0.0.1', false, { reuse: true }, { reuse: true }],
		['0.0.0.0', '::', true],
		['0.0.0.0', '::', false, {}, { only6: true }],
		['127.0.0.1', '::1', false]
	])('of %s and %s share a port or do not', (first, second, conflicts, one, other) => {
		const ports = new DatagramPorts();
		const socket = bound(ports, first, 9, one);
		const bind = () => bound(ports, second, 9, other);
		if (conflicts) expect(bind).toThrow(code('EADDRINUSE'));
		if (conflicts) socket.release();
		expect(bind).not.toThrow();
	});

	it('name no sender but by a number', async () => {
		const ports = new DatagramPorts();
		const server = bound(ports, '0.0.0.0', 9);
		const sender = bound(ports, `${'a'.repeat(300)}.localhost`, 0);
		ports.send(sender, bytes('named'), 'localhost', 9);
		expect(await next(server)).toMatchObject({ address: '127.0.0.1', text: 'named' });
		expect(() => bound(ports, `ff02:${'0'.repeat(300)}`, 0)).toThrow(code('EADDRNOTAVAIL'));
	});

	it('come out of their package as they went in', () => {
		const datagram = fc.record<Datagram>({
			address: fc.oneof(fc.ipV4(), fc.ipV6()),
			port: fc.integer({ min: 0, max: 65_535 }),
			bytes: fc.uint8Array()
		});
		fc.assert(
			fc.property(datagram, (given) => {
				expect(unpackDatagram(packDatagram(given))).toEqual(given);
			})
		);
	});
});
