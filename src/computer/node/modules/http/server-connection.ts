import { Buffer } from 'buffer';
import { HttpParser, type MessageHead } from '#computer/http/parser.ts';
import { HttpSyntaxError } from '#computer/http/syntax-error.ts';
import { connectionReset, nodeError } from '../../runtime/errors.ts';
import type { Server } from '../net/server.ts';
import type { Socket } from '../net/socket.ts';
import { asksForUpgrade, checkHead } from './headers.ts';
import { IncomingMessage } from './incoming.ts';
import type { ServerResponse } from './response.ts';
import { STATUS_CODES } from './status.ts';

/** Maximum number of requests waiting for their responses. */
const MAX_OPEN = 1000;

/** Properties of the server used by a connection. */
export interface ConnectionServer extends Server {
	timeout: number;
	keepAliveTimeout: number;
	maxHeadersCount: number | null;
	maxRequestsPerSocket: number;
	readonly _maxHeaderBytes: number;
	readonly _joinsDuplicates: boolean;
	readonly _requiresHost: boolean;
	readonly _refusesBody: boolean;
	/** Connections whose requests the server still answers. */
	readonly _connections: Set<ServerConnection>;
	readonly _classes: { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse };
	/** Runs `work` in the program's next tick. */
	_later(work: () => void): void;
}

/** A request and the response to it. */
interface Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

/**
 * Requests of one connection. Pipelined requests are emitted before earlier responses are sent; their responses wait.
 */
