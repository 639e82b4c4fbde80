import { functionValue } from '../../runtime/validate.ts';
import { IncomingMessage } from '../http/incoming.ts';
import { ServerResponse } from '../http/response.ts';
import { type ConnectionServer, ServerConnection } from '../http/server-connection.ts';
import { Server } from '../net/server.ts';
import { Socket } from '../net/socket.ts';
import type { TlsServerOptions } from '../tls/acceptor.ts';
import { TlsServer } from '../tls/server.ts';
import { dispatchTo, type ExchangeClasses } from './compatibility/dispatch.ts';
import { Http2ServerRequest } from './compatibility/request.ts';
import { Http2ServerResponse } from './compatibility/response.ts';
import { ServerHttp2Session } from './server-session.ts';
import { serverOptions, type SessionOptions } from './session-options.ts';
import { checkSettings, objectOrNone, type SessionSettings } from './session-settings.ts';
import type { Duplex } from './session-socket.ts';

type Listener = (...args: unknown[]) => void;

/** Options of `createServer`. */
export interface Http2ServerOptions extends SessionOptions, Partial<ExchangeClasses> {
	Http1IncomingMessage?: typeof IncomingMessage;
	Http1ServerResponse?: typeof ServerResponse;
	/** True if clients that do not speak HTTP/2 are served as well. */
	allowHTTP1?: boolean;
	ALPNCallback?: unknown;
	ALPNProtocols?: string[];
}

/** Largest head of an HTTP/1 request. Bytes. */
const HTTP1_HEADER_BYTES = 16 * 1024;

const UNKNOWN_PROTOCOL = `HTTP/1.0 403 Forbidden\r
Content-Type: text/plain\r
\r
Missing ALPN Protocol, expected \`h2\` to be available.
If this is a HTTP request: The server was not configured with the \`allowHTTP1\` option or a listener for the \`unknownProtocol\` event.
`;

/** Fields that a server has besides those of its connections. */
interface SessionServer extends Server {
	timeout: number;
	readonly _settings: Http2ServerOptions;
	readonly _sessions: Set<ServerHttp2Session>;
}

/** Starts a session on a connection. */
function startSession(server: SessionServer, socket: Duplex): void {
	const session = new ServerHttp2Session(server._settings, socket, server);
	server._sessions.add(session);
	session.once('close', () => void server._sessions.delete(session));
	session.on('stream', (...args: unknown[]) => void server.emit('stream', ...args));
	session.on('error', (error: Error) => void server.emit('sessionError', error, session));
	session.on('priority', (...args: unknown[]) => void server.emit('priority', ...args));
	if (server.timeout) {
		session.setTimeout(server.timeout, () => {
			if (session.destroyed || session.closed) return;
			if (!server.emit('timeout', session)) session.destroy();
		});
	}
	server.emit('session', session);
}

/** Makes a server emit requests once something listens to them. */
function emitRequests(server: SessionServer, listener: unknown): void {
	const prepare = (event: string) => {
		if (event !== 'request') return;
		server.off('newListener', prepare as Listener);
		const { Http2ServerRequest: Request, Http2ServerResponse: Response } = server._settings;
		const classes = {
			Http2ServerRequest: Request ?? Http2ServerRequest,
			Http2ServerResponse: Response ?? Http2ServerResponse
		};
		server.on('stream', dispatchTo(server, classes) as Listener);
	};
	server.on('newListener', prepare as Listener);
	if (typeof listener === 'function') server.on('request', listener as Listener);
}

function setTimeoutOf(server: SessionServer, ms: number, listener?: unknown): void {
	server.timeout = ms;
	if (listener === undefined) return;
	functionValue(listener, 'callback');
	server.on('timeout', listener as Listener);
}

