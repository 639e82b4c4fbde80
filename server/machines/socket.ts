import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { webSocketChannel } from '#environment/remote/web-socket-channel.ts';
import { hostAccepted, isOwnOrigin } from '../who-may-call.ts';
import type { MachineLeases } from './leases.ts';

const PATH = '/api/machines/socket';
/** Maximum size of a message: larger than any frame of the protocol. */
const MAX_FRAME_BYTES = 1024 * 1024;

/**
 * Accepts the WebSockets of pages. `Host` and `Origin` are checked as for every call, and the ticket in the query
 * proves that a fully checked call came before.
 */
export function acceptMachineSockets(server: Server, leases: MachineLeases, hosts: () => readonly string[]): void {
	const sockets = new WebSocketServer({
		noServer: true,
		maxPayload: MAX_FRAME_BYTES,
		perMessageDeflate: { threshold: 4_096, serverNoContextTakeover: true, clientNoContextTakeover: true }
	});
	server.on('upgrade', (request, socket, head) => {
		socket.on('error', () => undefined);
		const ticket = ticketOf(request, hosts());
		if (ticket === undefined) return refuse(socket);
		sockets.handleUpgrade(request, socket, head, (opened) => {
			opened.on('error', () => undefined);
			if (!leases.connect(ticket, () => webSocketChannel(opened))) opened.close(1008, 'This ticket is not valid.');
		});
	});
}

function ticketOf({ headers, url = '' }: IncomingMessage, hosts: readonly string[]): string | undefined {
	if (!hostAccepted(headers.host, hosts)) return undefined;
	if (headers.origin !== undefined && !isOwnOrigin(headers.origin, headers.host ?? '')) return undefined;
	const [path, query = ''] = url.split('?');
	return path === PATH ? (new URLSearchParams(query).get('ticket') ?? undefined) : undefined;
}

function refuse(socket: Duplex): void {
	socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}
