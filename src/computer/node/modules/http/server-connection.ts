import { Buffer } from 'buffer';
import { HttpParser, HttpSyntaxError, type MessageHead } from '#computer/http/parser.ts';
import { nodeError } from '../../runtime/errors.ts';
import type { Server } from '../net/server.ts';
import type { Socket } from '../net/socket.ts';
import { asksForUpgrade } from './headers.ts';
import { IncomingMessage } from './incoming.ts';
import type { ServerResponse } from './response.ts';
import { STATUS_CODES } from './status.ts';

/** Properties of the server that a connection reads. */
export interface ConnectionServer extends Server {
	timeout: number;
	keepAliveTimeout: number;
	readonly _maxHeaderBytes: number;
	/** The connections whose requests the server still answers. */
	readonly _connections: Set<ServerConnection>;
	readonly _classes: { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse };
	/** Runs `work` in the program's next tick. */
	_later(work: () => void): void;
}

/** The requests of one connection, one after the other. */
export class ServerConnection {
	#request: IncomingMessage | null = null;
	#response: ServerResponse | null = null;
	#isEnding = false;
	readonly #parser: HttpParser;
	readonly #onData = (bytes: Uint8Array) => this.#parse(() => this.#parser.write(bytes));
	readonly #onEnd = () => this.#ended();
	readonly #onDrain = () => this.#response?._drained();
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
					// What follows is another request: it waits until this one is answered.
					if (this.#response) this.#parser.pause();
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
			if (!this.server.emit('clientError', error, socket)) socket.destroy();
		});
		socket.on('timeout', () => {
			const handled = [this.#request, this.#response, server].map((emitter) => emitter?.emit('timeout', socket));
			if (!handled.includes(true)) socket.destroy();
		});
	}

	get isIdle(): boolean {
		return this.#response === null && this.#parser.isBetweenMessages;
	}

	#parse(work: () => void): void {
		try {
			work();
		} catch (error) {
			if (!(error instanceof HttpSyntaxError)) throw error;
			this.socket.pause();
			this.socket.off('data', this.#onData);
			const shown = Object.assign(new Error(error.message), { code: error.code, reason: error.reason, bytesParsed: 0 });
			if (this.server.emit('clientError', shown, this.socket)) return;
			const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
			if (this.socket.writable)
				this.socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
			this.socket.destroySoon();
		}
	}

	#begin(head: MessageHead): 'message' | 'upgrade' {
		const { server, socket } = this;
		const request = new server._classes.IncomingMessage(socket);
		request._fill(head);
		if ((asksForUpgrade(request.headers) || head.method === 'CONNECT') && this.#handOver(request, head.method))
			return 'upgrade';
		const response = new server._classes.ServerResponse(request);
		response._keepAliveSeconds = Math.floor(server.keepAliveTimeout / 1000);
		this.#request = request;
		this.#response = response;
		response.assignSocket(socket);
		response.on('finish', () => this.#answered(request, response));
		socket.setTimeout(server.timeout);
		const expectation = String(request.headers['expect'] ?? '');
		if (/100-continue/i.test(expectation)) {
			response._expect_continue = true;
			if (server.emit('checkContinue', request, response)) return 'message';
			response.writeContinue();
		} else if (expectation && server.listenerCount('checkExpectation') > 0) {
			server.emit('checkExpectation', request, response);
			return 'message';
		}
		server.emit('request', request, response);
		return 'message';
	}

	/** Hands the connection over to the handler of the other protocol. */
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
		// After the parser has let go of the bytes that came along.
		this.server._later(() => {
			// Not paused: the first listener for its data starts it again.
			Object.assign(socket, { readableFlowing: null });
			const rest = Buffer.from(this.#parser.rest);
			if (!this.server.emit(event, request, socket, rest)) socket.destroy();
		});
		return true;
	}

	#answered(request: IncomingMessage, response: ServerResponse): void {
		const { socket, server } = this;
		this.#response = null;
		this.#request = null;
		request._dump();
		response.detachSocket();
		closeMessage(response, server);
		const isLast = response._last || !response.shouldKeepAlive || !server.listening;
		if (isLast) return socket.destroySoon();
		socket.setTimeout(server.keepAliveTimeout);
		if (!request.complete) {
			request.once('end', () => this.#next());
			request.resume();
		} else this.#next();
	}

	#next(): void {
		this.socket.resume();
		this.#parse(() => this.#parser.resume());
		if (this.#isEnding && !this.#response) this.#ended();
	}

	/** The other side says nothing more: requests that have arrived are answered, then the connection ends. */
	#ended(): void {
		this.#isEnding = true;
		if (this.#response && this.#parser.rest.length > 0) return;
		this.#parse(() => this.#parser.finish());
		if (this.socket.writable) this.socket.end();
	}

	#closed(): void {
		const { server } = this;
		server._connections.delete(this);
		const request = this.#request;
		const response = this.#response;
		if (request && !request.complete) {
			const error = nodeError(Error, 'ECONNRESET', 'aborted');
			request.aborted = true;
			request.socket = null;
			server._later(() => {
				request.emit('aborted');
				if (request.listenerCount('error') > 0) request.destroy(error);
				else request.destroy();
			});
		} else if (request && response && !response.finished) {
			request.destroy();
		}
		if (response) {
			response.destroyed = true;
			closeMessage(response, server);
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
