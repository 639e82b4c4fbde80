import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Socket } from '../net/socket.ts';
import streams from '../stream.ts';
import { validateHeaderName, validateHeaderValue } from './headers.ts';

type Done = (error?: Error | null) => void;
export type HeaderValue = string | number | readonly string[];

const HIGH_WATER_BYTES = 16_384;

/**
 * `http.OutgoingMessage`: headers, then a body that is sent with its length, in chunks, or up to the end of the
 * connection.
 */
export class OutgoingMessage extends streams.Stream {
	static runtime: Runtime;

	writable = true;
	destroyed = false;
	finished = false;
	errored: Error | null = null;
	sendDate = false;
	shouldKeepAlive = true;
	chunkedEncoding = false;
	useChunkedEncodingByDefault = true;
	strictContentLength = false;
	socket: Socket | null = null;
	/** First line and headers, once they are final. */
	_header: string | null = null;
	_headerSent = false;
	_hasBody = true;
	_removedConnection = false;
	_removedContLen = false;
	_removedTE = false;
	_last = false;
	_closed = false;
	_names = new Map<string, [name: string, value: HeaderValue]>();
	/** Headers as sent, if they differ from `getHeaders`. */
	_lines: readonly [name: string, value: HeaderValue][] | null = null;
	_trailer = '';
	_corked = 0;
	/** Data waiting for a socket. */
	_waiting: { bytes: Uint8Array; done?: Done }[] = [];
	_waitingBytes = 0;
	_needsDrain = false;
	_finishing = false;
	_isPrefinished = false;

	get headersSent(): boolean {
		return this._header !== null;
	}

	get connection(): Socket | null {
		return this.socket;
	}

	set connection(socket: Socket | null) {
		this.socket = socket;
	}

	get closed(): boolean {
		return this._closed;
	}

	get writableEnded(): boolean {
		return this.finished;
	}

	get writableFinished(): boolean {
		return this.finished && this._waitingBytes === 0 && (this.socket?.writableLength ?? 0) === 0;
	}

	get writableObjectMode(): boolean {
		return false;
	}

	get writableLength(): number {
		return this._waitingBytes + (this.socket?.writableLength ?? 0);
	}

	get writableHighWaterMark(): number {
		return this.socket?.writableHighWaterMark ?? HIGH_WATER_BYTES;
	}

	get writableCorked(): number {
		return this._corked;
	}

	get writableNeedDrain(): boolean {
		return !this.destroyed && !this.finished && this._needsDrain;
	}

	setHeader(name: string, value: HeaderValue): this {
		checkChangeable(this, 'set');
		validateHeaderName(name);
		validateHeaderValue(name, value);
		this._names.set(name.toLowerCase(), [name, value]);
		return this;
	}

	setHeaders(headers: Headers | Map<string, HeaderValue>): this {
		checkChangeable(this, 'set');
		if (!(headers instanceof Headers) && !(headers instanceof Map)) {
			throw invalidArgument('headers', 'an instance of Headers or Map', headers);
		}
		const cookies: string[] = [];
		for (const [name, value] of headers) {
			if (name === 'set-cookie') cookies.push(...[value].flat().map(String));
			else this.setHeader(name, value);
		}
		if (cookies.length > 0) this.setHeader('set-cookie', cookies);
		return this;
	}

	appendHeader(name: string, value: HeaderValue): this {
		const known = this.getHeader(name);
		const added = Array.isArray(value) ? (value as string[]) : [String(value)];
		return this.setHeader(name, known === undefined ? value : [known, ...added].flat().map(String));
	}

	getHeader(name: string): HeaderValue | undefined {
		if (typeof name !== 'string') throw invalidArgument('name', 'of type string', name);
		return this._names.get(name.toLowerCase())?.[1];
	}

	hasHeader(name: string): boolean {
		return this._names.has(name.toLowerCase());
	}

	getHeaderNames(): string[] {
		return [...this._names.keys()];
	}

	getRawHeaderNames(): string[] {
		return [...this._names.values()].map(([name]) => name);
	}

