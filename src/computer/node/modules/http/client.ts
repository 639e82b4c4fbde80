import { Buffer } from 'buffer';
import { HttpParser, type MessageHead } from '#computer/http/parser.ts';
import { HttpSyntaxError } from '#computer/http/syntax-error.ts';
import { isLocal } from '#computer/abi/local-host.ts';
import { connectionReset, invalidArgument, nodeError } from '../../runtime/errors.ts';
import { firstAddress, type Lookup } from '../net/arguments.ts';
import { Socket } from '../net/socket.ts';
import { Agent, type PooledRequest } from './agent.ts';
import { type RequestOptions, requestArguments, requestTarget, timerDuration } from './client-options.ts';
import { EgressSocket } from './egress-socket.ts';
import { asksForUpgrade, checkHead, headerEntries, validateHeaderName, validateHeaderValue } from './headers.ts';
import { IncomingMessage } from './incoming.ts';
import { OutgoingMessage } from './outgoing.ts';
import streams from '../stream.ts';

const BODILESS_METHOD = /^(GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/;

/** `http.ClientRequest`. */
export class ClientRequest extends OutgoingMessage implements PooledRequest {
	/** Default agent. */
	static standardAgent: Agent;

	method: string;
	path: string;
	host: string;
	protocol: string;
	timeout: number | undefined;
	aborted = false;
	reusedSocket = false;
	upgradeOrConnect = false;
	/** The response was read to its end. */
	_ended = false;
	maxHeadersCount: number | null = null;
	maxHeaderSize: number | undefined;
	res: IncomingMessage | null = null;
	agent: Agent | null;
	timeoutCb: (() => void) | null = null;
	_joinsDuplicates: boolean | undefined;
	/** The socket's error was reported. */
	_hadError = false;
	_detach: () => void = () => {};

	/** @throws ERR_INVALID_URL, ERR_INVALID_ARG_TYPE, ERR_INVALID_PROTOCOL, ERR_INVALID_HTTP_TOKEN */
	constructor(...args: unknown[]) {
		super();
		const { options: given, listener } = requestArguments(args);
		const options = requestTarget(given, given._defaultAgent ?? ClientRequest.standardAgent);
		const { method } = options;
		if (method !== undefined && method !== null && typeof method !== 'string') {
			throw invalidArgument('options.method', 'of type string', method);
		}
		if (method) validateHeaderName(method, 'Method');
		this.method = (method || 'GET').toUpperCase();
		this.path = options.path ?? '/';
		this.host = options.host ?? 'localhost';
		this.protocol = options.protocol ?? 'http:';
		this.agent = options.agent;
		this.maxHeaderSize = options.maxHeaderSize;
		this._joinsDuplicates = options.joinDuplicateHeaders;
		if (options.timeout !== undefined) this.timeout = timerDuration(options.timeout, 'timeout');
		this.useChunkedEncodingByDefault = !BODILESS_METHOD.test(this.method);
		this.shouldKeepAlive = this.agent !== null && (this.agent.keepAlive || Number.isFinite(this.agent.maxSockets));
		if (listener) this.once('response', listener);
		this._takeHeaders(options);
		this._abortBy(options.signal);
		this._connect({ ...options, signal: undefined } as RequestOptions);
	}

	_takeHeaders(options: RequestOptions): void {
		const isList = Array.isArray(options.headers);
		for (const [name, value] of headerEntries(options.headers)) {
			if (value === undefined) validateHeaderValue(name, value);
			if (isList && this.hasHeader(name)) this.appendHeader(name, value as string);
			else this.setHeader(name, value as string);
		}
		if (!isList && Array.isArray(this.getHeader('host'))) {
			throw invalidArgument('options.headers.host', 'of type string', this.getHeader('host'));
		}
		if (!isList && !this.getHeader('host') && (options.setHost ?? true)) {
			const isIPv6 = this.host.indexOf(':') !== this.host.lastIndexOf(':') && !this.host.startsWith('[');
			const port = options.port && Number(options.port) !== options.defaultPort ? `:${options.port}` : '';
			this.setHeader('Host', (isIPv6 ? `[${this.host}]` : this.host) + port);
		}
		if (!isList && options.auth && !this.getHeader('authorization')) {
			this.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
		}
		// The server decides by the headers whether it wants the body.
		if (this.getHeader('expect')) this.flushHeaders();
	}

	_abortBy(signal: AbortSignal | undefined): void {
		if (!signal) return;
		const abort = () => {
			const error = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
			this.destroy(Object.assign(error, { name: 'AbortError', cause: signal.reason }));
		};
		if (signal.aborted) OutgoingMessage.runtime.loop.nextTick(abort, []);
		else signal.addEventListener('abort', abort, { once: true });
	}

	/** Requests a connection from the agent, or creates one. */
	_connect(options: RequestOptions): void {
		const { agent } = this;
		if (!agent) {
			this._last = true;
			this.shouldKeepAlive = false;
			// The path of a request is not that of a socket file.
			return this._connectBy({ ...options, path: options.socketPath });
		}
		const isForeign =
			agent.addRequest !== Agent.prototype.addRequest || agent.createConnection !== agent._standardConnection;
		const isHere = options.socketPath !== undefined || isLocal(this.host.replace(/^\[|\]$/g, ''));
		if (isForeign || options.createConnection || isHere) return agent.addRequest(this, options);
		const { lookup } = options;
		if (typeof lookup === 'function') return this._connectWhere(lookup as Lookup, agent, options);
		this._connectOutside(options);
	}

	/** Uses the program's own resolver, whose address may be one of this machine. */
	_connectWhere(lookup: Lookup, agent: Agent, options: RequestOptions): void {
		lookup(this.host, { family: undefined, hints: 0, all: false }, (error, found) => {
			const { address } = firstAddress(found);
			if (error) this.onSocket(null, error);
			else if (isLocal(String(address))) agent.addRequest(this, options);
			else this._connectOutside(options);
		});
	}

	_connectOutside(options: RequestOptions): void {
		const shown = this.host.includes(':') && !this.host.startsWith('[') ? `[${this.host}]` : this.host;
		const port = Number(options.port) === options.defaultPort ? '' : `:${options.port}`;
		this.onSocket(new EgressSocket(`${this.protocol}//${shown}${port}`));
	}

	_connectBy(options: RequestOptions): void {
		let isDone = false;
		const connected = (error: Error | null, socket?: Socket) => {
			if (isDone) return;
			isDone = true;
			if (error || !socket) OutgoingMessage.runtime.loop.nextTick(() => this.emit('error', error), []);
			else this.onSocket(socket);
		};
		try {
			const made = options.createConnection?.(options, connected);
			if (made) connected(null, made);
		} catch (error) {
			connected(error as Error);
		}
	}

	override _implicitHeader(): void {
		if (this._header !== null) {
			throw nodeError(Error, 'ERR_HTTP_HEADERS_SENT', 'Cannot render headers after they are sent to the client');
		}
		if (this._contentLength === 0 && !this.useChunkedEncodingByDefault) this._removedContLen = true;
		if (this._contentLength !== null && this._contentLength > 0) this._removedContLen = false;
		this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`);
	}

	abort(): void {
		if (this.aborted) return;
		this.aborted = true;
		OutgoingMessage.runtime.loop.nextTick(() => this.emit('abort'), []);
		this.destroy();
	}

	setNoDelay(isOn?: boolean): void {
		this._withSocket((socket) => socket.setNoDelay(isOn));
	}

	setSocketKeepAlive(isOn?: boolean, initialDelayMs?: number): void {
		this._withSocket((socket) => socket.setKeepAlive(isOn, initialDelayMs));
	}

	clearTimeout(listener?: () => void): void {
		this.setTimeout(0, listener);
	}

	override setTimeout(ms: number, listener?: () => void): this {
		if (this._ended) return this;
		this._hearTimeout();
		const duration = timerDuration(ms, 'msecs');
		if (listener) this.once('timeout', listener);
		const start = (socket: Socket) => {
			if (socket.connecting) socket.once('connect', () => socket.setTimeout(duration));
			else socket.setTimeout(duration);
		};
		if (this.socket) start(this.socket);
		else this.once('socket', start);
		return this;
	}

	_hearTimeout(): void {
		if (this.timeoutCb) return;
		const heard = () => void this.emit('timeout');
		this.timeoutCb = heard;
		if (this.socket) this.socket.once('timeout', heard);
		else this.on('socket', (socket: Socket) => socket.once('timeout', heard));
	}

	_withSocket(use: (socket: Socket) => void): void {
		const connected = (socket: Socket) => {
			if (socket.connecting) socket.once('connect', () => use(socket));
			else use(socket);
		};
		if (this.socket) connected(this.socket);
		else this.once('socket', connected);
	}

	override destroy(error?: Error): this {
		if (this.destroyed) return this;
		this.destroyed = true;
		this.res?._dump();
		this.errored = error ?? null;
		this.socket?.destroy(error);
		return this;
	}

	/** Called by an agent: with a connection that may still be opening, or an error. */
	onSocket(socket: Socket | null, error?: Error | null): void {
		OutgoingMessage.runtime.loop.nextTick(() => {
			if (!this.destroyed && !error && socket) {
				this._listen(socket);
				this._take(socket);
				this.emit('socket', socket);
				this._attach(socket);
				return;
			}
			this.destroyed = true;
			if (socket && (error || !this.agent || socket.destroyed)) {
				const reason = error ?? this.errored ?? undefined;
				streams.finished(socket.destroy(reason), (failure?: (Error & { code?: string }) | null) =>
					this._unconnected(failure?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? error : (failure ?? error))
				);
				return;
			}
			socket?.emit('free');
			this._unconnected(error);
		}, []);
	}

	/** Ends a request for which no connection was used. */
	_unconnected(error: Error | null | undefined): void {
		const shown = error ?? this.errored ?? (this.aborted ? null : connectionReset('socket hang up'));
		if (shown) this.emit('error', shown);
		this._close(true);
	}

	_listen(socket: Socket): void {
		const parser: HttpParser = new HttpParser(
			'response',
			{
				head: (head) => this._begin(socket, head, parser),
				body: (bytes) => {
					if (this.res && !this.res.destroyed && !this.res._dumped && !this.res.push(Buffer.from(bytes)))
						socket.pause();
				},
				end: (trailers) => this._complete(socket, parser, trailers)
			},
			this.maxHeaderSize
		);
		if (this.timeout !== undefined || this.agent?.options?.timeout) this._hearTimeout();
		const parse = (run: () => void) => {
			try {
				run();
			} catch (error) {
				if (!(error instanceof HttpSyntaxError)) throw error;
				this._failed(Object.assign(new Error(error.message), { code: error.code, reason: error.reason }));
			}
		};
		const events: Record<string, (...args: never[]) => void> = {
			data: (bytes: Uint8Array) => parse(() => parser.write(bytes)),
			end: () => {
				if (!this.res && !this._hadError) {
					this._hadError = true;
					this.emit('error', connectionReset('socket hang up'));
				} else if (this.res && !this.res.complete && !this._hadError) {
					try {
						parser.finish();
					} catch {
						// It ended in the middle: reported on `close`.
					}
				}
			},
			error: (error: Error & { code?: string }) => {
				const isGone = error.code === 'EPIPE' && !this.res;
				this._failed(isGone ? Object.assign(error, { code: 'ECONNRESET', message: 'socket hang up' }) : error);
			},
			close: () => this._disconnected(),
			drain: () => this._drained()
		};
		for (const [event, heard] of Object.entries(events)) socket.on(event, heard as () => void);
		socket._httpMessage = this;
		this._detach = () => {
			for (const [event, heard] of Object.entries(events)) socket.off(event, heard as () => void);
		};
	}

	/** Receives the first line and headers of a response. */
	_begin(socket: Socket, head: MessageHead, parser: HttpParser): 'message' | 'empty' | 'upgrade' {
		checkHead(head);
		if (head.status < 200 && head.status !== 101) {
			this._interim(socket, head);
			return 'empty';
		}
		if (this.res) {
			socket.destroy();
			return 'empty';
		}
		const response = new IncomingMessage(socket);
		response.joinDuplicateHeaders = this._joinsDuplicates ?? false;
		response._fill(head, this.maxHeadersCount);
		response.req = this;
		this.res = response;
		const isTunnel = this.method === 'CONNECT';
		if (isTunnel || (head.status === 101 && asksForUpgrade(head))) {
			this._handOver(socket, response, parser, isTunnel ? 'connect' : 'upgrade');
			return 'upgrade';
		}
		const onTimeout = () => void response.emit('timeout');
		socket.on('timeout', onTimeout);
		for (const event of ['end', 'close']) response.once(event, () => socket.off('timeout', onTimeout));
		// Before the program's listeners, which may use the agent.
		response.once('end', () => this._finished(socket));
		if (this.aborted || !this.emit('response', response)) response._dump();
		return this.method === 'HEAD' ? 'empty' : 'message';
	}

	_interim(socket: Socket, head: MessageHead): void {
		if (head.status === 100) this.emit('continue');
		const interim = new IncomingMessage(socket);
		interim._fill(head, this.maxHeadersCount);
		const { statusCode, statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders } = interim;
		const version = { httpVersion, httpVersionMajor, httpVersionMinor };
		this.emit('information', { statusCode, statusMessage, ...version, headers, rawHeaders });
	}

	_handOver(socket: Socket, response: IncomingMessage, parser: HttpParser, event: 'connect' | 'upgrade'): void {
		this.upgradeOrConnect = true;
		response.upgrade = true;
		this._detach();
		OutgoingMessage.runtime.loop.nextTick(() => {
			if (this.timeoutCb) socket.off('timeout', this.timeoutCb);
			socket.setTimeout(0);
			socket.emit('agentRemove');
			socket._httpMessage = null;
			// Not paused: the first data listener resumes it.
			Object.assign(socket, { readableFlowing: null });
			this.destroyed = true;
			if (!this.emit(event, response, socket, Buffer.from(parser.rest))) socket.destroy();
			this._close();
		}, []);
	}

	_complete(socket: Socket, parser: HttpParser, trailers: [string, string][]): void {
		const response = this.res;
		if (!response || response.upgrade || response.complete) return;
		parser.pause();
		const wantsClose = /(^|,\s*)close/i.test(String(response.headers['connection'] ?? ''));
		const isOld = response.httpVersionMinor === 0 && !/keep-alive/i.test(String(response.headers['connection'] ?? ''));
		if (this._last || wantsClose || isOld) this.shouldKeepAlive = false;
		response._complete(trailers);
		// Otherwise the end could not be distinguished from a lost connection.
		if (response.readableFlowing === null && response._consumed) response.resume();
	}

	/** Reports an error of the connection and stops reading from it. */
	_failed(error: Error): void {
		const { socket } = this;
		this.errored = error;
		if (!this._hadError) {
			this._hadError = true;
			this.emit('error', error);
		}
		socket?.destroy();
	}

	_disconnected(): void {
		this._detach();
		this.destroyed = true;
		if (this.res) {
			if (!this.res.complete) this.res.destroy(connectionReset('aborted'));
		} else if (!this._hadError) {
			this._hadError = true;
			this.emit('error', connectionReset('socket hang up'));
		}
		this._close(true);
	}

	/** Returns the connection to the agent, or ends it. */
	_finished(socket: Socket): void {
		if (this.timeoutCb) socket.removeListener('timeout', this.timeoutCb);
		this._ended = true;
		if (this._closed || this.upgradeOrConnect || socket.destroyed) return;
		if (!this.shouldKeepAlive) {
			if (typeof (socket.destroySoon as unknown) === 'function') socket.destroySoon();
			else socket.end();
			return;
		}
		if (this.destroyed) return;
		// A request without a body counts as sent even if not all of its callbacks were called.
		const isSent = this._finishing || (this.finished && !this.useChunkedEncodingByDefault);
		if (!isSent) return void this.once('finish', () => this._finished(socket));
		this._detach();
		if (this.timeoutCb) socket.setTimeout(0, this.timeoutCb);
		this.timeoutCb = null;
		this.destroyed = true;
		OutgoingMessage.runtime.loop.nextTick(() => {
			this._close(true);
			socket.emit('free');
		}, []);
	}

	_close(isNow = false): void {
		if (this._closed) return;
		this._closed = true;
		if (isNow) this.emit('close');
		else OutgoingMessage.runtime.loop.nextTick(() => this.emit('close'), []);
	}
}
