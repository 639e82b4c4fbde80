import type { MessageHead } from '#computer/http/parser.ts';
import type { Socket } from '../net/socket.ts';
import streams from '../stream.ts';
import { distinctHeaders, joinHeaders, type IncomingHeaders } from './headers.ts';

/** `http.IncomingMessage`: a request at a server, or an answer at a client. */
export class IncomingMessage extends streams.Readable {
	httpVersion = '1.1';
	httpVersionMajor = 1;
	httpVersionMinor = 1;
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
	req: unknown;
	socket: Socket | null;
	_headers: IncomingHeaders | undefined;
	_pairs: [string, string][] = [];
	_trailers: [string, string][] = [];
	_consumed = false;

	constructor(socket: Socket | null = null) {
		super({ highWaterMark: 65_536 });
		this.socket = socket;
	}

	get connection(): Socket | null {
		return this.socket;
	}

	get headers(): IncomingHeaders {
		return (this._headers ??= joinHeaders(this._pairs));
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

	_fill({ method, target, status, statusText, version, headers }: MessageHead): void {
		this.httpVersion = version;
		this.httpVersionMinor = Number(version.slice(2));
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

	/** Discards the rest of an unread message: the next one follows it. */
	_dump(): void {
		if (this._consumed || this.destroyed) return;
		this._consumed = true;
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
		// If the reader leaves before the end, the remaining bytes would be taken for the next message.
		if (this.socket && !this.socket.destroyed && this.aborted) this.socket.destroy(error ?? undefined);
		// Of a message that was cut off only listeners hear: it ends no program.
		done(this.listenerCount('error') > 0 ? error : null);
	}

	setTimeout(ms: number, listener?: () => void): this {
		if (listener) this.on('timeout', listener);
		this.socket?.setTimeout(ms);
		return this;
	}
}
