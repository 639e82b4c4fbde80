import { CAUSE, errorName, isFatal } from './codes.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { HeaderEncoder } from './header-encoder.ts';
import { fieldBytes, type HeaderField } from './header-table.ts';
import type { Dependency } from './frames.ts';
import { initialSettings, type SettingEntry, type Settings, UNLIMITED } from './settings.ts';
import { type Phase, StreamState } from './stream-state.ts';

/** Limits and strategies of a connection. Sizes are bytes. */
export interface ConnectionOptions {
	isServer: boolean;
	/** Size of the dynamic table for sent headers. */
	maxTableBytes: number;
	/** Number of streams that a server may promise. */
	maxReservedStreams: number;
	maxSentHeaderBytes: number;
	/** Number of own streams before the settings of the other side are known. */
	peerMaxStreams: number;
	/** Returns the size to which a payload is padded. */
	pad?: (length: number, most: number) => number;
	/** Number of fields of a header block. */
	maxHeaderPairs: number;
	maxPings: number;
	maxSettings: number;
	/** Size of what is kept for the connection; beyond it, no stream is accepted. */
	maxMemoryBytes: number;
	/** Number of settings in a frame. */
	maxSettingEntries: number;
	/** Number of streams that a client may reset at once, and a second. */
	resetBurst: number;
	resetRate: number;
	/** True if values of fields may not start or end with white space. */
	isStrict: boolean;
	maxInvalidFrames: number;
	maxRejectedStreams: number;
	/** Identifiers of further settings to keep. */
	customSettings: readonly number[];
}

/** Received header block. */
export interface HeaderBlock {
	category: number;
	flags: number;
	fields: HeaderField[];
}

/** Occurrences that the program is informed of, while frames are received or sent. */
export interface ConnectionEvents {
	headers(stream: StreamState, block: HeaderBlock): void;
	data(stream: StreamState, bytes: Uint8Array): void;
	/** The other side has ended its part of a stream with data. */
	ended(stream: StreamState): void;
	/** A stream was closed. @returns whether the program knew it */
	closed(stream: StreamState, code: number): boolean;
	/** All data of a stream are sent, and its trailers are due. */
	wantsTrailers(stream: StreamState): void;
	settings(): void;
	settingsAcknowledged(): void;
	ping(payload: Uint8Array): void;
	/** @returns false if no ping was sent */
	pingAcknowledged(payload: Uint8Array): boolean;
	goaway(code: number, lastId: number, data: Uint8Array): void;
	priority(id: number, dependency: Dependency): void;
	alternative(id: number, origin: string, value: string): void;
	origins(origins: string[]): void;
	/** A frame could not be sent. */
	frameError(id: number, type: number, code: number): void;
	/** The connection cannot continue. @param name code of an error of Node's own */
	failed(cause: number, name?: string): void;
}

/** Failure while frames are received that ends the connection at once. */
export class ConnectionFailure extends Error {
	override readonly name = 'ConnectionFailure';

	/** @param nodeCode code of an error of Node's own */
	constructor(
		override readonly cause: number,
		readonly nodeCode?: string
	) {
		super(errorName(cause) ?? String(cause));
	}
}

/** Size that a stream counts in memory. */
const STREAM_BYTES = 400;
const INITIAL_WINDOW = 65_535;
const LAST_ID = 2 ** 31 - 1;

/** Settings, windows, tables and streams of a connection. */
export class ConnectionState {
	readonly local: Settings = initialSettings();
	readonly remote: Settings;
	/** Own settings that the other side has not acknowledged. */
	readonly inflight: (readonly SettingEntry[])[] = [];
	/** Values of them that already apply to what the other side asks for. */
	pendingMaxStreams = UNLIMITED;
	pendingPush = 1;
	pendingProtocol = 0;
	hasRemoteSettings = false;
	sendWindow = INITIAL_WINDOW;
	localWindow = INITIAL_WINDOW;
	receivedBytes = 0;
	consumedBytes = 0;
	/** Bytes by which the window was made smaller after the other side had learned its size. */
	reducedBytes = 0;
	hasQueuedUpdate = false;
	nextId: number;
	lastReceivedId = 0;
	lastProcessedId = 0;
	/** Last stream of the other side that this side announced to handle, and the reverse. */
	localLastId = LAST_ID;
	remoteLastId = LAST_ID;
	outgoing = 0;
	incoming = 0;
	reserved = 0;
	hasSubmittedGoaway = false;
	hasSentGoaway = false;
	hasReceivedGoaway = false;
	/** Set while a GOAWAY that ends the connection is queued, and once it was sent. */
	isTerminating = false;
	isTerminated = false;
	/** Streams that are open on the wire. */
	readonly open = new Map<number, StreamState>();
	/** Streams that the program has not finished with. */
	readonly known = new Map<number, StreamState>();
	readonly encoder: HeaderEncoder;
	readonly decoder = new HeaderDecoder();
	/** Bytes of header blocks and of data that wait. */
	waitingBytes = 0;
	#invalidFrames = 0;

	constructor(
		readonly options: ConnectionOptions,
		readonly events: ConnectionEvents
	) {
		this.nextId = options.isServer ? 2 : 1;
		this.encoder = new HeaderEncoder(options.maxTableBytes);
		this.remote = { ...initialSettings(), maxConcurrentStreams: options.peerMaxStreams };
	}

