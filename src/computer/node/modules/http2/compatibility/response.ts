import { invalidValue, nodeError } from '../../../runtime/errors.ts';
import { functionValue, plainObject, string } from '../../../runtime/validate.ts';
import { checkLink } from '../../http/response.ts';
import { Socket } from '../../net/socket.ts';
import streams from '../../stream.ts';
import { http2Error, invalidHeaderValue, invalidStatus, invalidToken } from '../errors.ts';
import { type Headers, isToken } from '../header-lists.ts';
import { ServerHttp2Stream } from '../server-stream.ts';
import { exchangeOf, socketOf } from './exchange.ts';
import type { Http2ServerRequest } from './request.ts';
import type { Http2Stream } from '../stream.ts';

type Done = (error?: Error | null) => void;

const PSEUDO = new Set([':status', ':method', ':path', ':authority', ':scheme']);
const STATUS_MESSAGE = 'Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)';
const CONNECTION_HEADER =
	'The provided connection header is not valid, the value will be dropped from the header and will never be in use.';

const warned = new WeakMap<object, Set<string>>();

/** Warns once per program. */
function warn(words: string): void {
	const { process } = Socket.runtime;
	const before = warned.get(process) ?? new Set();
	warned.set(process, before);
	if (before.has(words)) return;
	before.add(words);
	process.emitWarning(words, 'UnsupportedWarning');
}

const normal = (name: unknown): string => {
	string(name, 'name');
	return String(name).trim().toLowerCase();
};

/** @throws ERR_HTTP2_INVALID_HEADER_VALUE, ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED, ERR_INVALID_HTTP_TOKEN */
function checkHeader(name: string, value: unknown): void {
	if (name === '' || name.includes(' ')) throw invalidToken(name);
	if (PSEUDO.has(name)) throw http2Error('PSEUDOHEADER_NOT_ALLOWED');
	if (value === undefined || value === null) throw invalidHeaderValue(value, name);
	if (!isAllowed(name, value)) warn(CONNECTION_HEADER);
}

const isAllowed = (name: string, value: unknown): boolean => name !== 'connection' || value === 'trailers';

/** `Http2ServerResponse`: a response in the form of `http.ServerResponse`. */
export class Http2ServerResponse extends streams.Stream {
	readonly stream: ServerHttp2Stream;
	readonly req: Http2ServerRequest | undefined;
	writable = true;
	_headers = Object.create(null) as Headers;
	_trailers = Object.create(null) as Headers;
	_isClosed = false;
	_isEnding = false;
	_isDestroyed = false;
	_isHead = false;
	_sendsDate = true;
	_status = 200;
	readonly _wantTrailers = () => this.stream.sendTrailers(this._trailers);

	constructor(stream: ServerHttp2Stream, options?: object) {
		super(options as never);
		this.stream = stream;
		exchangeOf(stream).socket = null;
		this.req = exchangeOf(stream).request as Http2ServerRequest | undefined;
		stream.on('drain', () => {
			if (!this._isClosed) this.emit('drain');
		});
		stream.on('close', () => this._close());
		stream.on('wantTrailers', this._wantTrailers);
		stream.on('timeout', () => this.emit('timeout'));
	}

	_close(): void {
		const { stream } = this;
		if (this._isClosed || stream.headRequest !== this._isHead) return;
		this._isClosed = true;
		exchangeOf(stream).socket = null;
		stream.off('wantTrailers', this._wantTrailers);
		this.emit('finish');
		this.emit('close');
	}