	getHeaders(): Record<string, HeaderValue> {
		const entries = [...this._names].map(([key, [, value]]) => [key, value] as const);
		return Object.assign(Object.create(null) as object, Object.fromEntries(entries));
	}

	removeHeader(name: string): void {
		checkChangeable(this, 'remove');
		const key = name.toLowerCase();
		if (key === 'connection') this._removedConnection = true;
		if (key === 'content-length') this._removedContLen = true;
		if (key === 'transfer-encoding') this._removedTE = true;
		if (key === 'date') this.sendDate = false;
		this._names.delete(key);
	}

	addTrailers(trailers: Record<string, string>): void {
		for (const [name, value] of Object.entries(trailers)) {
			validateHeaderName(name, 'Trailer name');
			validateHeaderValue(name, value, 'trailer');
			this._trailer += `${name}: ${value}\r\n`;
		}
	}

	flushHeaders(): void {
		if (this._header === null) this._implicitHeader();
		this._sendHeader();
	}

	_implicitHeader(): void {
		throw nodeError(Error, 'ERR_METHOD_NOT_IMPLEMENTED', 'The _implicitHeader() method is not implemented');
	}

	/** Finalizes the headers, including how the body is delimited. */
	_storeHeader(firstLine: string): void {
		const has = (key: string) => this._names.has(key);
		let text = firstLine;
		for (const [name, value] of this._lines ?? this._names.values()) {
			const isList = Array.isArray(value) && name.toLowerCase() !== 'cookie';
			for (const one of isList ? (value as string[]) : [value]) {
				text += `${name}: ${Array.isArray(one) ? one.join('; ') : String(one)}\r\n`;
			}
		}
		if (this.sendDate && !has('date')) text += `Date: ${new Date().toUTCString()}\r\n`;
		const connection = this._names.get('connection')?.[1];
		if (connection !== undefined) {
			this._last = /(^|,\s*)close/i.test(String(connection));
			this.shouldKeepAlive = !this._last;
		}
		const framing = this._framing();
		if (framing === 'connection') this._last = true;
		if (connection === undefined && !this._removedConnection) {
			const stays = this.shouldKeepAlive && !this._last;
			this._last = !stays;
			text += stays ? this._keepAliveHeader() : 'Connection: close\r\n';
		}
		const encoding = this._names.get('transfer-encoding')?.[1];
		this.chunkedEncoding = encoding === undefined ? framing === 'chunked' : /chunked/i.test(String(encoding));
		if (framing === 'length') text += `Content-Length: ${this._contentLength}\r\n`;
		if (framing === 'chunked') text += 'Transfer-Encoding: chunked\r\n';
		if (has('trailer') && !this.chunkedEncoding) {
			const words = 'Trailers are invalid with this transfer encoding';
			throw nodeError(Error, 'ERR_HTTP_TRAILER_INVALID', words);
		}
		this._header = `${text}\r\n`;
	}

	/**
	 * Determines how the end of the body is marked: by one of its headers, one that is added, the end of the
	 * connection, or not at all.
	 */
	_framing(): 'header' | 'length' | 'chunked' | 'connection' | 'none' {
		if (this._names.has('content-length') || this._names.has('transfer-encoding')) return 'header';
		if (!this._hasBody) return 'none';
		if (this._contentLength !== null && !this._removedContLen) return 'length';
		if (this.useChunkedEncodingByDefault && !this._removedTE) return 'chunked';
		return this._endsWithConnection ? 'connection' : 'none';
	}

	_bodyBytes = 0;
	_refusesBody = false;

	/** @throws ERR_HTTP_BODY_NOT_ALLOWED, ERR_HTTP_CONTENT_LENGTH_MISMATCH */
	_checkBody(bytes: number, isLast: boolean): void {
		if (!this._hasBody && bytes > 0 && this._refusesBody) {
			const words = 'Adding content for this request method or response status is not allowed.';
			throw nodeError(Error, 'ERR_HTTP_BODY_NOT_ALLOWED', words);
		}
		const said = this._names.get('content-length')?.[1];
		if (!this.strictContentLength || !this._hasBody || said === undefined || this._names.has('transfer-encoding'))
			return;
		const sum = this._bodyBytes + bytes;
		if (isLast ? sum === Number(said) : sum <= Number(said) || !this._headerSent) {
			this._bodyBytes = sum;
			return;
		}
		const words = `Response body's content-length of ${sum} byte(s) does not match the content-length of ${String(said)} byte(s) set in header`;
		throw nodeError(Error, 'ERR_HTTP_CONTENT_LENGTH_MISMATCH', words);
	}

