import type { Runtime } from '../../runtime/runtime.ts';
import type { Address } from './address.ts';
import { Server } from './server.ts';
import { Socket } from './socket.ts';

/** A connection on its way to another process. */
export interface HandedSocket {
	/** Number for `takeOver`. */
	number: number;
	/** Own address and the peer's port; null for a connection over a socket file. */
	local: Address | null;
	remotePort: number;
}

/** A listening server on its way to another process. */
export interface HandedServer {
	number: number;
	address: Address | string | null;
}

/**
 * Hands a connection over to the process `pid`. The caller's socket loses it, without an event, unless it is kept open.
 * @returns null if the socket is not connected
 */
export function handOverSocket(socket: Socket, pid: number, isKept: boolean): HandedSocket | null {
	const { _descriptor: descriptor, localAddress, localPort, _peer: peer } = socket;
	if (descriptor === null) return null;
	const number = Socket.runtime.sys.handOver(descriptor, pid);
	const handed: HandedSocket = { number, local: null, remotePort: peer?.port ?? 0 };
	if (localAddress !== undefined && localPort !== undefined) {
		handed.local = { address: localAddress, family: socket.localFamily === 'IPv6' ? 'IPv6' : 'IPv4', port: localPort };
	}
	if (!isKept) socket._detach();
	return handed;
}

/** Opens a connection that another process has handed over. @throws SyscallError */
export function adoptSocket(runtime: Runtime, { number, local, remotePort }: HandedSocket): Socket {
	Socket.runtime = runtime;
	const descriptor = runtime.sys.takeOver(number);
	const socket = new Socket();
	if (local) socket._open({ descriptor, localPort: local.port, remotePort }, local);
	else socket._open({ descriptor });
	return socket;
}

/** Shares a listening server with the process `pid`. @returns null if it does not listen */
export function handOverServer(server: Server, pid: number): HandedServer | null {
	if (server._descriptor === null) return null;
	return { number: Server.runtime.sys.handOver(server._descriptor, pid), address: server._address };
}

/** Listens on the port that another process has shared. @throws SyscallError */
export function adoptServer(runtime: Runtime, { number, address }: HandedServer): Server {
	Socket.runtime = Server.runtime = runtime;
	const server = new Server();
	server._adopt(runtime.sys.takeOver(number), address);
	return server;
}
