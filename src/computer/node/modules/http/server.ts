import type { Socket } from '../net/socket.ts';
import { outOfRange } from '../../runtime/errors.ts';
import { boolean, integer, optional, plainObject } from '../../runtime/validate.ts';
import { Server, type ServerOptions } from '../net/server.ts';
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
	connectionsCheckingInterval?: number;
	joinDuplicateHeaders?: boolean;
	insecureHTTPParser?: boolean;
	requireHostHeader?: boolean;
	rejectNonStandardBodyWrites?: boolean;
	noDelay?: boolean;
	keepAlive?: boolean;
	keepAliveInitialDelay?: number;
	highWaterMark?: number;
}

/** Maximum size of the first line and headers of a message, `http.maxHeaderSize`. */
export const DEFAULT_HEADER_BYTES = 16 * 1024;

/** Interval between checks for requests that take too long. */
const CHECKING_MS = 30_000;

/** `http.Server`, on a port of the sandbox's own loopback. */
export class HttpServer extends Server implements ConnectionServer {
	/** Programs print the class name. */
	static {
		Object.defineProperty(this, 'name', { value: 'Server' });
	}
	timeout = 0;
	keepAliveTimeout = 5_000;
	requestTimeout = 300_000;
	headersTimeout = 60_000;
	maxHeadersCount: number | null = null;
	maxRequestsPerSocket = 0;
	_maxHeaderBytes = DEFAULT_HEADER_BYTES;
	noDelay = true;
	_checkingMs = CHECKING_MS;
	_checking: { close(): unknown } | null = null;
	_joinsDuplicates = false;
	_requiresHost = true;
	_refusesBody = false;
	_connections = new Set<ServerConnection>();
	_classes: { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse };

	constructor(options?: unknown, listener?: unknown) {
		const given = (typeof options === 'object' && options !== null ? options : {}) as HttpServerOptions;
		const { noDelay = true, keepAlive, keepAliveInitialDelay, highWaterMark } = given;
		super({ allowHalfOpen: true, noDelay, keepAlive, keepAliveInitialDelay, highWaterMark } as ServerOptions);
		if (options !== undefined && options !== null && typeof options !== 'function') plainObject(options, 'options');
		const onRequest = typeof options === 'function' ? options : listener;
		this.noDelay = noDelay;
		checkListener(onRequest);
		this._classes = {
			IncomingMessage: given.IncomingMessage ?? IncomingMessage,
			ServerResponse: given.ServerResponse ?? ServerResponse
		};
		this._takeOptions(given);
		if (onRequest) this.on('request', onRequest);
		this.on(this._connectionEvent, (socket: Socket) => {
			// A program may pass on a connection that it got from another process.
			socket.server ??= this;
			this._connections.add(new ServerConnection(this, socket));
		});
	}

	/** Event that provides a connection for requests. */
	get _connectionEvent(): string {
		return 'connection';
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	_takeOptions(given: HttpServerOptions): void {
		optional(integer(0))(given.maxHeaderSize, 'maxHeaderSize');
		optional(integer(0))(given.keepAliveTimeout, 'keepAliveTimeout');
		optional(integer(0))(given.requestTimeout, 'requestTimeout');
		optional(integer(0))(given.headersTimeout, 'headersTimeout');
		optional(integer(0))(given.connectionsCheckingInterval, 'connectionsCheckingInterval');
		for (const name of ['joinDuplicateHeaders', 'insecureHTTPParser', 'requireHostHeader'] as const)
			optional(boolean)(given[name], `options.${name}`);
		optional(boolean)(given.rejectNonStandardBodyWrites, 'options.rejectNonStandardBodyWrites');
		this._maxHeaderBytes = given.maxHeaderSize ?? DEFAULT_HEADER_BYTES;
		this.keepAliveTimeout = given.keepAliveTimeout ?? this.keepAliveTimeout;
		this.requestTimeout = given.requestTimeout ?? this.requestTimeout;
		this.headersTimeout = given.headersTimeout ?? Math.min(this.headersTimeout, this.requestTimeout || Infinity);
		if (this.requestTimeout > 0 && this.headersTimeout > this.requestTimeout) {
			throw outOfRange('headersTimeout', '<= requestTimeout', given.headersTimeout);
		}
		this._checkingMs = given.connectionsCheckingInterval ?? CHECKING_MS;
		this._joinsDuplicates = given.joinDuplicateHeaders ?? false;
		this._requiresHost = given.requireHostHeader ?? true;
		this._refusesBody = given.rejectNonStandardBodyWrites ?? false;
		this.on('listening', () => {
			this._checking?.close();
			const check = () => this._endLate();
			this._checking = Server.runtime.timers.setInterval(check, this._checkingMs).unref();
		});
	}

	/** Ends connections whose request takes too long. */
	_endLate(): void {
		for (const connection of this._connections) connection.endIfLate(this.headersTimeout, this.requestTimeout);
	}

	setTimeout(ms = 0, listener?: () => void): this {
		this.timeout = ms;
		if (listener) this.on('timeout', listener);
		return this;
	}

	override close(listener?: (error?: Error) => void): this {
		this._checking?.close();
		this._checking = null;
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
