import { CAUSE, FRAME } from './codes.ts';
import { type ConnectionEvents, type ConnectionOptions, ConnectionState } from './connection-state.ts';
import { type Dependency, joined, MAX_WINDOW } from './frames.ts';
import type { HeaderField } from './header-table.ts';
import { Inbound } from './inbound.ts';
import { Outbound, type Output } from './outbound.ts';
import type { SettingEntry } from './settings.ts';
import { StreamState } from './stream-state.ts';

/** Carrier of the bytes of a connection. */
export interface Transport {
	/**
	 * Writes frames.
	 *
	 * @param done called once more can be written
	 * @returns whether more can be written at once, in which case `done` is not called
	 */
	write(frames: readonly Uint8Array[], done: () => void): boolean;
	/** Calls a function in a later turn of the event loop. */
	schedule(flush: () => void): void;
}

/** End of a connection without open streams, after everything was written. */
export interface GracefulEvents extends ConnectionEvents {
	finished(): void;
}

export interface RequestOptions {
	endsStream: boolean;
	hasTrailers: boolean;
	dependency: Dependency | null;
}

/** HTTP/2 connection, RFC 9113: the frames of one side. */
export class Connection {
	readonly state: ConnectionState;
	readonly #outbound: Outbound;
	readonly #inbound: Inbound;
	readonly #events: GracefulEvents;
	readonly #transport: Transport;
	#isScheduled = false;
	#isSending = false;
	#isWriting = false;
	#isReceiving = false;
	#isDestroyed = false;
	/** Set once no stream is to be opened any more. */
	#isEnding = false;
	#pendingResets: StreamState[] = [];
	#pings = 0;
	#isNotified = false;
	/** Number of writes to the transport. */
	writes = 0;

