import type { Socket } from '../net/socket.ts';
import { Server } from '../net/server.ts';
import { IncomingMessage } from './incoming.ts';
import { checkListener, ServerResponse } from './response.ts';
import { ServerConnection, type ConnectionServer } from './server-connection.ts';

export interface HttpServerOptions {
	maxHeaderSize?: number;
	IncomingMessage?: typeof IncomingMessage;
	ServerResponse?: typeof ServerResponse;
	keepAliveTimeout?: number;
	requestTimeout?: number;
	headersTimeout?: number;
}

/** First line and headers of a message that are read at most, `http.maxHeaderSize`. */
export const DEFAULT_HEADER_BYTES = 16 * 1024;

/** `http.Server`, on a port of the sandbox's own loopback. */
export class HttpServer extends Server implements ConnectionServer {
	/** Programs print it. */
	static override readonly name: string = 'Server';
	timeout = 0;
	keepAliveTimeout = 5_000;
	requestTimeout = 300_000;
	headersTimeout = 60_000;
	maxHeadersCount: number | null = null;
	maxRequestsPerSocket = 0;
	_maxHeaderBytes = DEFAULT_HEADER_BYTES;
	_connections = new Set<ServerConnection>();
	_classes: { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse };

	constructor(options?: unknown, listener?: unknown) {
		super({ allowHalfOpen: true });
		const given: HttpServerOptions = typeof options === 'object' && options !== null ? options : {};
		const onRequest = typeof options === 'function' ? options : listener;
		checkListener(onRequest);
		this._classes = {
			IncomingMessage: given.IncomingMessage ?? IncomingMessage,
			ServerResponse: given.ServerResponse ?? ServerResponse
		};
		this._maxHeaderBytes = given.maxHeaderSize ?? DEFAULT_HEADER_BYTES;
		if (given.keepAliveTimeout !== undefined) this.keepAliveTimeout = given.keepAliveTimeout;
		if (onRequest) this.on('request', onRequest);
		this.on('connection', (socket: Socket) => void this._connections.add(new ServerConnection(this, socket)));
	}

	setTimeout(ms: number, listener?: () => void): this {
		this.timeout = ms;
		if (listener) this.on('timeout', listener);
		return this;
	}

	override close(listener?: (error?: Error) => void): this {
		super.close(listener);
		this.closeIdleConnections();
		return this;
	}

	closeAllConnections(): void {
		for (const connection of this._connections) connection.destroy();
	}

	closeIdleConnections(): void {
		for (const connection of this._connections) if (connection.isIdle) connection.destroy();
	}

	_later(work: () => void): void {
		Server.runtime.loop.nextTick(work, []);
	}
}
