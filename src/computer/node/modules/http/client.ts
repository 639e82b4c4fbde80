import { Buffer } from 'buffer';
import { HttpParser, HttpSyntaxError } from '#computer/http/parser.ts';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import type { Socket } from '../net/socket.ts';
import type { Agent, ConnectionOptions, PooledRequest } from './agent.ts';
import { asksForUpgrade, headerEntries, validateHeaderName, validateHeaderValue } from './headers.ts';
import { IncomingMessage } from './incoming.ts';
import { OutgoingMessage } from './outgoing.ts';

export interface RequestOptions extends ConnectionOptions {
	protocol?: string;
	hostname?: string;
	defaultPort?: number;
	path?: string;
	method?: string;
	headers?: unknown;
	auth?: string;
	timeout?: number;
	signal?: AbortSignal;
	agent?: Agent | false;
	setHost?: boolean;
}

const BODILESS_METHOD = /^(GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/;

/** `http.ClientRequest`. */
export class ClientRequest extends OutgoingMessage implements PooledRequest {
	method: string;
	path: string;
	host: string;
	protocol: string;
	aborted = false;
	reusedSocket = false;
	maxHeadersCount: number | null = null;
	res: IncomingMessage | null = null;
	agent: Agent | null;
	/** Set by an agent that has no connection for it yet. */
	_retry: (() => void) | undefined;
	#detach: () => void = () => {};

	constructor(options: RequestOptions, agent: Agent | null, listener?: (response: IncomingMessage) => void) {
		super();
		const { method = 'GET', path = '/' } = options;
		if (typeof method !== 'string') throw invalidArgument('options.method', 'of type string', method);
		validateHeaderName(method, 'Method');
		if (/[^\u0021-\u00ff]/.test(path)) {
			throw nodeError(TypeError, 'ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters');
		}
		this.method = method.toUpperCase();
		this.path = path || '/';
		this.host = options.host ?? options.hostname ?? 'localhost';
		this.protocol = options.protocol ?? 'http:';
		this.agent = agent;
		this.shouldKeepAlive = agent?.keepAlive ?? false;
		this.useChunkedEncodingByDefault = !BODILESS_METHOD.test(this.method);
		if (listener) this.once('response', listener);
		for (const [name, value] of headerEntries(options.headers)) {
			if (value === undefined) validateHeaderValue(name, value);
			this.setHeader(name, value as string);
		}
		if (!this.hasHeader('host') && options.setHost !== false) {
			const shown = this.host.includes(':') && !this.host.startsWith('[') ? `[${this.host}]` : this.host;
			const standard = options.defaultPort ?? (this.protocol === 'https:' ? 443 : 80);
			const port = options.port && Number(options.port) !== standard ? `:${options.port}` : '';
			this.setHeader('Host', shown + port);
		}
		if (options.auth && !this.hasHeader('authorization')) {
			this.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
		}
		if (options.timeout) this.setTimeout(options.timeout);
		const { signal } = options;
		if (signal) {
			const abort = () => {
				const error = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
				this.destroy(Object.assign(error, { name: 'AbortError', cause: signal.reason }));
			};
			if (signal.aborted) OutgoingMessage.runtime.loop.nextTick(abort, []);
			else signal.addEventListener('abort', abort, { once: true });
		}
	}

	override _implicitHeader(): void {
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

	setNoDelay(): void {}
	setSocketKeepAlive(): void {}
	clearTimeout(listener?: () => void): void {
		this.setTimeout(0, listener);
	}

	override destroy(error?: Error): this {
		if (this.destroyed) return this;
		this.destroyed = true;
		this.errored = error ?? null;
		if (this.res) this.res._dump();
		const hangUp = error ?? nodeError(Error, 'ECONNRESET', 'socket hang up');
		if (this.socket) this.socket.destroy(this.res ? error : hangUp);
		else {
			OutgoingMessage.runtime.loop.nextTick(() => {
				if (this.socket) this.socket.destroy(hangUp);
				else {
					this.emit('error', hangUp);
					this.#close();
				}
			}, []);
		}
		return this;
	}

	/** Called by an agent, with a connection that may still be opening. */
	onSocket(socket: Socket): void {
		OutgoingMessage.runtime.loop.nextTick(() => {
			if (this.destroyed) return void socket.destroy();
			this.#listen(socket);
			this.emit('socket', socket);
			this._attach(socket);
		}, []);
	}

	#listen(socket: Socket): void {
		let isDone = false;
		const parser: HttpParser = new HttpParser('response', {
			head: (head) => {
				if (head.status < 200 && head.status !== 101) {
					if (head.status === 100) this.emit('continue');
					const interim = new IncomingMessage(socket);
					interim._fill(head);
					const { statusCode, statusMessage, httpVersion, headers, rawHeaders } = interim;
					const [httpVersionMajor, httpVersionMinor] = httpVersion.split('.').map(Number);
					const version = { httpVersion, httpVersionMajor, httpVersionMinor };
					this.emit('information', { statusCode, statusMessage, ...version, headers, rawHeaders });
					return 'empty';
				}
				const response = new IncomingMessage(socket);
				response._fill(head);
				response.req = this;
				this.res = response;
				const isTunnel = this.method === 'CONNECT';
				if (isTunnel || (head.status === 101 && asksForUpgrade(response.headers))) {
					this.#detach();
					isDone = true;
					response.upgrade = true;
					OutgoingMessage.runtime.loop.nextTick(() => {
						// Not paused: the first listener for its data starts it again.
						Object.assign(socket, { readableFlowing: null });
						const rest = Buffer.from(parser.rest);
						if (!this.emit(isTunnel ? 'connect' : 'upgrade', response, socket, rest)) socket.destroy();
						this.#close();
					}, []);
					return 'upgrade';
				}
				if (!this.emit('response', response)) response._dump();
				return this.method === 'HEAD' ? 'empty' : 'message';
			},
			body: (bytes) => {
				if (this.res && !this.res.destroyed && !this.res.push(Buffer.from(bytes))) socket.pause();
			},
			end: (trailers) => {
				const response = this.res;
				if (!response) return;
				isDone = true;
				parser.pause();
				this.#detach();
				response.once('end', () => this.#finished(socket, response));
				response._complete(trailers);
				// Otherwise the end could not be distinguished from a lost connection.
				if (response.listenerCount('end') === 1 && response.readableFlowing === null && response._consumed)
					response.resume();
			}
		});
		const failed = (error: unknown) => {
			if (!(error instanceof HttpSyntaxError)) throw error;
			socket.destroy(Object.assign(new Error(error.message), { code: error.code, reason: error.reason }));
		};
		const onData = (bytes: Uint8Array) => {
			try {
				parser.write(bytes);
			} catch (error) {
				failed(error);
			}
		};
		const onEnd = () => {
			try {
				if (this.res || parser.isBetweenMessages === false) parser.finish();
			} catch {
				// It ended in the middle: `close` says so.
			}
		};
		const onError = (error: Error) => {
			isDone = true;
			this.errored = error;
			if (this.res) this.res.destroy(error);
			else this.emit('error', error);
		};
		const onClose = () => {
			this.#detach();
			this.destroyed = true;
			const hangUp = nodeError(Error, 'ECONNRESET', this.res ? 'aborted' : 'socket hang up');
			if (!isDone && this.res && !this.res.complete) this.res.destroy(hangUp);
			else if (!isDone && !this.res) this.emit('error', hangUp);
			this.#close();
		};
		const onTimeout = () => this.emit('timeout');
		const onDrain = () => this._drained();
		const events = { data: onData, end: onEnd, error: onError, close: onClose, timeout: onTimeout, drain: onDrain };
		for (const [event, heard] of Object.entries(events)) socket.on(event, heard);
		this.#detach = () => {
			for (const [event, heard] of Object.entries(events)) socket.off(event, heard);
		};
	}

	#finished(socket: Socket, response: IncomingMessage): void {
		const wantsClose = /close/i.test(String(response.headers['connection'] ?? ''));
		const stays =
			this.shouldKeepAlive &&
			!this._last &&
			!wantsClose &&
			response.httpVersionMinor > 0 &&
			this.finished &&
			socket.writable;
		if (stays && this.agent && !socket.destroyed) socket.emit('free');
		else socket.destroy();
		this.destroyed = true;
		this.#close();
	}

	#close(): void {
		if (this._closed) return;
		this._closed = true;
		OutgoingMessage.runtime.loop.nextTick(() => this.emit('close'), []);
	}
}
