import { inspect } from 'node-inspect-extracted';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import { plainObject } from '../../runtime/validate.ts';
import type { Socket } from '../net/socket.ts';
import { headerEntries, validateHeaderName, validateHeaderValue } from './headers.ts';
import type { IncomingMessage } from './incoming.ts';
import { OutgoingMessage, type HeaderValue } from './outgoing.ts';
import { STATUS_CODES } from './status.ts';

/** A single entry of a `Link` header. */
const LINK = /^<[^>]*>(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;

/** @throws ERR_INVALID_ARG_VALUE for what is not an entry of a `Link` header */
export function checkLink(one: unknown): void {
	if (typeof one === 'string' && LINK.test(one)) return;
	const rule = 'must be an array or string of format "</styles.css>; rel=preload; as=style"';
	const words = `The argument 'hints' ${rule}. Received ${inspect(one)}`;
	throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
}

/** Listener of a connection: the response ends with it, also on a stream that a program has assigned. */
function closeResponse(this: Socket): void {
	const response = this._httpMessage;
	if (!(response instanceof ServerResponse) || response._closed) return;
	response._closed = true;
	response.destroyed = true;
	response.emit('close');
}

/** `http.ServerResponse`. */
export class ServerResponse extends OutgoingMessage {
	statusCode = 200;
	statusMessage: string | undefined;
	override sendDate = true;
	override _endsWithConnection = true;
	_sent100 = false;
	_expect_continue = false;
	req: IncomingMessage;
	/** Seconds an idle connection is kept open, for the header. */
	_keepAliveMs = 5000;

	constructor(request: IncomingMessage) {
		super();
		this.req = request;
		if (request.method === 'HEAD') this._hasBody = false;
		// As in Node, the null version of a request created by a program counts as an old version.
		if (Number(request.httpVersionMajor) < 1 || Number(request.httpVersionMinor) < 1) {
			this.useChunkedEncodingByDefault = /(^|\W)chunked($|\W)/i.test(String(request.headers?.['te'] ?? ''));
			this.shouldKeepAlive = /keep-alive/i.test(String(request.headers?.['connection'] ?? ''));
		} else if (/(^|,\s*)close/i.test(String(request.headers?.['connection'] ?? ''))) this.shouldKeepAlive = false;
	}

	/** @throws ERR_HTTP_SOCKET_ASSIGNED if another message uses the connection */
	assignSocket(socket: Socket): void {
		if (socket._httpMessage) {
			const words = 'ServerResponse has an already assigned socket';
			throw nodeError(Error, 'ERR_HTTP_SOCKET_ASSIGNED', words);
		}
		socket._httpMessage = this;
		socket.on('close', closeResponse);
		this._attach(socket);
		this.emit('socket', socket);
	}

	detachSocket(socket?: Socket): void {
		const from = socket ?? this.socket;
		from?.off('close', closeResponse);
		if (from) from._httpMessage = null;
		this.socket = null;
	}

	writeContinue(done?: () => void): void {
		this._interim('HTTP/1.1 100 Continue\r\n\r\n', done);
		this._sent100 = true;
	}

	writeProcessing(): void {
		this._interim('HTTP/1.1 102 Processing\r\n\r\n');
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
	writeEarlyHints(hints: Record<string, unknown>, done?: () => void): void {
		plainObject(hints, 'hints');
		const { link, ...others } = hints;
		const links: unknown[] = Array.isArray(link) ? link : [link ?? []].flat();
		for (const one of links) checkLink(one);
		if (links.length === 0) return;
		const lines = Object.entries(others).map(([name, value]) => `${name}: ${String(value)}\r\n`);
		this._interim(`HTTP/1.1 103 Early Hints\r\nLink: ${links.join(', ')}\r\n${lines.join('')}\r\n`, done);
	}

	_interim(text: string, done?: () => void): void {
		this._send(
			Uint8Array.from(text, (character) => character.charCodeAt(0)),
			done
		);
	}

	override _implicitHeader(): void {
		this.writeHead(this.statusCode);
	}

	/** Maximum number of requests on a connection; 0 for no limit. */
	_maxRequests = 0;
	/** Asks the client to close the connection, which stays open until it does. */
	maxRequestsOnConnectionReached = false;

	override _keepAliveHeader(): string {
		if (this.maxRequestsOnConnectionReached) return 'Connection: close\r\n';
		const max = this._maxRequests > 0 ? `, max=${this._maxRequests}` : '';
		const isOwn = this._names.has('keep-alive') || this._keepAliveMs === 0;
		return `Connection: keep-alive\r\n${isOwn ? '' : `Keep-Alive: timeout=${Math.floor(this._keepAliveMs / 1000)}${max}\r\n`}`;
	}

	writeHead(status: number, ...given: unknown[]): this {
		if (this._header !== null) {
			throw nodeError(Error, 'ERR_HTTP_HEADERS_SENT', 'Cannot write headers after they are sent to the client');
		}
		const code = Math.trunc(Number(status));
		if (!(code >= 100 && code <= 999)) {
			throw nodeError(
				RangeError,
				'ERR_HTTP_INVALID_STATUS_CODE',
				`Invalid status code: ${typeof status === 'object' ? inspect(status) : String(status)}`
			);
		}
		const reason = typeof given[0] === 'string' ? given[0] : undefined;
		const headers = given.find((value) => typeof value === 'object' && value !== null);
		this.statusMessage = reason ?? this.statusMessage ?? STATUS_CODES[code] ?? 'unknown';
		this.statusCode = code;
		if (/[^\t\x20-\x7e\x80-\xff]/.test(this.statusMessage)) {
			throw nodeError(TypeError, 'ERR_INVALID_CHAR', 'Invalid character in statusMessage');
		}
		const seen = new Set<string>();
		const entries = headerEntries(headers);
		// A list is sent unchanged, including duplicate names.
		if (Array.isArray(headers) && this._names.size === 0) this._lines = entries as [string, HeaderValue][];
		for (const [name, value] of entries) {
			validateHeaderName(name);
			validateHeaderValue(name, value);
			const key = name.toLowerCase();
			// A list of headers may contain duplicates.
			const before = seen.has(key) ? this._names.get(key)?.[1] : undefined;
			seen.add(key);
			const shown = value as string | string[];
			this._names.set(key, [name, before === undefined ? shown : [before, shown].flat().map(String)]);
		}
		if (code === 204 || code === 304 || code < 200) {
			this._hasBody = false;
			this.useChunkedEncodingByDefault = code >= 200 && this.useChunkedEncodingByDefault;
		}
		this._storeHeader(`HTTP/1.1 ${code} ${this.statusMessage}\r\n`);
		return this;
	}

	writeHeader(status: number, ...given: unknown[]): this {
		return this.writeHead(status, ...given);
	}
}

/** Checks a listener argument of a server's constructor. @throws ERR_INVALID_ARG_TYPE */
export function checkListener(listener: unknown): asserts listener is undefined | ((...args: unknown[]) => void) {
	if (listener !== undefined && typeof listener !== 'function') {
		throw invalidArgument('requestListener', 'of type function', listener);
	}
}