	/** Only tells packages whether the head was sent. */
	get _header(): boolean {
		return this.headersSent;
	}
	get writableEnded(): boolean {
		return this._isEnding;
	}
	get finished(): boolean {
		return this._isEnding;
	}
	get socket(): Http2Stream | undefined {
		return this._isClosed ? undefined : socketOf(this.stream);
	}
	get connection(): Http2Stream | undefined {
		return this.socket;
	}
	get headersSent(): boolean {
		return this.stream.headersSent;
	}
	get sendDate(): boolean {
		return this._sendsDate;
	}
	set sendDate(isSent: unknown) {
		this._sendsDate = Boolean(isSent);
	}
	get writableCorked(): number {
		return this.stream.writableCorked;
	}
	get writableHighWaterMark(): number {
		return this.stream.writableHighWaterMark;
	}
	get writableFinished(): boolean {
		return this.stream.writableFinished;
	}
	get writableLength(): number {
		return this.stream.writableLength;
	}
	get statusCode(): number {
		return this._status;
	}

	/** @throws ERR_HTTP2_INFO_STATUS_NOT_ALLOWED, ERR_HTTP2_STATUS_INVALID */
	set statusCode(given: unknown) {
		const status = Number(given) | 0;
		if (status >= 100 && status < 200) throw http2Error('INFO_STATUS_NOT_ALLOWED');
		if (status < 100 || status > 599) throw invalidStatus(status);
		this._status = status;
	}

	get statusMessage(): string {
		warn(STATUS_MESSAGE);
		return '';
	}
	set statusMessage(_message: unknown) {
		warn(STATUS_MESSAGE);
	}

	setTrailer(name: unknown, value: unknown): void {
		const key = normal(name);
		checkHeader(key, value);
		this._trailers[key] = value;
	}

	addTrailers(trailers: Record<string, unknown>): void {
		for (const [name, value] of Object.entries(trailers)) this.setTrailer(name, value);
	}

	getHeader(name: unknown): unknown {
		return this._headers[normal(name)];
	}

	getHeaderNames(): string[] {
		return Object.keys(this._headers);
	}

	getHeaders(): Headers {
		return Object.assign(Object.create(null), this._headers) as Headers;
	}

	hasHeader(name: unknown): boolean {
		return Object.hasOwn(this._headers, normal(name));
	}

	removeHeader(name: unknown): void {
		const key = normal(name);
		this._checkUnsent();
		if (key === 'date') this._sendsDate = false;
		else delete this._headers[key];
	}

	setHeader(name: unknown, value: unknown): void {
		string(name, 'name');
		this._checkUnsent();
		this._setHeader(name, value);
	}

	/** Adds a value to those of a header. */
	appendHeader(name: unknown, value: unknown): void {
		string(name, 'name');
		this._checkUnsent();
		this._appendHeader(name, value);
	}

	_setHeader(name: unknown, value: unknown): void {
		const key = this._checkedName(name, value);
		if (key !== null) this._headers[key] = value;
	}

	_appendHeader(name: unknown, value: unknown): void {
		const key = this._checkedName(name, value);
		if (key === null) return;
		const known = this._headers[key];
		this._headers[key] = known ? [known, value].flat() : value;
	}

	/** Returns the name of a header in lower case, null if it is dropped. */
	_checkedName(name: unknown, value: unknown): string | null {
		const key = normal(name);
		checkHeader(key, value);
		if (!isAllowed(key, value)) return null;
		if (!isToken(key)) this.destroy(invalidToken(key));
		return key;
	}

	_checkUnsent(): void {
		if (this.headersSent) throw http2Error('HEADERS_SENT');
	}

	flushHeaders(): void {
		if (!this._isClosed && !this.headersSent) this.writeHead(this._status);
	}

	/** @throws ERR_HTTP2_HEADERS_SENT, ERR_INVALID_ARG_VALUE and errors for headers */
	writeHead(status: unknown, ...given: unknown[]): this {
		const { stream } = this;
		if (this._isClosed || stream.destroyed || stream.closed) return this;
		this._checkUnsent();
		if (typeof given[0] === 'string') warn(STATUS_MESSAGE);
		const headers = given[1] ?? (typeof given[0] === 'object' ? given[0] : undefined);
		if (Array.isArray(headers)) this._takeList(headers);
		else if (typeof headers === 'object') {
			for (const [name, value] of Object.entries(headers ?? {})) this._setHeader(name, value);
		}
		this.statusCode = status;
		this._respond();
		return this;
	}

