import { invalidValue } from '../../../runtime/errors.ts';
import { string } from '../../../runtime/validate.ts';
import { Socket } from '../../net/socket.ts';
import streams from '../../stream.ts';
import { authorityOf, type Headers } from '../header-lists.ts';
import { type Http2Stream, internalsOf } from '../stream.ts';
import { exchangeOf, socketOf } from './exchange.ts';

/** `Http2ServerRequest`: a request in the form of `http.IncomingMessage`. */
export class Http2ServerRequest extends streams.Readable {
	readonly stream: Http2Stream;
	_headers: Headers;
	_rawHeaders: string[];
	_trailers: Headers = {};
	_rawTrailers: string[] = [];
	_isAborted = false;
	_isClosed = false;
	_didRead = false;

	constructor(stream: Http2Stream, headers: Headers, options: object | undefined, rawHeaders: string[]) {
		super({ autoDestroy: false, ...options });
		this.stream = stream;
		this._headers = headers;
		this._rawHeaders = rawHeaders;
		const exchange = exchangeOf(stream);
		exchange.request = this;
		stream.on('trailers', (trailers: Headers, _flags: number, raw: string[]) => {
			Object.assign(this._trailers, trailers);
			this._rawTrailers.push(...raw);
		});
		stream.on('end', () => {
			if (!this._isClosed) this.push(null);
		});
		// Errors are not those of the request, as in HTTP/1.
		stream.on('error', () => undefined);
		stream.on('aborted', () => {
			if (this._isClosed) return;
			this._isAborted = true;
			this.emit('aborted');
		});
		stream.on('close', () => this._close());
		stream.on('timeout', () => this.emit('timeout'));
		this.on('pause', () => void stream.pause());
		this.on('resume', () => void stream.resume());
	}

	_close(): void {
		if (this._isClosed) return;
		this._isClosed = true;
		this.push(null);
		// A body that is not asked for is dropped, as in HTTP/1.
		if (!this._didRead && !internalsOf(this)._readableState.resumeScheduled) this.resume();
		const exchange = exchangeOf(this.stream);
		exchange.socket = null;
		exchange.request = undefined;
		this.emit('close');
	}

	override _read(): void {
		const { stream } = this;
		if (this._didRead) return Socket.runtime.loop.nextTick(() => stream.resume(), []);
		this._didRead = true;
		stream.on('data', (chunk: Uint8Array) => {
			if (!this._isClosed && !this.push(chunk)) stream.pause();
		});
	}

	get aborted(): boolean {
		return this._isAborted;
	}
	get complete(): boolean {
		return this._isAborted || this.readableEnded || this._isClosed || this.stream.destroyed;
	}
	get headers(): Headers {
		return this._headers;
	}
	get rawHeaders(): string[] {
		return this._rawHeaders;
	}
	get trailers(): Headers {
		return this._trailers;
	}
	get rawTrailers(): string[] {
		return this._rawTrailers;
	}
	get httpVersionMajor(): number {
		return 2;
	}
	get httpVersionMinor(): number {
		return 0;
	}
	get httpVersion(): string {
		return '2.0';
	}
	get socket(): Http2Stream {
		return socketOf(this.stream);
	}
	get connection(): Http2Stream {
		return this.socket;
	}
	get method(): unknown {
		return this._headers[':method'];
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
	set method(method: unknown) {
		string(method, 'method');
		if (String(method).trim() === '') throw invalidValue('method', method);
		this._headers[':method'] = method;
	}

	get authority(): unknown {
		return authorityOf(this._headers);
	}
	get scheme(): unknown {
		return this._headers[':scheme'];
	}
	get url(): unknown {
		return this._headers[':path'];
	}
	set url(url: unknown) {
		this._headers[':path'] = url;
	}

	setTimeout(ms: unknown, listener?: unknown): this {
		if (!this._isClosed) this.stream.setTimeout(ms, listener);
		return this;
	}
}