export class ServerConnection {
	/** Requests without a complete response, in order: the first one's response uses the connection. */
	readonly #open: Exchange[] = [];
	/** The request being received, or the last one. */
	#request: IncomingMessage | null = null;
	#isEnding = false;
	/** Time at which the current message started; null between messages. */
	#startedMs: number | null = Date.now();
	#hasHead = false;
	#packet: Uint8Array = new Uint8Array(0);
	#count = 0;
	#isKeptAlive = false;
	/** Set when the connection ends because of an invalid request. */
	#isRefused = false;
	#isStopped = false;
	readonly #parser: HttpParser;
	readonly #onData = (bytes: Uint8Array) => {
		if (this.#parser.isBetweenMessages) this.#startedMs ??= Date.now();
		this.#packet = bytes;
		this.#parse(() => this.#parser.write(bytes));
	};
	readonly #onEnd = () => this.#ended();
	readonly #onDrain = () => {
		this.#response?._drained();
		this.#readOn();
	};
	readonly #onClose = () => this.#closed();

	constructor(
		private readonly server: ConnectionServer,
		private readonly socket: Socket
	) {
		this.#parser = new HttpParser(
			'request',
			{
				head: (head) => this.#begin(head),
				body: (bytes) => {
					const request = this.#request;
					if (!request || request.destroyed) return;
					if (!request.push(Buffer.from(bytes))) socket.pause();
				},
				end: (trailers) => {
					this.#startedMs = null;
					this.#hasHead = false;
					if (this.#isFlooded) this.#stopReading();
					this.#request?._complete(trailers);
				}
			},
			server._maxHeaderBytes
		);
		socket.on('data', this.#onData);
		socket.on('end', this.#onEnd);
		socket.on('drain', this.#onDrain);
		socket.on('close', this.#onClose);
		socket.on('error', (error: Error) => {
			if (!this.#isRefused && !this.server.emit('clientError', error, socket)) socket.destroy();
		});
		socket.on('timeout', () => {
			const request = this.#request?.complete ? null : this.#request;
			const handled = [request, this.#response, server].map((emitter) => emitter?.emit('timeout', socket));
			if (!handled.includes(true)) socket.destroy();
		});
		if (server.timeout) this.#wait(server.timeout);
	}

	get isIdle(): boolean {
		return this.#open.length === 0 && this.#parser.isBetweenMessages;
	}

	/** The response that uses the connection. */
	get #response(): ServerResponse | undefined {
		return this.#open[0]?.response;
	}

	/** Returns whether responses wait for the other side to read: more requests would only fill the memory. */
	get #isFlooded(): boolean {
		const { socket } = this;
		const waiting = this.#open.reduce((sum, { response }) => sum + response._waitingBytes, 0);
		return socket.writableNeedDrain || waiting >= socket.writableHighWaterMark || this.#open.length >= MAX_OPEN;
	}

	#stopReading(): void {
		this.#parser.pause();
		this.socket.pause();
		this.#isStopped = true;
	}

	#readOn(): void {
		if (!this.#isStopped || this.#isFlooded) return;
		this.#isStopped = false;
		this.socket.resume();
		this.#parse(() => this.#parser.resume());
		if (this.#isEnding) this.#ended();
	}

	/** Streams other than sockets have no timeouts. */
	#wait(ms: number): void {
		const { socket } = this;
		if (typeof (socket.setTimeout as unknown) === 'function') socket.setTimeout(ms);
	}

	/** Refuses a request whose headers, or which as a whole, took too long. */
	endIfLate(headersMs: number, requestMs: number): void {
		if (this.#startedMs === null) return;
		const limitMs = this.#hasHead ? requestMs : Math.min(headersMs || Infinity, requestMs || Infinity);
		if (limitMs === 0 || Date.now() - this.#startedMs < limitMs) return;
		this.#startedMs = null;
		const error = nodeError(Error, 'ERR_HTTP_REQUEST_TIMEOUT', 'Request timeout');
		this.#refuse(error, 408);
	}

	#refuse(error: Error, status: number): void {
		const { socket } = this;
		this.#isRefused = true;
		if (this.server.emit('clientError', error, socket)) return;
		if (socket.writable && !this.#response?._headerSent)
			socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
		if (socket.writableFinished) socket.destroy(error);
		else socket.once('finish', () => socket.destroy(error));
	}

	#parse(work: () => void): void {
		try {
			work();
		} catch (error) {
			if (!(error instanceof HttpSyntaxError)) throw error;
			this.socket.pause();
			this.socket.off('data', this.#onData);
			// As in Node, the error of a connection that ends in the middle has no reason.
			const isCut = error.code === 'HPE_INVALID_EOF_STATE';
			const shown = Object.assign(new Error(isCut ? 'Parse Error' : error.message), {
				code: error.code,
				reason: error.reason,
				bytesParsed: error.code === 'HPE_INVALID_METHOD' ? 1 : 0,
				rawPacket: this.#packet
			});
			this.#refuse(shown, error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400);
		}
	}

	#begin(head: MessageHead): 'message' | 'upgrade' {
		const { server, socket } = this;
		checkHead(head);
		this.#hasHead = true;
		const request = new server._classes.IncomingMessage(socket);
		request.joinDuplicateHeaders = server._joinsDuplicates;
		request._fill(head, server.maxHeadersCount);
		if ((asksForUpgrade(head) || head.method === 'CONNECT') && this.#handOver(request, head.method)) return 'upgrade';
		const response = new server._classes.ServerResponse(request);
		response._keepAliveMs = server.keepAliveTimeout;
		this.#request = request;
		const exchange = { request, response };
		this.#open.push(exchange);
		response._refusesBody = server._refusesBody;
		response._maxRequests = server.maxRequestsPerSocket;
		if (this.#open.length === 1) response.assignSocket(socket);
		response.on('finish', () => this.#answered(exchange));
		if (this.#isKeptAlive) this.#wait(server.timeout);
		this.#isKeptAlive = false;
		this.#announce(request, response);
		return 'message';
	}

	/** Passes a request to the program, unless its headers require another response. */
	#announce(request: IncomingMessage, response: ServerResponse): void {
		const { server, socket } = this;
		if (server._requiresHost && request.httpVersion === '1.1' && request.headers['host'] === undefined) {
			return void response.writeHead(400, ['Connection', 'close']).end();
		}
		if (this.#isBeyondLimit(request, response)) {
			server.emit('dropRequest', request, socket);
			return void response.writeHead(503).end();
		}
		const expectation = request.headers['expect'];
		if (expectation === undefined || request.httpVersion !== '1.1')
			return void server.emit('request', request, response);
		if (/100-continue/i.test(String(expectation))) {
			response._expect_continue = true;
			if (server.emit('checkContinue', request, response)) return;
			response.writeContinue();
			server.emit('request', request, response);
		} else if (!server.emit('checkExpectation', request, response)) response.writeHead(417).end();
	}

	/**
	 * Counts a request against `maxRequestsPerSocket`. From the last one on, responses only ask the client to close:
	 * further requests are refused with a response, not with the end of the connection.
	 */
	#isBeyondLimit(request: IncomingMessage, response: ServerResponse): boolean {
		const limit = this.server.maxRequestsPerSocket;
		if (!(limit > 0) || request.httpVersion !== '1.1') return false;
		this.#count++;
		response.maxRequestsOnConnectionReached = this.#count >= limit;
		return this.#count > limit;
	}

	/** Passes the connection to the handler of the other protocol. */
	#handOver(request: IncomingMessage, method: string): boolean {
		const event = method === 'CONNECT' ? 'connect' : 'upgrade';
		if (this.server.listenerCount(event) === 0) return false;
		request.upgrade = true;
		const { socket } = this;
		this.server._connections.delete(this);
		socket.off('data', this.#onData);
		socket.off('end', this.#onEnd);
		socket.off('drain', this.#onDrain);
		socket.off('close', this.#onClose);
		socket.removeAllListeners('timeout');
		socket.removeAllListeners('error');
		// After the parser has released the bytes that arrived with the request.
		this.server._later(() => {
			// Not paused: the first data listener resumes it.
			Object.assign(socket, { readableFlowing: null });
			const rest = Buffer.from(this.#parser.rest);
			if (!this.server.emit(event, request, socket, rest)) socket.destroy();
		});
		return true;
	}

	#answered({ request, response }: Exchange): void {
		const { socket, server } = this;
		this.#open.shift();
		if (!request._consumed) request._dump();
		response.detachSocket(socket);
		closeMessage(response, server);
		const isLast = response._last || !response.shouldKeepAlive;
		if (isLast) {
			if (typeof (socket.destroySoon as unknown) === 'function') socket.destroySoon();
			else socket.end();
			return;
		}
		if (!request.complete) request.resume();
		// An unread body has paused it.
		if (!this.#isStopped) socket.resume();
		const next = this.#response;
		if (next) next.assignSocket(socket);
		else if (server.keepAliveTimeout) {
			this.#wait(server.keepAliveTimeout);
			this.#isKeptAlive = true;
		}
		this.#readOn();
	}

	/** The other side has ended: responses to its requests are no longer sent. */
	#ended(): void {
		if (this.#isRefused) return;
		this.#isEnding = true;
		if (this.#isStopped && this.#parser.rest.length > 0) return;
		this.#parse(() => this.#parser.finish());
		if (this.socket.writable) this.socket.end();
	}

	#closed(): void {
		const { server } = this;
		server._connections.delete(this);
		const open = this.#open.splice(0);
		for (const { request, response } of open) {
			if (!request.complete || !response.finished) request.destroy(connectionReset('aborted'));
			response.destroyed = true;
			closeMessage(response, server);
		}
		// Its response was sent before the whole request had arrived.
		const last = this.#request;
		if (last && !last.complete && open.every(({ request }) => request !== last)) {
			last.destroy(connectionReset('aborted'));
		}
	}

	destroy(): void {
		this.socket.destroy();
	}
}

function closeMessage(response: ServerResponse, server: ConnectionServer): void {
	if (response._closed) return;
	response._closed = true;
	server._later(() => {
		response.destroyed = true;
		response.emit('close');
	});
}
