import { invalidArgument, outOfRange } from '../../runtime/errors.ts';
import { abortSignal, boolean } from '../../runtime/validate.ts';
import { deprecateOnce } from '../../runtime/deprecation.ts';
import { DISPOSE } from '../../runtime/dispose.ts';
import EventEmitter from '../events.ts';
import { Socket } from '../net/socket.ts';
import { DEFAULT_WEIGHT } from './constants.ts';
import { abortError, http2Error, protocolError, tooManyOrigins } from './errors.ts';
import {
	type HeaderList,
	type Headers,
	headersOf,
	type PreparedRequest,
	preparedRequest,
	rawHeadersOf
} from './header-lists.ts';
import { CAUSE, FLAG } from './protocol/codes.ts';
import type { HeaderBlock } from './protocol/connection-state.ts';
import { CATEGORY, type StreamState } from './protocol/stream-state.ts';
import { Http2Session } from './session.ts';
import type { SessionOptions } from './session-options.ts';
import { objectOrNone } from './session-settings.ts';
import type { Duplex } from './session-socket.ts';
import { Http2Stream, type StreamSession } from './stream.ts';

const WEIGHT_WARNING = 'Priority signaling has been deprecated as of RFC 9113.';
/** Methods whose requests have no body, unless a program says otherwise. */
const BODYLESS = new Set(['DELETE', 'GET', 'HEAD']);

interface RequestOptions {
	endStream?: boolean;
	waitForTrailers?: boolean;
	parent?: number;
	exclusive?: boolean;
	weight?: unknown;
	silent?: unknown;
	signal?: AbortSignal;
}

/** `ClientHttp2Stream`: a request of a client, or a response that the server pushes. */
export class ClientHttp2Stream extends Http2Stream {
	/** Calls a function in the asynchronous context of the request. */
	readonly _inContext: (work: () => void) => void;
	/** Origin of the request. */
	_origin = '';

	constructor(session: StreamSession, state?: StreamState) {
		super(session);
		const inContext = Socket.runtime.loop.bind((...[work]: unknown[]) => (work as () => void)());
		this._inContext = (work) => void inContext(work);
		this._hasHeaders = true;
		if (state) this._init(state);
		this.on('headers', (headers: Headers) => {
			if (headers[':status'] === 100) this.emit('continue');
		});
	}
}

/** Target of a session: what its requests specify by default. */
export interface Target {
	authority: string;
	scheme: string;
	maxOrigins: number;
}

const addAbortListener = (
	EventEmitter as unknown as {
		addAbortListener(signal: AbortSignal, listener: () => void): Disposable;
	}
).addAbortListener;

/** `ClientHttp2Session`. */
export class ClientHttp2Session extends Http2Session {
	readonly _isServer = false;
	/** Requests that wait for the connection. */
	_waiting: (() => void)[] | null = null;

	constructor(
		options: SessionOptions,
		socket: Duplex,
		readonly _target: Target
	) {
		super(options, socket);
		this._startIfConnected();
	}

	/**
	 * Sends a request.
	 *
	 * @throws ERR_HTTP2_GOAWAY_SESSION, ERR_HTTP2_INVALID_SESSION, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE and errors for
	 * headers
	 */
	request(headers?: Headers | HeaderList, given?: unknown): ClientHttp2Stream {
		this._checkAlive();
		if (this.closed) throw http2Error('GOAWAY_SESSION');
		this._refreshIdle();
		if (headers === null || (headers !== undefined && typeof headers !== 'object'))
			throw invalidArgument('headers', 'an instance of Array or Object', headers);
		const prepared = preparedRequest(headers ?? {}, this._target);
		objectOrNone(given, 'options');
		const options = { ...(given as RequestOptions | undefined) };
		checkPriority(options);
		if (options.endStream === undefined) options.endStream = BODYLESS.has(String(prepared.method));
		else boolean(options.endStream, 'options.endStream');
		const stream = new ClientHttp2Stream(this);
		stream._sentHeaders = prepared.headers;
		stream._sentList = prepared.list;
		stream._origin = `${String(prepared.scheme)}://${String(prepared.authority)}`;
		if (options.endStream) stream.end();
		if (options.waitForTrailers) stream._waitsForTrailers = true;
		if (options.signal) abortBy(stream, options.signal);
		const submit = Socket.runtime.loop.bind(() => this._submit(stream, prepared, options));
		if (this.connecting) this._wait(submit);
		else submit();
		return stream;
	}