/** @throws ERR_HTTP2_INVALID_SETTING_VALUE, ERR_INVALID_ARG_TYPE */
function updateSettingsOf({ _settings: options }: SessionServer, settings: unknown): void {
	objectOrNone(settings, 'settings');
	const given = (settings ?? {}) as SessionSettings;
	checkSettings(given);
	options.settings = { ...options.settings, ...given };
}

/** `Http2Server`: HTTP/2 without encryption, on a port of the sandbox's own loopback. */
export class Http2Server extends Server implements SessionServer {
	timeout = 0;
	readonly _settings: Http2ServerOptions;
	readonly _sessions = new Set<ServerHttp2Session>();

	constructor(given?: Http2ServerOptions, listener?: unknown) {
		const options = serverOptions(given);
		super(options as never);
		this._settings = options;
		this.on('connection', (socket: Duplex) => startSession(this, socket));
		emitRequests(this, listener);
	}

	setTimeout(ms: number, listener?: unknown): this {
		setTimeoutOf(this, ms, listener);
		return this;
	}

	updateSettings(settings: unknown): void {
		updateSettingsOf(this, settings);
	}
}

/** `Http2SecureServer`. */
export class Http2SecureServer extends TlsServer implements SessionServer, ConnectionServer {
	timeout = 0;
	readonly _settings: Http2ServerOptions;
	readonly _sessions = new Set<ServerHttp2Session>();
	headersTimeout = 60_000;
	requestTimeout = 300_000;
	keepAliveTimeout = 5_000;
	maxHeadersCount: number | null = null;
	maxRequestsPerSocket = 0;
	readonly _maxHeaderBytes = HTTP1_HEADER_BYTES;
	readonly _joinsDuplicates = false;
	readonly _requiresHost = true;
	readonly _refusesBody = false;
	/** Connections of HTTP/1. */
	readonly _connections = new Set<ServerConnection>();
	readonly _classes: ConnectionServer['_classes'];

	constructor(given?: Http2ServerOptions, listener?: unknown) {
		const options = serverOptions(given);
		if (!options.ALPNCallback) options.ALPNProtocols = ['h2', ...(options.allowHTTP1 === true ? ['http/1.1'] : [])];
		super(options as TlsServerOptions);
		this._settings = options;
		this._classes = {
			IncomingMessage: options.Http1IncomingMessage ?? IncomingMessage,
			ServerResponse: options.Http1ServerResponse ?? ServerResponse
		};
		this.on('secureConnection', (socket: Socket & { alpnProtocol?: unknown }) => {
			if (socket.alpnProtocol === false || socket.alpnProtocol === 'http/1.1') this._otherProtocol(socket);
			else startSession(this, socket);
		});
		this.on('tlsClientError', (error: Error, socket: Socket) => {
			if (!this.emit('clientError', error, socket)) socket.destroy(error);
		});
		emitRequests(this, listener);
	}

	/** Handles a client that does not speak HTTP/2. */
	_otherProtocol(socket: Socket): void {
		if (this._settings.allowHTTP1 === true) return void this._connections.add(new ServerConnection(this, socket));
		if (this.emit('unknownProtocol', socket)) return;
		const { timers } = Socket.runtime;
		const limit = this._settings.unknownProtocolTimeout ?? 0;
		const timer = timers.setTimeout(() => void socket.destroy(), limit).unref();
		socket.once('close', () => void timer.close());
		socket.end(UNKNOWN_PROTOCOL);
	}

	_later(work: () => void): void {
		Socket.runtime.loop.nextTick(work, []);
	}

	override close(listener?: unknown): this {
		super.close(listener);
		this.closeIdleConnections();
		return this;
	}

	/** Closes connections of HTTP/1 without requests. */
	closeIdleConnections(): void {
		for (const connection of this._connections) if (connection.isIdle) connection.destroy();
	}

	setTimeout(ms: number, listener?: unknown): this {
		setTimeoutOf(this, ms, listener);
		return this;
	}

	updateSettings(settings: unknown): void {
		updateSettingsOf(this, settings);
	}
}
