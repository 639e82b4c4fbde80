import { Buffer } from 'buffer';
import { inspect } from 'node-inspect-extracted';
import { deprecateOnce } from '../../runtime/deprecation.ts';
import { functionValue, integer, optional } from '../../runtime/validate.ts';
import { Socket } from '../net/socket.ts';
import streams from '../stream.ts';
import { STREAM_STATE } from './constants.ts';
import { http2Error, streamError } from './errors.ts';
import { fieldsOf, type HeaderList, type Headers, headersOfList, trailerPseudo } from './header-lists.ts';
import { type Idle, setIdleTimeout } from './idle-timeout.ts';
import { ERROR, errorName } from './protocol/codes.ts';
import type { Connection } from './protocol/connection.ts';
import type { StreamState } from './protocol/stream-state.ts';
import { objectOrNone, shownAs } from './session-settings.ts';

const PRIORITY_WARNING =
	'http2Stream.priority is longer supported after priority signalling was deprecated in RFC 9113';

type Done = (error?: Error | null) => void;

/** Parts of a session that its streams use. */
export interface StreamSession {
	readonly destroyed: boolean;
	readonly closed: boolean;
	readonly _isServer: boolean;
	_connection: Connection | null;
	/** Streams without an identifier. */
	readonly _pendingStreams: Set<Http2Stream>;
	readonly _streams: Map<number, Http2Stream>;
	readonly _goawayCode: number | null;
	readonly _destroyCode: number | undefined;
	/** Bytes that were not written to the connection so far. */
	_queuedBytes: number;
	/** Number of writes when data were queued last, or when the session was found idle. */
	_seenWrites: number;
	_refreshIdle(): void;
	_maybeDestroy(error?: Error | null): void;
}

/** Fields of the package's streams that have no accessors. */
interface Internals {
	_readableState: { readingMore: boolean; endEmitted: boolean; resumeScheduled: boolean };
	_writableState: { ending: boolean; buffered: unknown[] };
}

export const internalsOf = (stream: object): Internals => stream as Internals;

/** RST_STREAM when a stream is closed: none, after the data, at once. */
export type ResetMode = 'none' | 'afterData' | 'atOnce';

/** `Http2Stream`: a request and its response, as a stream. */
export class Http2Stream extends streams.Duplex implements Idle {
	timeout?: number;
	_idle: Idle['_idle'] = null;
	_session: StreamSession | undefined;
	_state: StreamState | null = null;
	_id: number | undefined;
	_isClosed = false;
	_isAborted = false;
	_hasHeaders = false;
	_isHeadRequest = false;
	_waitsForTrailers = false;
	_areTrailersDue = false;
	_isShutDown = false;
	_didRead = false;
	_endsAfterHeaders = false;
	_code: number = ERROR.NO_ERROR;
	_queuedBytes = 0;
	_sentHeaders: Headers | undefined;
	_sentList: HeaderList | undefined;
	_sentTrailers: Headers | undefined;
	_sentInfo: Headers[] | undefined;

	constructor(session: StreamSession) {
		super({ allowHalfOpen: true, decodeStrings: false, autoDestroy: false });
		// Data wait for the identifier.
		this.cork();
		this._session = session;
		session._pendingStreams.add(this);
		// Nothing is read ahead: an unread request is found by that.
		internalsOf(this)._readableState.readingMore = true;
		this.on('pause', () => {
			if (this._state && !this.destroyed) this._session?._connection?.stopReading(this._state);
		});
	}

	/** Adopts the identifier. */
	_init(state: StreamState): void {
		const session = this._session;
		session?._pendingStreams.delete(this);
		session?._streams.set(state.id, this);
		this._id = state.id;
		this._state = state;
		state.owner = this;
		this.uncork();
		this.emit('ready');
	}