	/** Returns whether this side opens the streams of a number. */
	isMine(id: number): boolean {
		return id !== 0 && (id % 2 === 0) === this.options.isServer;
	}

	/** Returns whether a stream was not opened so far. */
	isIdle(id: number): boolean {
		return this.isMine(id) ? id >= this.nextId : id > this.lastReceivedId;
	}

	/** Returns whether a further stream of `bytes` fits into the memory of the connection. */
	hasMemory(bytes: number): boolean {
		return this.known.size * STREAM_BYTES + this.waitingBytes + bytes <= this.options.maxMemoryBytes;
	}

	canAddStream(): boolean {
		return this.known.size < this.local.maxConcurrentStreams && this.hasMemory(STREAM_BYTES);
	}

	/** Opens a stream on the wire. */
	openStream(id: number, phase: Phase): StreamState {
		const windows = { send: this.remote.initialWindowSize, local: this.local.initialWindowSize };
		const stream = this.known.get(id) ?? new StreamState(id, phase, windows);
		stream.phase = phase;
		stream.sendWindow = windows.send;
		stream.localWindow = windows.local;
		stream.isPush = phase === 'reserved';
		// Only the side that promises a stream sends something on it.
		if (stream.isPush && this.isMine(id)) stream.isReadShut = true;
		else if (stream.isPush) stream.isWriteShut = true;
		stream.maxFieldBytes = Math.min(stream.maxFieldBytes, this.local.maxHeaderListSize);
		this.open.set(id, stream);
		if (stream.isPush) {
			if (!this.isMine(id)) this.reserved++;
		} else if (this.isMine(id)) this.outgoing++;
		else this.incoming++;
		return stream;
	}

	/** Closes a stream on the wire, and informs the program. */
	closeStream(id: number, code: number): void {
		const stream = this.open.get(id);
		if (!stream) return;
		const isKnown = this.known.get(id) === stream && !stream.isDestroyed;
		if (isKnown && !this.events.closed(stream, code)) this.forget(stream);
		this.open.delete(id);
		stream.isOpen = false;
		if (stream.isPush) {
			if (!this.isMine(id)) this.reserved--;
		} else if (this.isMine(id)) this.outgoing--;
		else this.incoming--;
	}

	closeIfShut(stream: StreamState): void {
		if (stream.isReadShut && stream.isWriteShut) this.closeStream(stream.id, 0);
	}

	/** Closes streams beyond the last one of a GOAWAY. */
	closeBeyond(lastId: number, areMine: boolean): void {
		const REFUSED = 7;
		for (const id of [...this.open.keys()].reverse())
			if (id > lastId && this.isMine(id) === areMine) this.closeStream(id, REFUSED);
	}

	/** Ends a program's use of a stream. Data that were not sent are dropped. */
	forget(stream: StreamState): void {
		if (stream.isDestroyed) return;
		stream.isDestroyed = true;
		if (this.known.get(stream.id) === stream) this.known.delete(stream.id);
		this.dropFields(stream);
	}

	/** Drops the data of a stream that were not sent. */
	dropQueue(stream: StreamState): void {
		this.waitingBytes -= stream.queuedBytes;
		stream.queuedBytes = 0;
		for (const { done } of stream.queue.splice(0)) done(false);
	}

	/** Adds a received field. @returns false beyond the limits */
	addField(stream: StreamState, field: HeaderField): boolean {
		const bytes = fieldBytes(field);
		const isFull =
			stream.fields.length >= this.options.maxHeaderPairs || stream.fieldBytes + bytes > stream.maxFieldBytes;
		if (isFull || !this.hasMemory(bytes)) return false;
		stream.fields.push(field);
		stream.fieldBytes += bytes;
		this.waitingBytes += bytes;
		return true;
	}

	/** Takes the received fields of a stream. */
	dropFields(stream: StreamState): HeaderField[] {
		this.waitingBytes -= stream.fieldBytes;
		stream.fieldBytes = 0;
		const { fields } = stream;
		stream.fields = [];
		return fields;
	}

	/**
	 * Counts an invalid frame, and informs the program of those that end the connection.
	 * @throws ConnectionFailure beyond the limit
	 */
	countInvalidFrame(cause: number): void {
		if (this.#invalidFrames++ > this.options.maxInvalidFrames) {
			throw new ConnectionFailure(CAUSE.CALLBACK_FAILURE, 'ERR_HTTP2_TOO_MANY_INVALID_FRAMES');
		}
		const isEnd = cause === CAUSE.PROTO || cause === CAUSE.STREAM_CLOSED || cause === CAUSE.FLOW_CONTROL;
		if (isEnd || isFatal(cause)) this.events.failed(cause);
	}

	/** Counts an empty frame. @throws ConnectionFailure beyond the limit */
	countEmptyFrame(): void {
		if (this.#invalidFrames++ > this.options.maxInvalidFrames) {
			throw new ConnectionFailure(CAUSE.CALLBACK_FAILURE, 'ERR_HTTP2_TOO_MANY_INVALID_FRAMES');
		}
	}
}