	constructor(options: ConnectionOptions, events: GracefulEvents, transport: Transport) {
		this.#events = events;
		this.#transport = transport;
		const pingAcknowledged = (payload: Uint8Array) => {
			if (this.#pings === 0) return false;
			this.#pings--;
			return events.pingAcknowledged(payload);
		};
		this.state = new ConnectionState(options, { ...events, pingAcknowledged });
		this.#outbound = new Outbound(this.state);
		this.#inbound = new Inbound(this.state, this.#outbound);
	}

	/** Number of frames that wait to be sent. */
	get queuedFrames(): number {
		return this.#outbound.size;
	}

	/** True while received frames are handled. */
	get isReceiving(): boolean {
		return this.#isReceiving;
	}

	/** True while frames wait, or may still arrive. */
	get isBusy(): boolean {
		return this.#outbound.wantsWrite || this.#outbound.wantsRead;
	}

	receive(bytes: Uint8Array): void {
		if (this.#isDestroyed) return;
		this.#isReceiving = true;
		if (this.#outbound.wantsRead) this.#inbound.receive(bytes);
		if (!this.#isDestroyed) this.flush();
		this.#isReceiving = false;
	}

	/** Writes what waits. @returns whether nothing prevents it */
	flush(): boolean {
		this.#isScheduled = false;
		if (this.#isDestroyed) return true;
		if (this.#isSending || this.#isWriting) return false;
		this.#isSending = true;
		const output = this.#outbound.collect();
		this.#isSending = false;
		if (output) this.#write(output);
		else this.#resetPending();
		this.#notifyEnd();
		return true;
	}

	#write({ frames, done }: Output): void {
		this.#isWriting = true;
		this.writes++;
		const written = () => {
			this.#isWriting = false;
			for (const one of done) one(true);
			this.#resetPending();
		};
		const isTaken = this.#transport.write(frames, () => {
			written();
			if (this.#isDestroyed) return;
			if (!this.#isScheduled) this.#schedule();
			this.#notifyEnd();
		});
		if (isTaken) written();
	}

	#resetPending(): void {
		if (this.#pendingResets.length === 0) return;
		const streams = this.#pendingResets;
		this.#pendingResets = [];
		this.flush();
		for (const stream of streams) this.#resetNow(stream);
		this.#schedule();
	}

	#schedule(): void {
		if (this.#isScheduled || this.#isDestroyed || !this.#outbound.wantsWrite) return;
		this.#isScheduled = true;
		this.#transport.schedule(() => {
			if (this.#isScheduled) this.flush();
		});
	}

	#notifyEnd(): void {
		if (!this.#isEnding || this.#isNotified || this.isBusy || this.#isWriting) return;
		this.#isNotified = true;
		this.#events.finished();
	}

	/** No stream is opened any more: informs the program once the last one is closed. */
	finish(): void {
		this.#isEnding = true;
	}

	/** Ends the connection. @param code of the GOAWAY frame @param isCut whether nothing can be written any more */
	destroy(code: number, isCut: boolean): void {
		if (this.#isDestroyed) return;
		this.#inbound.stop();
		if (!isCut) {
			this.#outbound.terminate(code);
			const output = this.#outbound.collect();
			if (output) this.#transport.write(output.frames, () => undefined);
			for (const one of output?.done ?? []) one(true);
		}
		this.#isDestroyed = true;
	}

	/** Opens a stream. @returns the cause for which that is impossible */
	request(fields: readonly HeaderField[], options: RequestOptions): StreamState | number {
		const { state } = this;
		const { endsStream, hasTrailers, dependency } = options;
		const id = state.nextId;
		if (id > MAX_WINDOW) return CAUSE.STREAM_ID_NOT_AVAILABLE;
		if (dependency?.parent === id) return CAUSE.INVALID_ARGUMENT;
		state.nextId += 2;
		const stream = this.#newStream(id, 'idle');
		stream.hasTrailers = hasTrailers;
		stream.isWritable = !endsStream;
		this.#outbound.request(stream, fields, endsStream, dependency);
		this.#schedule();
		return stream;
	}

	#newStream(id: number, phase: 'idle' | 'reserved'): StreamState {
		const { state } = this;
		const windows = { send: state.remote.initialWindowSize, local: state.local.initialWindowSize };
		const stream = new StreamState(id, phase, windows);
		state.known.set(id, stream);
		return stream;
	}

	respond(stream: StreamState, fields: readonly HeaderField[], endsStream: boolean, hasTrailers: boolean): void {
		stream.hasTrailers ||= hasTrailers;
		this.#outbound.headers(stream, fields, 'response', endsStream || !stream.isWritable);
		this.#schedule();
	}

	inform(stream: StreamState, fields: readonly HeaderField[]): void {
		this.#outbound.headers(stream, fields, 'info', false);
		this.#schedule();
	}

	/** Sends trailers; without any, only the end of the stream. */
	trailers(stream: StreamState, fields: readonly HeaderField[]): void {
		stream.isWritable = false;
		if (fields.length > 0) this.#outbound.headers(stream, fields, 'trailers', true);
		else {
			stream.sendsData = true;
			this.#outbound.resume(stream);
		}
		this.#schedule();
	}

	/** Promises a stream. @returns the cause for which that is impossible */
	promise(parent: StreamState, fields: readonly HeaderField[], isEmpty: boolean): StreamState | number {
		const { state } = this;
		const id = state.nextId;
		if (id > MAX_WINDOW) return CAUSE.STREAM_ID_NOT_AVAILABLE;
		if (!parent.isOpen) return CAUSE.STREAM_CLOSED;
		state.nextId += 2;
		const stream = this.#newStream(id, 'reserved');
		state.openStream(id, 'reserved');
		stream.isReadShut = true;
		stream.isWritable = !isEmpty;
		stream.rules.sent(fields);
		this.#outbound.promise(parent, stream, fields);
		this.#schedule();
		return stream;
	}

	/** Queues data of a stream. @returns false after its end */
	write(stream: StreamState, bytes: Uint8Array, done: (isSent: boolean) => void): boolean {
		if (!stream.isWritable || stream.isDestroyed) return false;
		stream.queue.push({ bytes, done });
		stream.queuedBytes += bytes.length;
		this.state.waitingBytes += bytes.length;
		this.#outbound.resume(stream);
		this.#schedule();
		return true;
	}

	/** Ends the data of a stream. */
	shutDown(stream: StreamState): void {
		stream.isWritable = false;
		this.#outbound.resume(stream);
		this.#schedule();
	}

	startReading(stream: StreamState): void {
		if (stream.isDestroyed) return;
		stream.isReading = true;
		const { unreadBytes } = stream;
		stream.unreadBytes = 0;
		if (stream.isOpen) this.#outbound.consume(stream, unreadBytes);
		this.#schedule();
	}

	stopReading(stream: StreamState): void {
		stream.isReading = false;
	}

	/** Closes a stream with an error code, after its data that can be written at once. */
	reset(stream: StreamState, code: number): void {
		const CANCEL = 8;
		stream.pendingCode = code;
		if ((this.#isReceiving && code === CANCEL) || !this.flush()) this.#pendingResets.push(stream);
		else this.#resetNow(stream);
		this.#schedule();
	}

	#resetNow(stream: StreamState): void {
		if (stream.pendingCode === null || stream.isDestroyed) return;
		const code = stream.pendingCode;
		stream.pendingCode = null;
		this.#outbound.reset(stream.id, code);
		this.#schedule();
	}

	/** Ends the program's use of a stream. */
	forget(stream: StreamState): void {
		if (stream.isDestroyed) return;
		this.#resetNow(stream);
		this.state.forget(stream);
		this.#transport.schedule(() => this.state.dropQueue(stream));
		this.#schedule();
	}

	/** Announces settings. @returns false while too many were not acknowledged */
	settings(entries: readonly SettingEntry[]): boolean {
		if (this.state.inflight.length >= this.state.options.maxSettings) return false;
		this.#outbound.settings(entries);
		this.#schedule();
		return true;
	}

	/** @returns false while too many were not answered */
	ping(payload: Uint8Array): boolean {
		if (this.#pings >= this.state.options.maxPings) return false;
		this.#pings++;
		this.#outbound.ping(Uint8Array.from(payload));
		this.#schedule();
		return true;
	}

	goaway(code: number, lastId: number, data: Uint8Array): void {
		if (this.#isDestroyed) return;
		this.#outbound.goaway(lastId > 0 ? lastId : this.state.lastProcessedId, code, Uint8Array.from(data));
		this.#schedule();
	}

	/** @returns whether the number can be that of the next stream */
	setNextId(id: number): boolean {
		const { state } = this;
		if (id < state.nextId || !state.isMine(id)) return false;
		state.nextId = id;
		return true;
	}

	/** Sets the size of the window for the whole connection. */
	setLocalWindow(bytes: number): void {
		const { state } = this;
		const difference = bytes - state.localWindow;
		state.localWindow = bytes;
		if (difference < 0) {
			state.reducedBytes -= difference;
			state.receivedBytes += difference;
			return;
		}
		const restored = Math.min(state.reducedBytes, difference);
		state.reducedBytes -= restored;
		state.receivedBytes += restored;
		if (difference > restored) this.#outbound.updateWindow(null, difference - restored);
		this.#schedule();
	}

	/** ALTSVC frame. */
	alternative(id: number, origin: string, value: string): void {
		const length = Uint8Array.of(origin.length >>> 8, origin.length);
		this.#outbound.extension(FRAME.ALTSVC, id, joined([length, bytesOf(origin + value)]));
		this.#schedule();
	}

	/** ORIGIN frame. */
	origins(origins: readonly string[]): void {
		const parts = origins.flatMap((one) => [Uint8Array.of(one.length >>> 8, one.length), bytesOf(one)]);
		this.#outbound.extension(FRAME.ORIGIN, 0, joined(parts));
		this.#schedule();
	}
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