	get bufferSize(): number {
		return this._queuedBytes + this.writableLength;
	}
	get endAfterHeaders(): boolean {
		return this._endsAfterHeaders;
	}
	get sentHeaders(): Headers | undefined {
		if (!this._sentHeaders && this._sentList) this._sentHeaders = headersOfList(this._sentList);
		return this._sentHeaders;
	}
	get sentTrailers(): Headers | undefined {
		return this._sentTrailers;
	}
	get sentInfoHeaders(): Headers[] | undefined {
		return this._sentInfo;
	}
	get pending(): boolean {
		return this._id === undefined;
	}
	get id(): number | undefined {
		return this._id;
	}
	get session(): StreamSession | undefined {
		return this._session;
	}
	get headersSent(): boolean {
		return this._hasHeaders;
	}
	get aborted(): boolean {
		return this._isAborted;
	}
	get headRequest(): boolean {
		return this._isHeadRequest;
	}
	get rstCode(): number {
		return this._code;
	}

	get state(): Record<string, number> {
		const { _state: state } = this;
		if (this.destroyed || !state) return {};
		return {
			state: phaseOf(state, this._session?._isServer === true),
			weight: state.isOpen ? 16 : 0,
			sumDependencyWeight: 0,
			localClose: state.isOpen ? Number(state.isWriteShut) : 0,
			remoteClose: state.isOpen ? Number(state.isReadShut) : 0,
			localWindowSize: state.isOpen ? Math.max(0, state.localWindow - state.receivedBytes) : 0
		};
	}

	[inspect.custom](depth: unknown): unknown {
		if (typeof depth === 'number' && depth < 0) return this;
		const { closed, destroyed, state } = this;
		const { _readableState: readableState, _writableState: writableState } = internalsOf(this);
		return shownAs('Http2Stream', {
			id: this._id ?? '<pending>',
			closed,
			destroyed,
			state,
			readableState,
			writableState
		});
	}

	_refreshIdle(): void {
		if (this.destroyed) return;
		this._idle?.refresh();
		this._session?._refreshIdle();
	}

