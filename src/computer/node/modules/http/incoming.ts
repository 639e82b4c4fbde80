import type { MessageHead } from '#computer/http/parser.ts';
import type { Socket } from '../net/socket.ts';
import streams from '../stream.ts';
import { addHeader, distinctHeaders, joinHeaders, type IncomingHeaders } from './headers.ts';

/** `http.IncomingMessage`: a request on a server, or a response on a client. */
export class IncomingMessage extends streams.Readable {
	/** Null in a message that a program creates itself. */
	httpVersion: string | null = null;
	httpVersionMajor: number | null = null;
	httpVersionMinor: number | null = null;
	complete = false;
	rawHeaders: string[] = [];
	rawTrailers: string[] = [];
	method: string | null = null;
	url = '';
	statusCode: number | null = null;
	statusMessage: string | null = null;
	aborted = false;
	upgrade = false;
	joinDuplicateHeaders = false;
	_dumped = false;
	req: unknown;
	socket: Socket | null | undefined;
	_headers: IncomingHeaders | undefined;
	_pairs: [string, string][] = [];
	_trailers: [string, string][] = [];
	_consumed = false;

	constructor(socket?: Socket | null) {
		super({ highWaterMark: socket?.readableHighWaterMark ?? 65_536 });
		this.socket = socket;
	}

	/** Older name of `socket`. */
	get client(): Socket | null | undefined {
		return this.socket;
	}

	get connection(): Socket | null | undefined {
		return this.socket;
	}

	set connection(socket: Socket | null | undefined) {
		this.socket = socket;
	}

	get headers(): IncomingHeaders {
		return (this._headers ??= joinHeaders(this._pairs, this.joinDuplicateHeaders));
	}

	set headers(value: IncomingHeaders) {
		this._headers = value;
	}

	get headersDistinct(): Record<string, string[]> {
		return distinctHeaders(this._pairs);
	}

	get trailers(): IncomingHeaders {
		return joinHeaders(this._trailers);
	}

	get trailersDistinct(): Record<string, string[]> {
		return distinctHeaders(this._trailers);
	}

	/** Adds a header to `headers` as the parser does; programs use it to build their own messages. */
	_addHeaderLine(name: string, value: string, headers: IncomingHeaders): void {
		addHeader(headers, name, value, this.joinDuplicateHeaders);
	}

	/** @param maxHeaders further headers are dropped */
	_fill({ method, target, status, statusText, version, headers: all }: MessageHead, maxHeaders?: number | null): void {
		const headers = maxHeaders ? all.slice(0, maxHeaders) : all;
		this.httpVersion = version;
		[this.httpVersionMajor, this.httpVersionMinor] = version.split('.').map(Number) as [number, number];
		this._pairs = headers;
		this.rawHeaders = headers.flat();
		if (status === 0) {
			this.method = method;
			this.url = target;
		} else {
			this.statusCode = status;
			this.statusMessage = statusText;
		}
	}

	_complete(trailers: [string, string][]): void {
		this._trailers = trailers;
		this.rawTrailers = trailers.flat();
		this.complete = true;
		this.push(null);
	}

	/** Discards the rest of an unread message, since the next one follows it. */
	_dump(): void {
		if (this._dumped) return;
		this._dumped = true;
		this.removeAllListeners('data');
		this.resume();
	}

	override _read(): void {
		this._consumed = true;
		this.socket?.resume();
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
		if (!this.readableEnded || !this.complete) {
			this.aborted = true;
			this.emit('aborted');
		}
		// If the reader stops before the end, the remaining bytes would be parsed as the next message.
		const { socket } = this;
		// Only listeners get the error of a truncated message: it does not end the program.
		const end = () => done(this.listenerCount('error') > 0 ? error : null);
		if (!socket || socket.destroyed || !this.aborted) return void queueMicrotask(end);
		socket.once('close', end);
		socket.destroy(error ?? undefined);
	}

	setTimeout(ms: number, listener?: () => void): this {
		if (listener) this.on('timeout', listener);
		this.socket?.setTimeout(ms);
		return this;
	}
}
