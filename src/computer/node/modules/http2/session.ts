import { Buffer } from 'buffer';
import { inspect } from 'node-inspect-extracted';
import { invalidArgument, outOfRange } from '../../runtime/errors.ts';
import { functionValue, integer } from '../../runtime/validate.ts';
import { EventEmitter } from '../events.ts';
import { Socket } from '../net/socket.ts';
import { http2Error, protocolError, sessionError, streamCancel } from './errors.ts';
import { type Idle, setIdleTimeout } from './idle-timeout.ts';
import { ERROR } from './protocol/codes.ts';
import { Connection, type GracefulEvents } from './protocol/connection.ts';
import type { HeaderBlock } from './protocol/connection-state.ts';
import type { StreamState } from './protocol/stream-state.ts';
import { connectionOptions, type SessionOptions } from './session-options.ts';
import {
	checkSettings,
	objectOrNone,
	type SessionSettings,
	settingEntries,
	shownAs,
	shownSettings
} from './session-settings.ts';
import { type Duplex, sessionSocket } from './session-socket.ts';
import { Http2Stream, isWriting, type StreamSession } from './stream.ts';

type PingListener = (error: Error | null, duration?: number, payload?: Buffer) => void;
type SettingsListener = (error: Error | null, settings?: SessionSettings, duration?: number) => void;
type Answer<Listener> = { listener: Listener; startMs: number };

/** Sessions by their sockets. */
const sessions = new WeakMap<object, Http2Session>();

const MAX_STREAMS = 2 ** 32 - 1;

const uint8View = (value: unknown, name: string): Uint8Array => {
	if (!ArrayBuffer.isView(value)) throw invalidArgument(name, 'an instance of Buffer, TypedArray, or DataView', value);
	return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
};

/** `Http2Session`: an HTTP/2 connection. */
export abstract class Http2Session extends EventEmitter implements StreamSession, Idle {
	abstract readonly _isServer: boolean;
	timeout?: number;
	_idle: Idle['_idle'] = null;
	_socket: Duplex | undefined;
	_connection: Connection | null = null;
	readonly _pendingStreams = new Set<Http2Stream>();
	readonly _streams = new Map<number, Http2Stream>();
	_goawayCode: number | null = null;
	_goawayLastId: number | null = null;
	_destroyCode: number | undefined = ERROR.NO_ERROR;
	_queuedBytes = 0;
	_seenWrites = 0;
	_isReady = false;
	_isClosed = false;
	_isDestroyed = false;
	_pendingAcks = 0;
	_isEncrypted: boolean | undefined;
	_alpnProtocol: string | undefined;
	_socketProxy: unknown = null;
	_originSet: Set<string> | undefined;
	_localSettings: SessionSettings | undefined;
	_remoteSettings: SessionSettings | undefined;
	readonly _pingAnswers: Answer<PingListener>[] = [];
	readonly _settingsAnswers: Answer<SettingsListener | undefined>[] = [];