	_onTimeout(): void {
		if (this.destroyed || isWriting(this, this._session)) return;
		this.emit('timeout');
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	setTimeout(ms: unknown, listener?: unknown): this {
		setIdleTimeout(this, ms, listener);
		if (ms !== 0) this._session?._refreshIdle();
		return this;
	}

	/** Sends the headers that a response needs before its data. */
	_proceed(): void {
		// Requests have theirs.
	}

	override _write(chunk: Uint8Array | string, encoding: string, done: Done): void {
		this._send([bytesOf(chunk, encoding)], done);
	}

	override _writev(chunks: { chunk: Uint8Array | string; encoding: string }[], done: Done): void {
		this._send(
			chunks.map(({ chunk, encoding }) => bytesOf(chunk, encoding)),
			done
		);
	}

	_send(parts: Uint8Array[], done: Done): void {
		if (this.pending) return void this.once('ready', () => this._send(parts, done));
		if (this.destroyed) return;
		this._refreshIdle();
		if (!this.headersSent) this._proceed();
		let missing = 2;
		let failure: Error | null = null;
		const finished = (error?: Error | null) => {
			failure ??= error ?? null;
			if (--missing > 0) return;
			if (failure) this.destroy(failure);
			done(failure);
		};
		// The end is sent with the last data.
		Socket.runtime.loop.nextTick(() => {
			const { ending, buffered } = internalsOf(this)._writableState;
			if (failure || !ending || buffered.length > 0 || this._waitsForTrailers) finished();
			else this._shutDown(finished);
		}, []);
		this._queue(parts, finished);
	}

	_queue(parts: Uint8Array[], finished: Done): void {
		const { _session: session, _state: state } = this;
		const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
		const written = (): void => {
			if (!this.destroyed) {
				this._refreshIdle();
				this._countQueued(-bytes.length);
			}
			finished();
		};
		const isQueued = state && session?._connection?.write(state, bytes, written);
		if (!isQueued || !session)
			return finished(Object.assign(new Error('write EOF'), { errno: -4095, code: 'EOF', syscall: 'write' }));
		this._countQueued(bytes.length);
		session._seenWrites = 0;
	}

	_countQueued(bytes: number): void {
		this._queuedBytes += bytes;
		if (this._session) this._session._queuedBytes += bytes;
	}

	override _final(done: Done): void {
		if (this.pending) this.once('ready', () => this._final(done));
		else this._shutDown(done);
	}

	/** Ends the data of this side. */
	_shutDown(done: Done): void {
		const { _state: state, _session: session } = this;
		if (!state || !session?._connection || this._isShutDown) return done();
		this._isShutDown = true;
		session._connection.shutDown(state);
		this.on('finish', () => this._maybeDestroy());
		done();
	}

	override _read(): void {
		if (this.destroyed) return void this.push(null);
		if (!this._didRead) {
			internalsOf(this)._readableState.readingMore = false;
			this._didRead = true;
		}
		const resume = () => {
			if (this._state && !this.destroyed) this._session?._connection?.startReading(this._state);
		};
		if (this.pending) this.once('ready', resume);
		else resume();
	}

	/** Passes received data on. */
	_received(bytes: Uint8Array): void {
		this._refreshIdle();
		if (this.destroyed || !this._state) return;
		if (!this.push(Buffer.from(bytes))) this._session?._connection?.stopReading(this._state);
	}

	/** The other side has ended its data. */
	_receivedEnd(): void {
		this._refreshIdle();
		if (internalsOf(this)._readableState.endEmitted) return this._maybeDestroy();
		this.on('end', () => this._maybeDestroy());
		this.push(null);
		this.read(0);
	}

	/** It is closed on the wire. @returns whether it was in use */
	_closedByConnection(code: number): boolean {
		if (this.destroyed) return false;
		if (!this.closed) this._closeWith(code, 'none');
		if (!this.readable || code !== ERROR.NO_ERROR) {
			this.destroy();
			return true;
		}
		this.on('end', () => this._maybeDestroy());
		this.push(null);
		const isUnread = this._session?._isServer && !this._didRead && this.readableFlowing === null;
		// A request that the program does not read would keep the stream.
		if (isUnread) this.resume();
		else this.read(0);
		return true;
	}

	/** All data are sent: the program is asked for trailers. */
	_wantTrailers(): void {
		this._areTrailersDue = true;
		if (this.destroyed || this.closed) return;
		if (!this.emit('wantTrailers')) this.sendTrailers({});
	}

	/** @throws ERR_HTTP2_INVALID_STREAM, ERR_HTTP2_TRAILERS_ALREADY_SENT, ERR_HTTP2_TRAILERS_NOT_READY */
	sendTrailers(headers: unknown): void {
		if (this.destroyed || this.closed) throw http2Error('INVALID_STREAM');
		if (this._sentTrailers) throw http2Error('TRAILERS_ALREADY_SENT');
		if (!this._areTrailersDue) throw http2Error('TRAILERS_NOT_READY');
		objectOrNone(headers, 'headers');
		const given = Object.assign(Object.create(null), headers) as Headers;
		this._refreshIdle();
		const fields = fieldsOf(given, trailerPseudo);
		this._sentTrailers = given;
		Socket.runtime.timers.setImmediate(() => {
			if (this.destroyed || !this._state) return;
			this._waitsForTrailers = false;
			this._session?._connection?.trailers(this._state, fields);
			this._maybeDestroy();
		});
	}

	/** Has no effect in Node 22, too. @throws ERR_HTTP2_INVALID_STREAM */
	priority(): void {
		deprecateOnce(Socket.runtime.process, PRIORITY_WARNING, 'DEP0194');
		if (this.destroyed) throw http2Error('INVALID_STREAM');
	}

	/** Resets the stream. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	close(code: number = ERROR.NO_ERROR, listener?: () => void): void {
		integer(0, 2 ** 32 - 1)(code, 'code');
		optional(functionValue)(listener, 'callback');
		if (this.closed) return;
		if (listener) this.once('close', listener);
		this._closeWith(code, 'afterData');
	}

	_closeWith(code: number, mode: ResetMode): void {
		this._isClosed = true;
		this._code = code;
		this.setTimeout(0);
		this.removeAllListeners('timeout');
		const { ending } = internalsOf(this)._writableState;
		if (!ending) {
			if (!this._isAborted) {
				this._isAborted = true;
				this.emit('aborted');
			}
			this.end();
		}
		if (mode === 'none') return;
		const isAtOnce = !ending || this.writableFinished || code !== ERROR.NO_ERROR || mode === 'atOnce';
		if (isAtOnce) this._reset(code);
		else this.once('finish', () => this._reset(code));
	}

	_reset(code: number): void {
		const reset = () => {
			if (this._state) this._session?._connection?.reset(this._state, code);
		};
		if (!this.pending) return reset();
		this.push(null);
		this.once('ready', reset);
	}

	override _destroy(error: Error | null, done: Done): void {
		const { _session: session, _state: state } = this;
		if (!session) return done(error);
		const ofSession = session._goawayCode || session._destroyCode || ERROR.NO_ERROR;
		const isAbort = error?.name === 'AbortError';
		let code = this.closed ? this.rstCode : ofSession;
		if (error) code = ofSession || (isAbort ? ERROR.CANCEL : ERROR.INTERNAL_ERROR);
		if (!this.closed) this._closeWith(code, state ? 'atOnce' : 'none');
		this.push(null);
		if (state) {
			session._connection?.forget(state);
			session._streams.delete(state.id);
		} else session._pendingStreams.delete(this);
		session._queuedBytes -= this._queuedBytes;
		this._queuedBytes = 0;
		const isFailure = !error && code !== ERROR.NO_ERROR && code !== ERROR.CANCEL;
		this._session = undefined;
		this._state = null;
		Socket.runtime.timers.setImmediate(() => session._maybeDestroy());
		done(isFailure ? streamError(errorName(code) ?? code) : error);
	}

	_maybeDestroy(code: number = ERROR.NO_ERROR): void {
		if (code !== ERROR.NO_ERROR) return void this.destroy();
		if (!this.writableFinished) return;
		if (!this.readable && this.closed) return void this.destroy();
		const isUnread = !this._didRead && this.readableFlowing === null;
		if (!this.headersSent || !this._session?._isServer || this._waitsForTrailers || !isUnread) return;
		// Later, so that promised streams are opened before.
		Socket.runtime.timers.setImmediate(() => this.close());
	}
}

/** Streams of the package have another one. */
Object.defineProperty(Http2Stream.prototype, 'closed', {
	get(this: Http2Stream) {
		return this._isClosed;
	},
	configurable: true
});

const bytesOf = (chunk: Uint8Array | string, encoding: string): Uint8Array =>
	typeof chunk === 'string' ? Buffer.from(chunk, encoding as 'utf8') : chunk;

/** Returns whether data are on their way: then nothing is idle. */
export function isWriting(subject: { _queuedBytes: number; _refreshIdle(): void }, session?: StreamSession): boolean {
	if (subject._queuedBytes <= 0 || !session?._connection) return false;
	const { writes } = session._connection;
	if (session._seenWrites === writes) return false;
	session._seenWrites = writes;
	subject._refreshIdle();
	return true;
}

function phaseOf(state: StreamState, isServer: boolean): number {
	if (!state.isOpen || state.phase === 'idle') return STREAM_STATE.IDLE;
	if (state.isReadShut && state.isWriteShut) return STREAM_STATE.CLOSED;
	if (state.phase === 'reserved')
		return (state.id % 2 === 0) === isServer ? STREAM_STATE.RESERVED_LOCAL : STREAM_STATE.RESERVED_REMOTE;
	if (state.isReadShut) return STREAM_STATE.HALF_CLOSED_REMOTE;
	return state.isWriteShut ? STREAM_STATE.HALF_CLOSED_LOCAL : STREAM_STATE.OPEN;
}