	/** Takes a list of headers, which replace those of the same names. */
	_takeList(list: unknown[]): void {
		const isNested = Array.isArray(list[0]);
		if (!isNested && list.length % 2 !== 0) throw invalidValue('headers', list);
		const pairs = isNested
			? (list as [unknown, unknown][])
			: list.flatMap((name, at): [unknown, unknown][] => (at % 2 === 0 ? [[name, list[at + 1]]] : []));
		for (const [name] of pairs) this.removeHeader(name);
		for (const [name, value] of pairs) this._appendHeader(name, value);
	}

	_respond(): void {
		this._headers[':status'] = this._status;
		const options = { endStream: this._isEnding, waitForTrailers: true, sendDate: this._sendsDate };
		this.stream.respond(this._headers, options);
	}

	cork(): void {
		this.stream.cork();
	}

	uncork(): void {
		this.stream.uncork();
	}

	write(chunk: unknown, ...given: unknown[]): boolean {
		const { stream } = this;
		const done = given.find((one): one is Done => typeof one === 'function');
		const encoding = typeof given[0] === 'function' ? 'utf8' : given[0];
		const error = this._isEnding
			? nodeError(Error, 'ERR_STREAM_WRITE_AFTER_END', 'write after end')
			: this._isClosed
				? http2Error('INVALID_STREAM')
				: null;
		if (error) {
			if (done) Socket.runtime.loop.nextTick(() => done(error), []);
			this.destroy(error);
			return false;
		}
		if (this._isDestroyed) return false;
		if (!stream.headersSent) this.writeHead(this._status);
		return stream.write(chunk, encoding as never, done as never);
	}

	end(...given: unknown[]): this {
		const { stream } = this;
		const done = given.find((one): one is Done => typeof one === 'function');
		const [chunk, encoding] = given.map((one) => (typeof one === 'function' ? undefined : one));
		if ((this._isClosed || this._isEnding) && this._isHead === stream.headRequest) {
			if (done) Socket.runtime.loop.nextTick(done as () => void, []);
			return this;
		}
		if (chunk !== null && chunk !== undefined) this.write(chunk, encoding);
		this._isHead = stream.headRequest;
		this._isEnding = true;
		if (done) (stream.writableEnded ? this : stream).once('finish', done);
		if (!stream.headersSent) this.writeHead(this._status);
		if (this._isClosed || stream.destroyed) this._close();
		else stream.end();
		return this;
	}

	destroy(error?: Error): void {
		if (this._isDestroyed) return;
		this._isDestroyed = true;
		this.stream.destroy(error);
	}

	setTimeout(ms: unknown, listener?: unknown): void {
		if (!this._isClosed) this.stream.setTimeout(ms, listener);
	}

	/** Promises the response to another request. */
	createPushResponse(headers: unknown, listener: unknown): void {
		functionValue(listener, 'callback');
		const called = listener as (error: Error | null, response?: Http2ServerResponse) => void;
		if (this._isClosed) {
			Socket.runtime.loop.nextTick(() => called(http2Error('INVALID_STREAM')), []);
			return;
		}
		this.stream.pushStream(headers, {}, (error: Error | null, stream?: ServerHttp2Stream) => {
			if (error || !stream) called(error);
			else called(null, new Http2ServerResponse(stream));
		});
	}

	writeContinue(): boolean {
		if (this.headersSent || this._isClosed) return false;
		this.stream.additionalHeaders({ ':status': 100 });
		return true;
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
	writeEarlyHints(hints: Record<string, unknown>): boolean {
		plainObject(hints, 'hints');
		const { link, ...others } = hints;
		const links: unknown[] = Array.isArray(link) ? link : [link];
		for (const one of links) checkLink(one);
		if (links.length === 0 || this.headersSent || this._isClosed) return false;
		this.stream.additionalHeaders({ ...others, ':status': 103, Link: links.join(', ') });
		return true;
	}
}
