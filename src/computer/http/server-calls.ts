import type { LocalRequest, LocalResponse, LocalWebSocket, WebSocketRequest } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { exchange, type Connection } from './exchange.ts';
import { openWebSocket } from './web-socket.ts';

/** Opens a connection to a port of a computer. Rejects with `EnvironmentError` */
export type Connect = (port: number) => Promise<Connection>;

/**
 * Sends one HTTP request to a server; the body of the answer streams. Redirects are not followed. Rejects with
 * `EnvironmentError`: `ECONNREFUSED` if nothing listens, `EIO` if the server does not speak HTTP.
 */
export async function fetchFrom(connect: Connect, port: number, request: LocalRequest): Promise<LocalResponse> {
	const hasHost = request.headers.some(([name]) => name.toLowerCase() === 'host');
	const host: [string, string][] = hasHost ? [] : [['Host', `localhost:${port}`]];
	const connection = await connect(port);
	try {
		return await exchange(connection, { ...request, headers: [...host, ...request.headers] });
	} catch (error) {
		throw new EnvironmentError('EIO', `The server on port ${port} gave no proper answer: ${reasonOf(error)}.`);
	}
}

/** Opens a WebSocket to a server. Rejects as {@link fetchFrom} does. */
export async function webSocketTo(connect: Connect, port: number, request: WebSocketRequest): Promise<LocalWebSocket> {
	const connection = await connect(port);
	try {
		return await openWebSocket(connection, `localhost:${port}`, request);
	} catch (error) {
		throw new EnvironmentError('EIO', `The server on port ${port} opened no WebSocket: ${reasonOf(error)}.`);
	}
}

const reasonOf = (error: unknown): string =>
	(error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
