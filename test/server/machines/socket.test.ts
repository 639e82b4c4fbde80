import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Channel } from '#environment/remote/channel.ts';
import type { MachineLeases } from '#server/machines/leases.ts';
import { acceptMachineSockets } from '#server/machines/socket.ts';
import { inTime } from '#test/in-time.ts';

const TICKET = 'the-ticket';
const MAX_BYTES = 1024 * 1024;

/** A server that accepts one ticket; `frames` is what its channel received, and `closed` why it was closed. */
async function start() {
	const tickets: string[] = [];
	const frames: number[] = [];
	const leases = {
		connect: (ticket: string, open: () => Channel) => {
			tickets.push(ticket);
			if (ticket !== TICKET) return false;
			open().listen({ onFrame: ({ byteLength }) => void frames.push(byteLength), onClose: () => undefined });
			return true;
		}
	};
	const server = createServer();
	const hosts: string[] = [];
	// Nothing else of them is used.
	acceptMachineSockets(server, leases as unknown as MachineLeases, () => hosts);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	hosts.push(host);
	const open = (address = `/api/machines/socket?ticket=${TICKET}`, headers: Record<string, string> = {}) => {
		const socket = new WebSocket(`ws://${host}${address}`, { headers });
		onTestFinished(() => socket.terminate());
		const closed = new Promise<string>((resolve) =>
			socket.once('close', (code, reason) => resolve(`${code} ${String(reason)}`))
		);
		const opened = new Promise<WebSocket>((resolve, reject) =>
			socket.once('open', () => resolve(socket)).on('error', reject)
		);
		const extensions = new Promise<string | undefined>((resolve) =>
			socket.once('upgrade', ({ headers: { 'sec-websocket-extensions': answered } }) => resolve(answered))
		);
		return {
			opened: inTime(opened, 'an open socket'),
			extensions,
			closed: () => inTime(closed, 'the end of the socket')
		};
	};
	return { server, host, tickets, frames, open };
}

/** Uncaught exceptions: each would end the server. */
function uncaughtExceptions(): unknown[] {
	const errors: unknown[] = [];
	const note = (error: unknown): void => void errors.push(error);
	process.on('uncaughtException', note);
	onTestFinished(() => void process.off('uncaughtException', note));
	return errors;
}

describe('the socket of a machine', () => {
	it('opens with its ticket, for programs and for pages of this server', async () => {
		const { host, tickets, open } = await start();
		await open().opened;
		await open(undefined, { origin: `http://${host}` }).opened;
		await open(undefined, { origin: `https://${host}` }).opened;
		expect(tickets).toEqual([TICKET, TICKET, TICKET]);
	});

	it.each([
		['another path', '/api/machines', {}],
		['a path that goes on', `/api/machines/socket/x?ticket=${TICKET}`, {}],
		['no ticket', '/api/machines/socket', {}],
		['another query', '/api/machines/socket?word=x', {}],
		['another host', undefined, { host: 'evil.example' }],
		['another origin', undefined, { origin: 'http://evil.example' }],
		['the origin of the sandbox', undefined, { origin: 'null' }]
	])('is refused with %s, and asks for nothing', async (_what, address, headers) => {
		const { tickets, open } = await start();
		await expect(open(address, headers).opened).rejects.toThrow('403');
		expect(tickets).toEqual([]);
	});

	it('is refused in a whole answer, whose reader may be gone', async () => {
		const { server, tickets } = await start();
		const socket = new PassThrough();
		server.emit('upgrade', { headers: {}, url: undefined }, socket, Buffer.alloc(0));
		expect(() => socket.emit('error', new Error('The connection was reset.'))).not.toThrow();
		expect(String(await inTime(socket.toArray(), 'the end of the answer'))).toBe(
			'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
		);
		expect(tickets).toEqual([]);
	});

	it('is closed with a ticket that is not valid, whatever still comes', async () => {
		const errors = uncaughtExceptions();
		const { tickets, open } = await start();
		const { opened, closed } = open('/api/machines/socket?ticket=old');
		(await opened).send(Buffer.alloc(MAX_BYTES + 1));
		expect(await closed()).toMatch(/^1008 This ticket is not valid\.$|^1009 /);
		expect([tickets, errors]).toEqual([['old'], []]);
	});

	it('takes frames of a megabyte, and ends with a larger one', async () => {
		const { frames, open } = await start();
		const { opened, closed } = open();
		const socket = await opened;
		socket.send(Buffer.alloc(MAX_BYTES));
		await expect.poll(() => frames).toEqual([MAX_BYTES]);
		socket.send(Buffer.alloc(MAX_BYTES + 1));
		expect(await closed()).toMatch(/^1009/);
		expect(frames).toEqual([MAX_BYTES]);
	});

	it('compresses, and keeps no memory for that between frames', async () => {
		const { open } = await start();
		const { opened, extensions } = open();
		await opened;
		expect((await extensions)?.split('; ').toSorted()).toEqual([
			'client_no_context_takeover',
			'permessage-deflate',
			'server_no_context_takeover'
		]);
	});
});