	/** Known if the whole body was passed to `end()`. */
	_contentLength: number | null = null;
	/** A body of unknown length may end with the connection: for a response, not for a request. */
	_endsWithConnection = false;

	_keepAliveHeader(): string {
		return 'Connection: keep-alive\r\n';
	}

	write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
		const after = (typeof encoding === 'function' ? encoding : done) as Done | undefined;
		const bytes = toBytes(chunk, encoding);
		if (this.finished) return this._refuse(nodeError(Error, 'ERR_STREAM_WRITE_AFTER_END', 'write after end'), after);
		if (this.destroyed) {
			return this._refuse(
				nodeError(Error, 'ERR_STREAM_DESTROYED', 'Cannot call write after a stream was destroyed'),
				after
			);
		}
		if (this._header === null) this._implicitHeader();
		this._checkBody(bytes.length, false);
		this._gather();
		this._sendHeader();
		if (!this._hasBody) {
			if (after) OutgoingMessage.runtime.loop.nextTick(() => after(), []);
			return true;
		}
		// Called after the callbacks of earlier pieces.
		if (bytes.length === 0) return !after || this._send(bytes, after);
		return this._send(this.chunkedEncoding ? chunked(bytes) : bytes, after);
	}

	end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
		const after = [chunk, encoding, done].find((given) => typeof given === 'function') as (() => void) | undefined;
		const body = typeof chunk === 'function' || chunk === undefined || chunk === null ? null : toBytes(chunk, encoding);
		if (this.finished) {
			const error = nodeError(
				Error,
				body ? 'ERR_STREAM_WRITE_AFTER_END' : 'ERR_STREAM_ALREADY_FINISHED',
				body ? 'write after end' : 'Cannot call end after a stream was finished'
			);
			if (body) this._refuse(error, after as Done | undefined);
			else if (after) OutgoingMessage.runtime.loop.nextTick(() => (after as Done)(error), []);
			return this;
		}
		if (after) this.once('finish', after);
		if (this._header === null) {
			this._contentLength = body?.length ?? 0;
			this._implicitHeader();
		}
		this._checkBody(body?.length ?? 0, true);
		this.cork();
		if (body && this._hasBody && body.length > 0) {
			// Headers and body are sent together: one packet, one wake-up of the other side.
			this._sendHeader(this.chunkedEncoding ? chunked(body) : body);
		} else this._sendHeader();
		this.finished = true;
		if (this.socket && this._waiting.length === 0) this._prefinish();
		const finish = (error?: Error | null) => {
			if (error) return;
			this._finishing = true;
			this.emit('finish');
		};
		if (this.chunkedEncoding && this._hasBody) this._send(ascii(`0\r\n${this._trailer}\r\n`), finish);
		else this._send(new Uint8Array(0), finish);
		while (this._corked > 0) this.uncork();
		return this;
	}

	cork(): void {
		this._corked++;
		this.socket?.cork();
	}

	uncork(): void {
		if (this._corked === 0) return;
		this._corked--;
		this.socket?.uncork();
	}

	destroy(error?: Error): this {
		if (this.destroyed) return this;
		this.destroyed = true;
		this.errored = error ?? null;
		if (this.socket) this.socket.destroy(error);
		else this.once('socket', (socket: Socket) => socket.destroy(error));
		return this;
	}

	setTimeout(ms: number, listener?: () => void): this {
		if (listener) this.on('timeout', listener);
		if (this.socket) this.socket.setTimeout(ms);
		else this.once('socket', (socket: Socket) => socket.setTimeout(ms));
		return this;
	}

	override pipe(): never {
		const error = nodeError(Error, 'ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable');
		this.emit('error', error);
		throw error;
	}

	_refuse(error: Error, done?: Done): false {
		OutgoingMessage.runtime.loop.nextTick(() => {
			done?.(error);
			if (!this.destroyed) this.emit('error', error);
		}, []);
		return false;
	}

	_sendHeader(withBody?: Uint8Array): void {
		const head = this._headerSent ? new Uint8Array(0) : latin1(this._header ?? '');
		this._headerSent = true;
		if (head.length > 0 || withBody) this._send(withBody ? Buffer.concat([head, withBody]) : head);
	}

	/** Buffers writes until the next tick: headers and the first pieces are sent together. */
	_gather(): void {
		const { socket } = this;
		if (!socket || socket.writableCorked > 0) return;
		socket.cork();
		OutgoingMessage.runtime.loop.nextTick(() => socket.uncork(), []);
	}

	/** Data waiting for a connection. */
	get outputData(): readonly unknown[] {
		return this._waiting;
	}

	/** Sends text or bytes unchanged, outside the body. */
	_writeRaw(data: string | Uint8Array, encoding?: BufferEncoding | null | Done, done?: Done): boolean {
		const after = typeof encoding === 'function' ? encoding : done;
		const code = typeof encoding === 'string' ? encoding : 'latin1';
		return this._send(typeof data === 'string' ? Buffer.from(data, code) : data, after);
	}

	_send(bytes: Uint8Array, done?: Done): boolean {
		if (this.socket && this._waiting.length === 0) return this._write(this.socket, bytes, done);
		this._waiting.push({ bytes, done });
		this._waitingBytes += bytes.length;
		return this._waitingBytes < HIGH_WATER_BYTES || this._needDrain();
	}

	_write(socket: Socket, bytes: Uint8Array, done?: Done): boolean {
		if (socket.destroyed || !socket.writable) {
			// The other side is gone: reported on `close`.
			return false;
		}
		return socket.write(bytes, (error) => done?.(error)) || this._needDrain();
	}

	_needDrain(): false {
		this._needsDrain = true;
		return false;
	}

	/** Emits `prefinish` when an ended message was completely written to its connection. */
	_prefinish(): void {
		if (this._isPrefinished) return;
		this._isPrefinished = true;
		this.emit('prefinish');
	}

	/** Adopts a connection, corked as often as the message is. */
	_take(socket: Socket): void {
		if (this.socket === socket) return;
		this.socket = socket;
		for (let corks = 0; corks < this._corked; corks++) socket.cork();
	}

	/** Attaches a connection and sends the waiting data. */
	_attach(socket: Socket): void {
		this._take(socket);
		// As a single piece: a server that responds after the first part of a request may be gone before the second.
		socket.cork();
		for (const { bytes, done } of this._waiting.splice(0)) this._write(socket, bytes, done);
		socket.uncork();
		this._waitingBytes = 0;
		if (this.finished && socket.writable) this._prefinish();
		this._drained();
	}

	_drained(): void {
		if (!this._needsDrain || (this.socket?.writableLength ?? 0) > 0) return;
		this._needsDrain = false;
		this.emit('drain');
	}
}

/** @throws ERR_HTTP_HEADERS_SENT */
function checkChangeable(message: Pick<OutgoingMessage, '_header'>, verb: string): void {
	if (message._header === null) return;
	throw nodeError(Error, 'ERR_HTTP_HEADERS_SENT', `Cannot ${verb} headers after they are sent to the client`);
}

function toBytes(chunk: unknown, encoding: unknown): Uint8Array {
	if (chunk instanceof Uint8Array) return chunk;
	if (typeof chunk === 'string') {
		return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
	}
	if (chunk === null) throw nodeError(TypeError, 'ERR_STREAM_NULL_VALUES', 'May not write null values to stream');
	throw invalidArgument('chunk', 'of type string or an instance of Buffer or Uint8Array', chunk);
}

function chunked(bytes: Uint8Array): Uint8Array {
	return Buffer.concat([ascii(`${bytes.length.toString(16)}\r\n`), bytes, ascii('\r\n')]);
}

const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const latin1 = ascii;