	_wait(submit: () => void): void {
		if (this._waiting) return void this._waiting.push(submit);
		this._waiting = [submit];
		this.once('connect', () => {
			for (const one of this._waiting ?? []) one();
			this._waiting = null;
		});
	}

	_submit(stream: ClientHttp2Stream, { fields }: PreparedRequest, options: RequestOptions): void {
		if (stream._session !== this || this.destroyed || !this._connection) return;
		if (this.closed) return void stream.destroy(http2Error('GOAWAY_SESSION'));
		const parent = (options.parent ?? 0) | 0;
		const isExclusive = Boolean(options.exclusive);
		const state = this._connection.request(fields, {
			endsStream: Boolean(options.endStream),
			hasTrailers: Boolean(options.waitForTrailers),
			dependency: parent > 0 || isExclusive ? { parent, isExclusive, weight: DEFAULT_WEIGHT } : null
		});
		if (typeof state !== 'number') stream._init(state);
		else if (state === CAUSE.STREAM_ID_NOT_AVAILABLE) stream.destroy(http2Error('OUT_OF_STREAMS'));
		else if (state === CAUSE.INVALID_ARGUMENT) stream.destroy(http2Error('STREAM_SELF_DEPENDENCY'));
		else this.destroy(protocolError(state));
	}

	override _headersReceived(state: StreamState, { category, flags, fields }: HeaderBlock): void {
		this._refreshIdle();
		const { loop } = Socket.runtime;
		const headers = headersOf(fields);
		const isLast = (flags & FLAG.END_STREAM) !== 0;
		const known = state.owner as ClientHttp2Stream | null;
		if (!known) return this._pushed(state, headers, flags, rawHeadersOf(fields));
		if (headers[':status'] === 421) this._origins().delete(known._origin);
		const event = eventOf(category, headers[':status'], isLast);
		known._inContext(() => loop.nextTick(() => known.emit(event, headers, flags, rawHeadersOf(fields)), []));
		if (isLast) known.push(null);
	}

	_pushed(state: StreamState, headers: Headers, flags: number, raw: string[]): void {
		if (this.closed) {
			this._connection?.reset(state, 7);
			this._connection?.forget(state);
			return;
		}
		const isLast = (flags & FLAG.END_STREAM) !== 0;
		const stream = new ClientHttp2Stream(this, state);
		if (isLast) stream.push(null);
		stream.end();
		stream._endsAfterHeaders = isLast;
		Socket.runtime.loop.nextTick(() => this.emit('stream', stream, headers, flags, raw), []);
	}

	override _originsReceived(origins: string[]): void {
		this._refreshIdle();
		if (!this.encrypted) return;
		const set = this._origins();
		for (const origin of origins) {
			if (set.size >= this._target.maxOrigins) return this.destroy(tooManyOrigins(this._target.maxOrigins));
			set.add(origin);
		}
		this.emit('origin', origins);
	}
}

/** Event of a header block on a stream that is already known. */
function eventOf(category: number, status: unknown, isLast: boolean): string {
	const isInfo = typeof status === 'number' && status >= 100 && status < 200;
	if (category === CATEGORY.RESPONSE) return !isLast && isInfo ? 'headers' : 'response';
	if (category === CATEGORY.PUSH_RESPONSE) return 'push';
	if (typeof status === 'number' && status >= 200) return 'response';
	return isLast ? 'trailers' : 'headers';
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
function checkPriority(options: RequestOptions): void {
	if (options.weight !== undefined) deprecateOnce(Socket.runtime.process, WEIGHT_WARNING, 'DEP0194');
	if (options.parent !== undefined) {
		if (typeof options.parent !== 'number') throw invalidArgument('options.parent', 'of type number', options.parent);
		if (!(options.parent >= 0)) throw outOfRange('options.parent', '>= 0', options.parent);
	}
	if (options.exclusive !== undefined) boolean(options.exclusive, 'options.exclusive');
	if (options.silent !== undefined) boolean(options.silent, 'options.silent');
}

function abortBy(stream: ClientHttp2Stream, signal: AbortSignal): void {
	abortSignal(signal, 'options.signal');
	const abort = () => void stream.destroy(abortError(signal.reason));
	if (signal.aborted) return abort();
	const registered = addAbortListener(signal, abort);
	stream.once('close', () => {
		const dispose: unknown = Reflect.get(registered, DISPOSE);
		if (typeof dispose === 'function') dispose.call(registered);
	});
}