	/** @throws ERR_HTTP2_SOCKET_BOUND */
	constructor(
		readonly _options: SessionOptions,
		socket: Duplex
	) {
		super();
		if (sessions.has(socket)) throw http2Error('SOCKET_BOUND');
		sessions.set(socket, this);
		this._socket = socket;
		socket.on('error', (error: Error) => this._socketFailed(error));
		socket.on('close', () => this._socketClosed());
		const { connecting, secureConnecting } = socket as { connecting?: boolean; secureConnecting?: boolean };
		if (!connecting && !secureConnecting) return;
		socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
			try {
				this._start();
			} catch (error) {
				socket.destroy(error as Error);
			}
		});
	}

	/** Starts the session on a socket that is already connected. Subclasses call it once they are complete. */
	_startIfConnected(): void {
		const { connecting, secureConnecting } = this._socket as { connecting?: boolean; secureConnecting?: boolean };
		if (!connecting && !secureConnecting) this._start();
	}

	_start(): void {
		const { _socket: socket, _options: options } = this;
		const { loop, timers } = Socket.runtime;
		const connected = () => loop.nextTick(() => this.emit('connect', this, socket), []);
		if (this.destroyed || !socket) return connected();
		const connection = new Connection(connectionOptions(options, this._isServer), this._connectionEvents(), {
			write: (frames, done) => writeTo(socket, frames, done),
			schedule: (flush) => void timers.setImmediate(flush)
		});
		this._isReady = true;
		this._connection = connection;
		this._isEncrypted = 'encrypted' in socket;
		this._alpnProtocol = this._isEncrypted ? (socket as { alpnProtocol?: string }).alpnProtocol : 'h2c';
		// A listener of the remote settings may be added.
		loop.nextTick(() => this._listen(socket, connection), []);
		this.settings(typeof options.settings === 'object' ? options.settings : {});
		this._announceOrigins(options.origins);
		connected();
	}

	_listen(socket: Duplex, connection: Connection): void {
		socket.on('data', (bytes: Uint8Array) => {
			if (this._connection === connection) connection.receive(bytes);
		});
		socket.resume();
	}

	/** Servers announce the origins that they serve. */
	_announceOrigins(_origins: unknown[] | undefined): void {
		// Clients have none.
	}

	/** Callbacks of the connection, each of which is a call of the event loop. */
	_connectionEvents(): GracefulEvents {
		const { loop } = Socket.runtime;
		const call = (work: () => void) => {
			// While frames are written, ticks wait for the end of that.
			if (this._connection?.isReceiving !== false) return loop.enter(work);
			try {
				work();
			} catch (error) {
				loop.onUncaught(error);
			}
		};
		const alive = (work: () => void) => {
			if (!this.destroyed) call(work);
		};
		const streamOf = (state: StreamState) => state.owner as Http2Stream | null;
		return {
			headers: (state, block) => alive(() => this._headersReceived(state, block)),
			data: (state, bytes) => call(() => streamOf(state)?._received(bytes)),
			ended: (state) => call(() => streamOf(state)?._receivedEnd()),
			closed: (state, code) => {
				let isKnown = false;
				call(() => void (isKnown = streamOf(state)?._closedByConnection(code) ?? false));
				return isKnown;
			},
			wantsTrailers: (state) => call(() => streamOf(state)?._wantTrailers()),
			settings: () => alive(() => this._remoteSettingsReceived()),
			settingsAcknowledged: () => call(() => this._settingsAnswered(true)),
			ping: (payload) =>
				alive(() => {
					this._refreshIdle();
					this.emit('ping', Buffer.from(payload));
				}),
			pingAcknowledged: (payload) => this._pingAnswered(Buffer.from(payload)),
			goaway: (code, lastId, data) => alive(() => this._goawayReceived(code, lastId, data)),
			priority: (id, { parent, weight, isExclusive }) =>
				alive(() => this._emitFor(id, 'priority', id, parent, weight, isExclusive)),
			alternative: (id, origin, value) => alive(() => this._emitFor(0, 'altsvc', value, origin, id)),
			origins: (origins) => alive(() => this._originsReceived(origins)),
			frameError: (id, type, code) => alive(() => this._frameFailed(id, type, code)),
			failed: (cause, name) => alive(() => this.destroy(protocolError(cause, name))),
			finished: () => call(() => this._maybeDestroy())
		};
	}

	/** Emits an event of a stream, or of the session if that has none of the number. */
	_emitFor(id: number, event: string, ...args: unknown[]): void {
		const emitter = this._streams.get(id) ?? this;
		emitter._refreshIdle();
		emitter.emit(event, ...args);
	}

	abstract _headersReceived(state: StreamState, block: HeaderBlock): void;

	_originsReceived(_origins: string[]): void {
		// Servers do not receive any.
	}

	_remoteSettingsReceived(): void {
		this._remoteSettings = undefined;
		if (this.listenerCount('remoteSettings') === 0) return;
		this._refreshIdle();
		this.emit('remoteSettings', this.remoteSettings);
	}

	_settingsAnswered(isAcknowledged: boolean): void {
		const answer = this._settingsAnswers.shift();
		this._pendingAcks--;
		this._localSettings = undefined;
		if (!isAcknowledged) return answer?.listener?.(http2Error('SETTINGS_CANCEL'));
		const { localSettings } = this;
		answer?.listener?.(null, localSettings, performance.now() - answer.startMs);
		this.emit('localSettings', localSettings);
	}

	_pingAnswered(payload: Buffer): boolean {
		const answer = this._pingAnswers.shift();
		if (!answer) return false;
		Socket.runtime.loop.enter(() => answer.listener(null, performance.now() - answer.startMs, payload));
		return true;
	}

	_goawayReceived(code: number, lastId: number, data: Uint8Array): void {
		this._goawayCode = code;
		this._goawayLastId = lastId;
		this.emit('goaway', code, lastId, data.length > 0 ? Buffer.from(data) : undefined);
		if (code === ERROR.NO_ERROR) this.close();
		else this.destroy(sessionError(code), ERROR.NO_ERROR);
	}

	_frameFailed(id: number, type: number, code: number): void {
		const stream = this._streams.get(id);
		this._emitFor(id, 'frameError', type, code, id);
		// A GOAWAY with the reason may be on its way.
		Socket.runtime.timers.setImmediate(() => {
			stream?.close(code);
			this.close();
		});
	}

	get encrypted(): boolean | undefined {
		return this._isEncrypted;
	}
	get alpnProtocol(): string | undefined {
		return this._alpnProtocol;
	}
	get originSet(): string[] | undefined {
		return this.encrypted && !this.destroyed ? [...this._origins()] : undefined;
	}
	get connecting(): boolean {
		return !this._isReady;
	}
	get closed(): boolean {
		return this._isClosed;
	}
	get destroyed(): boolean {
		return this._isDestroyed;
	}
	get type(): number {
		return this._isServer ? 0 : 1;
	}
	get goawayCode(): number {
		return this._goawayCode ?? ERROR.NO_ERROR;
	}
	get goawayLastStreamID(): number {
		return this._goawayLastId ?? 0;
	}
	get pendingSettingsAck(): boolean {
		return this._pendingAcks > 0;
	}
	get socket(): unknown {
		return (this._socketProxy ??= this._socketProxy === null ? sessionSocket(this) : undefined);
	}

	/** Origins that the connection is valid for. */
	_origins(): Set<string> {
		if (this._originSet) return this._originSet;
		const { servername, remoteFamily, remoteAddress, remotePort } = this._socket as unknown as Record<string, unknown>;
		const address = remoteFamily === 'IPv6' ? `[${String(remoteAddress)}]` : remoteAddress;
		const host = servername === null || servername === false ? address : servername;
		const port = remotePort === undefined || remotePort === null ? '' : `:${String(remotePort as number)}`;
		return (this._originSet = new Set([new URL(`https://${String(host)}${port}`).origin]));
	}

	get state(): Record<string, number> {
		const { _connection: connection } = this;
		if (this.connecting || this.destroyed || !connection) return {};
		const { state } = connection;
		return {
			effectiveLocalWindowSize: state.localWindow,
			effectiveRecvDataLength: Math.max(0, state.receivedBytes),
			nextStreamID: state.nextId,
			localWindowSize: state.localWindow - state.receivedBytes,
			lastProcStreamID: state.lastProcessedId,
			remoteWindowSize: state.sendWindow,
			outboundQueueSize: connection.queuedFrames,
			deflateDynamicTableSize: state.encoder.tableBytes,
			inflateDynamicTableSize: state.decoder.tableBytes
		};
	}

	get localSettings(): SessionSettings {
		if (this._localSettings) return this._localSettings;
		if (this.destroyed || !this._connection) return {};
		return (this._localSettings = shownSettings(this._connection.state.local));
	}

	get remoteSettings(): SessionSettings {
		if (this._remoteSettings) return this._remoteSettings;
		if (this.destroyed || !this._connection) return {};
		return (this._remoteSettings = shownSettings(this._connection.state.remote));
	}

	[inspect.custom](depth: unknown): unknown {
		if (typeof depth === 'number' && depth < 0) return this;
		const { type, closed, destroyed, state, localSettings, remoteSettings } = this;
		return shownAs('Http2Session', { type, closed, destroyed, state, localSettings, remoteSettings });
	}

	_refreshIdle(): void {
		if (!this.destroyed) this._idle?.refresh();
	}

	_onTimeout(): void {
		if (this.destroyed || isWriting(this, this)) return;
		this.emit('timeout');
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	setTimeout(ms: unknown, listener?: unknown): this {
		setIdleTimeout(this, ms, listener);
		return this;
	}

	/** @throws ERR_HTTP2_INVALID_SESSION */
	_checkAlive(): void {
		if (this.destroyed) throw http2Error('INVALID_SESSION');
	}

	/** @throws ERR_HTTP2_INVALID_SESSION, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	setNextStreamID(id: unknown): void {
		this._checkAlive();
		if (typeof id !== 'number') throw invalidArgument('id', 'of type number', id);
		if (id <= 0 || id > MAX_STREAMS) throw outOfRange('id', `> 0 and <= ${MAX_STREAMS}`, id);
		this._connection?.setNextId(id);
	}

	/** @throws ERR_HTTP2_INVALID_SESSION, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	setLocalWindowSize(bytes: number): void {
		this._checkAlive();
		integer(0, 2 ** 31 - 1)(bytes, 'windowSize');
		this._connection?.setLocalWindow(bytes);
	}

	/** @throws ERR_HTTP2_INVALID_SESSION, ERR_HTTP2_PING_LENGTH, ERR_INVALID_ARG_TYPE */
	ping(...args: unknown[]): boolean | undefined {
		this._checkAlive();
		const [given, listener] = typeof args[0] === 'function' ? [undefined, args[0]] : args;
		const payload = given ? uint8View(given, 'payload') : undefined;
		if (payload && payload.length !== 8) throw http2Error('PING_LENGTH');
		functionValue(listener, 'callback');
		const answer = { listener: listener as PingListener, startMs: performance.now() };
		if (this.connecting || this.closed || !this._connection) {
			Socket.runtime.loop.nextTick(() => answer.listener(http2Error('PING_CANCEL')), []);
			return undefined;
		}
		if (!this._connection.ping(payload ?? new Uint8Array(new Float64Array([answer.startMs]).buffer))) {
			answer.listener(http2Error('PING_CANCEL'));
			return false;
		}
		this._pingAnswers.push(answer);
		return true;
	}

	/** Changes the settings of this side. @throws ERR_HTTP2_INVALID_SESSION and those of {@link checkSettings} */
	settings(given?: unknown, listener?: unknown): void {
		this._checkAlive();
		objectOrNone(given, 'settings');
		const settings = { ...(given as SessionSettings | undefined) };
		checkSettings(settings);
		if (listener) functionValue(listener, 'callback');
		this._pendingAcks++;
		const submit = () => this._submitSettings(settings, listener as SettingsListener | undefined);
		if (this.connecting) this.once('connect', submit);
		else submit();
	}

	_submitSettings(settings: SessionSettings, listener: SettingsListener | undefined): void {
		if (this.destroyed || !this._connection) return;
		this._refreshIdle();
		const { process } = Socket.runtime;
		const entries = settingEntries(settings, (words) => process.emitWarning(words));
		if (this._connection.settings(entries)) {
			this._settingsAnswers.push({ listener, startMs: performance.now() });
			return;
		}
		this._pendingAcks--;
		listener?.(http2Error('SETTINGS_CANCEL'));
		this.destroy(http2Error('MAX_PENDING_SETTINGS_ACK'));
	}

	/** @throws ERR_HTTP2_INVALID_SESSION, ERR_INVALID_ARG_TYPE */
	goaway(code: unknown = ERROR.NO_ERROR, lastId: unknown = 0, opaque?: unknown): void {
		this._checkAlive();
		const data = opaque === undefined ? new Uint8Array(0) : uint8View(opaque, 'opaqueData');
		if (typeof code !== 'number') throw invalidArgument('code', 'of type number', code);
		if (typeof lastId !== 'number') throw invalidArgument('lastStreamID', 'of type number', lastId);
		const submit = () => {
			if (this.destroyed) return;
			this._refreshIdle();
			this._connection?.goaway(code, lastId, data);
		};
		if (this.connecting) this.once('connect', submit);
		else submit();
	}

	/** Ends the session at once, with its streams. */
	destroy(given: Error | number | null = ERROR.NO_ERROR, code?: number): void {
		if (this.destroyed) return;
		const error = typeof given !== 'number' ? given : given === ERROR.NO_ERROR ? undefined : sessionError(given);
		const ofError = error ? ERROR.INTERNAL_ERROR : undefined;
		this._end(typeof given === 'number' ? given : (code ?? ofError), error ?? undefined);
	}

	_end(code: number | undefined, error: Error | undefined): void {
		this.setTimeout(0);
		this._isDestroyed = true;
		this._destroyCode = code;
		this.removeAllListeners('timeout');
		if (this._pendingStreams.size > 0 || this._streams.size > 0) {
			const cancel = streamCancel(error);
			for (const stream of this._pendingStreams) stream.destroy(cancel);
			for (const stream of this._streams.values()) stream.destroy(error);
		}
		const { _connection: connection, _socket: socket } = this;
		connection?.destroy(code ?? ERROR.NO_ERROR, socket?.destroyed ?? true);
		this._connection = null;
		this._finish(error);
		for (const { listener } of this._pingAnswers.splice(0))
			Socket.runtime.timers.setImmediate(() => listener(http2Error('PING_CANCEL')));
	}

	/** Closes the socket after what was written. */
	_finish(error: Error | undefined): void {
		const { _socket: socket } = this;
		const { loop, timers } = Socket.runtime;
		this._socketProxy = undefined;
		this._socket = undefined;
		if (socket) sessions.delete(socket);
		const closed = () => {
			if (error) this.emit('error', error);
			this.emit('close');
		};
		if (!socket || socket.destroyed) return loop.nextTick(closed, []);
		socket.on('close', closed);
		socket.resume();
		socket.end(() => {
			if (!this.closed) timers.setImmediate(() => socket.destroy(error));
		});
	}

	/** Ends the session once its streams are closed. */
	close(listener?: () => void): void {
		if (this.closed || this.destroyed) return;
		this._isClosed = true;
		if (typeof listener === 'function') this.once('close', listener);
		this.goaway();
		this._connection?.finish();
		this._maybeDestroy();
	}

	_maybeDestroy(error?: Error | null): void {
		if (!error) {
			const isInUse = this._streams.size > 0 || this._pendingStreams.size > 0;
			if (!this.closed || isInUse || this._connection?.isBusy) return;
		}
		this.destroy(error ?? undefined);
	}

	_socketFailed(error: Error & { code?: string }): void {
		if (!this._socket) return;
		// The other side may have ended the connection after its GOAWAY.
		if (error.code === 'ECONNRESET' && this._goawayCode !== null) this.destroy();
		else this.destroy(error);
	}

	_socketClosed(): void {
		if (!this._socket) return;
		const error = this.connecting ? socketClosed() : undefined;
		for (const stream of [...this._streams.values(), ...this._pendingStreams]) stream.close(ERROR.CANCEL);
		this.close();
		if (!this.destroyed) this._end(ERROR.NO_ERROR, error);
	}

	ref(): void {
		(this._socket as { ref?(): void } | undefined)?.ref?.();
	}

	unref(): void {
		(this._socket as { unref?(): void } | undefined)?.unref?.();
	}
}

const socketClosed = () => Object.assign(new Error('Socket is closed'), { code: 'ERR_SOCKET_CLOSED' });

/** Writes frames. @returns whether more can be written at once */
function writeTo(socket: Duplex, frames: readonly Uint8Array[], done: () => void): boolean {
	if (socket.destroyed || socket.writableEnded) return true;
	if (frames.length === 0) return true;
	socket.cork();
	for (const frame of frames) socket.write(frame);
	socket.uncork();
	if (!socket.writableNeedDrain) return true;
	const finished = () => {
		socket.off('drain', finished);
		socket.off('close', finished);
		done();
	};
	socket.on('drain', finished);
	socket.on('close', finished);
	return false;
}
