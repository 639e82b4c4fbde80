import { invalidArgument, nodeError, outOfRange } from '../../runtime/errors.ts';
import { string } from '../../runtime/validate.ts';
import { Socket } from '../net/socket.ts';
import { http2Error } from './errors.ts';
import { type Headers, headersOf, rawHeadersOf } from './header-lists.ts';
import { ERROR, FLAG } from './protocol/codes.ts';
import type { HeaderBlock } from './protocol/connection-state.ts';
import type { StreamState } from './protocol/stream-state.ts';
import { ServerHttp2Stream } from './server-stream.ts';
import { Http2Session } from './session.ts';
import type { SessionOptions } from './session-options.ts';
import type { Duplex } from './session-socket.ts';

/** Bytes of an ALTSVC or ORIGIN frame. */
const MAX_BYTES = 2 ** 14 - 2;
const QUOTED = /^[\x09\x20-\x5b\x5d-\x7e\x80-\xff]*$/;

/** `ServerHttp2Session`. */
export class ServerHttp2Session extends Http2Session {
	readonly _isServer = true;

	/** @param _server undefined for a session that a program starts on a connection of its own */
	constructor(
		options: SessionOptions,
		socket: Duplex,
		readonly _server?: object
	) {
		super(options, socket);
		this._startIfConnected();
	}

	get server(): object | undefined {
		return this._server;
	}

	override _headersReceived(state: StreamState, { flags, fields }: HeaderBlock): void {
		this._refreshIdle();
		const { loop } = Socket.runtime;
		const headers = headersOf(fields);
		const raw = rawHeadersOf(fields);
		const isLast = (flags & FLAG.END_STREAM) !== 0;
		const known = state.owner as ServerHttp2Stream | null;
		if (!known) return this._requested(state, headers, flags, raw);
		loop.nextTick(() => known.emit(isLast ? 'trailers' : 'headers', headers, flags, raw), []);
		if (isLast) known.push(null);
	}

	_requested(state: StreamState, headers: Headers, flags: number, raw: string[]): void {
		if (this.closed) {
			this._connection?.reset(state, ERROR.REFUSED_STREAM);
			this._connection?.forget(state);
			return;
		}
		const isLast = (flags & FLAG.END_STREAM) !== 0;
		const stream = new ServerHttp2Stream(this, state, headers);
		if (isLast) stream.push(null);
		if (headers[':method'] === 'HEAD') {
			stream.end();
			stream._isHeadRequest = true;
		}
		stream._endsAfterHeaders = isLast;
		Socket.runtime.loop.nextTick(() => this.emit('stream', stream, headers, flags, raw), []);
	}

	/** Announces an alternative service. @throws ERR_HTTP2_ALTSVC_…, ERR_INVALID_ARG_TYPE, ERR_INVALID_CHAR */
	altsvc(value: unknown, originOrStream?: unknown): void {
		this._checkAlive();
		const { origin, stream } = serviceOf(originOrStream);
		string(value, 'alt');
		const text = String(value);
		if (!QUOTED.test(text)) throw nodeError(TypeError, 'ERR_INVALID_CHAR', 'Invalid character in alt');
		if (text.length + origin.length > MAX_BYTES) throw http2Error('ALTSVC_LENGTH');
		this._connection?.alternative(stream, origin, text);
	}

	/** Announces origins that the server is responsible for. @throws ERR_HTTP2_INVALID_ORIGIN, ERR_HTTP2_ORIGIN_LENGTH */
	origin(...given: unknown[]): void {
		this._checkAlive();
		if (given.length === 0) return;
		const origins = given.map((one) => {
			const origin = originOf(one);
			string(origin, 'origin');
			if (origin === 'null') throw http2Error('INVALID_ORIGIN');
			return String(origin);
		});
		if (origins.join('').length > MAX_BYTES) throw http2Error('ORIGIN_LENGTH');
		this._connection?.origins(origins);
	}

	override _announceOrigins(origins: unknown[] | undefined): void {
		if (Array.isArray(origins)) this.origin(...origins);
	}
}

/** Origin of an URL, as text or as an object. */
function originOf(given: unknown): unknown {
	if (typeof given === 'string') return new URL(given).origin;
	return typeof given === 'object' && given !== null ? Reflect.get(given, 'origin') : given;
}

function serviceOf(given: unknown): { origin: string; stream: number } {
	if (given === undefined) return { origin: '', stream: 0 };
	if (typeof given === 'number') {
		if (given >>> 0 !== given || given === 0) throw outOfRange('originOrStream', `> 0 && < ${2 ** 32}`, given);
		return { origin: '', stream: given };
	}
	const origin = originOf(given);
	if (typeof origin !== 'string')
		throw invalidArgument('originOrStream', 'one of type string, number, or object or an instance of URL', given);
	if (origin === 'null' || origin === '') throw http2Error('ALTSVC_INVALID_ORIGIN');
	return { origin, stream: 0 };
}
