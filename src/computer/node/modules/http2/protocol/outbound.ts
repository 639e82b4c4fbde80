import { CAUSE, codeOfCause, ERROR, FLAG, FRAME, SETTING } from './codes.ts';
import type { ConnectionState } from './connection-state.ts';
import { ConnectionFailure } from './connection-state.ts';
import { type Dependency, frame, HEAD_BYTES, headerFrames, joined, padded, PAYLOAD_BYTES, PREFACE } from './frames.ts';
import { settingsPayload, words } from './frames.ts';
import { encodedBound } from './header-encoder.ts';
import type { HeaderField } from './header-table.ts';
import type { SettingEntry } from './settings.ts';
import type { StreamState } from './stream-state.ts';

/** Frame that waits to be sent. */
interface Outgoing {
	type: number;
	id: number;
	/** Cause for which it cannot be sent any more; 0 for none. */
	obstacle?: () => number;
	bytes: () => Uint8Array;
	/** Called after it was sent. */
	sent?: () => void;
	/** Called if it could not be sent. */
	failed?: (cause: number) => void;
}

/** Request whose head waits for its turn. */
interface WaitingRequest {
	stream: StreamState;
	item: Outgoing;
	/** Code with which it was reset meanwhile. */
	canceled: number | null;
}

/** Number of answers to PING and SETTINGS frames that may wait. */
const MAX_ANSWERS = 1000;

/** Frames to write, and what to call afterwards. */
export interface Output {
	frames: Uint8Array[];
	done: ((isSent: boolean) => void)[];
}

/** Frames of a connection that wait to be sent: control frames first, data in turns. */
export class Outbound {
	readonly #urgent: Outgoing[] = [];
	readonly #regular: Outgoing[] = [];
	readonly #requests: WaitingRequest[] = [];
	/** Streams with data that can be sent. */
	readonly #ready = new Set<StreamState>();
	#hasPreface: boolean;
	#answers = 0;
	/** Set while a frame is on its way from its queue to the output. */
	#isSending = false;

	constructor(private readonly state: ConnectionState) {
		this.#hasPreface = state.options.isServer;
	}

	/** Number of frames that wait. */
	get size(): number {
		return this.#urgent.length + this.#regular.length + this.#requests.length;
	}

	get wantsRead(): boolean {
		const { state } = this;
		if (state.isTerminated) return false;
		return state.open.size > 0 || !(state.hasSentGoaway || state.hasReceivedGoaway);
	}

	get wantsWrite(): boolean {
		const { state } = this;
		if (state.isTerminated) return false;
		const hasFrame = this.#isSending || this.#urgent.length > 0 || this.#regular.length > 0;
		return hasFrame || this.#canSendData || (this.#requests.length > 0 && this.#canOpenStream);
	}

	get isClosing(): boolean {
		return this.state.isTerminating || (!this.wantsRead && !this.wantsWrite);
	}

	get #canOpenStream(): boolean {
		return this.state.outgoing < this.state.remote.maxConcurrentStreams;
	}

	get #canSendData(): boolean {
		return this.#ready.size > 0 && this.state.sendWindow > 0;
	}

	settings(entries: readonly SettingEntry[]): void {
		this.#urgent.push({
			type: FRAME.SETTINGS,
			id: 0,
			bytes: () => frame(FRAME.SETTINGS, 0, 0, settingsPayload(entries))
		});
		this.state.inflight.push(entries);
		for (const [id, value] of entries) {
			if (id === SETTING.MAX_CONCURRENT_STREAMS) this.state.pendingMaxStreams = value;
			if (id === SETTING.ENABLE_PUSH) this.state.pendingPush = value;
			if (id === SETTING.ENABLE_CONNECT_PROTOCOL) this.state.pendingProtocol = value;
		}
	}

	acknowledgeSettings(): void {
		this.#answer(FRAME.SETTINGS, new Uint8Array(0));
	}

	acknowledgePing(payload: Uint8Array): void {
		this.#answer(FRAME.PING, Uint8Array.from(payload));
	}

	/** @throws ConnectionFailure if the other side asks without reading the answers */
	#answer(type: number, payload: Uint8Array): void {
		if (this.#answers >= MAX_ANSWERS) throw new ConnectionFailure(CAUSE.FLOODED);
		this.#answers++;
		this.#urgent.push({
			type,
			id: 0,
			bytes: () => {
				this.#answers--;
				return frame(type, FLAG.ACK, 0, payload);
			}
		});
	}

	ping(payload: Uint8Array): void {
		this.#urgent.push({ type: FRAME.PING, id: 0, bytes: () => frame(FRAME.PING, 0, 0, payload) });
	}

	/** @param isEnd whether the connection ends with it */
	goaway(lastId: number, code: number, data: Uint8Array, isEnd = false): void {
		const { state } = this;
		if (state.isMine(lastId) || data.length + 8 > PAYLOAD_BYTES) return;
		state.hasSubmittedGoaway = true;
		this.#regular.push({
			type: FRAME.GOAWAY,
			id: 0,
			bytes: () => {
				state.localLastId = Math.min(lastId, state.localLastId);
				return frame(FRAME.GOAWAY, 0, 0, joined([words(state.localLastId, code), data]));
			},
			sent: () => {
				state.isTerminated ||= isEnd;
				state.hasSentGoaway = true;
				state.closeBeyond(lastId, false);
			}
		});
	}

	/** Ends the connection with a GOAWAY. @param reason text for its debug data */
	terminate(code: number, reason = ''): void {
		if (this.state.isTerminating) return;
		const data = Uint8Array.from(reason, (character) => character.charCodeAt(0));
		this.goaway(this.state.lastProcessedId, code, data, true);
		this.state.isTerminating = true;
	}

	/** Queues RST_STREAM. A request that was not sent is not sent at all. */
	reset(id: number, code: number): void {
		const { state } = this;
		const stream = state.open.get(id);
		if (stream?.phase === 'closing' || state.isIdle(id)) return;
		const waiting = this.#requests.find((request) => request.stream.id === id);
		if (waiting && !state.options.isServer) {
			waiting.canceled ??= code;
			return;
		}
		if (stream) stream.phase = 'closing';
		this.#regular.push({
			type: FRAME.RST_STREAM,
			id,
			obstacle: () => (this.isClosing ? CAUSE.SESSION_CLOSING : 0),
			bytes: () => frame(FRAME.RST_STREAM, 0, id, words(code)),
			sent: () => state.closeStream(id, code)
		});
	}

	/** Queues WINDOW_UPDATE for a stream, or for the connection. */
	updateWindow(stream: StreamState | null, bytes: number): void {
		const subject = stream ?? this.state;
		subject.hasQueuedUpdate = true;
		const id = stream?.id ?? 0;
		this.#regular.push({
			type: FRAME.WINDOW_UPDATE,
			id,
			obstacle: () => (this.isClosing ? CAUSE.SESSION_CLOSING : stream ? this.#updateObstacle(stream) : 0),
			bytes: () => frame(FRAME.WINDOW_UPDATE, 0, id, words(bytes)),
			sent: () => {
				subject.hasQueuedUpdate = false;
				if (!stream?.isReadShut) this.consume(stream, 0);
			}
		});
	}

	#updateObstacle(stream: StreamState): number {
		if (!stream.isOpen) return CAUSE.STREAM_CLOSED;
		return stream.phase === 'closing' ? CAUSE.STREAM_CLOSING : 0;
	}

	/** Counts bytes that the program has taken, and offers them again once they are half of the window. */
	consume(stream: StreamState | null, bytes: number): void {
		const subject = stream ?? this.state;
		subject.consumedBytes += bytes;
		if (subject.hasQueuedUpdate) return;
		const free = Math.min(subject.consumedBytes, subject.receivedBytes);
		if (free <= 0 || free < Math.floor(subject.localWindow / 2)) return;
		this.updateWindow(stream, free);
		subject.receivedBytes -= free;
		subject.consumedBytes -= free;
	}

	/** Frame of a type that only informs. */
	extension(type: number, id: number, payload: Uint8Array): void {
		this.#regular.push({ type, id, bytes: () => frame(type, 0, id, payload) });
	}

	/** Queues the head of a request, which opens its stream. */
	request(
		stream: StreamState,
		fields: readonly HeaderField[],
		endsStream: boolean,
		dependency: Dependency | null
	): void {
		const { state } = this;
		const item: Outgoing = {
			type: FRAME.HEADERS,
			id: stream.id,
			obstacle: () => {
				if (request.canceled !== null) return CAUSE.STREAM_CLOSING;
				if (state.hasReceivedGoaway || this.isClosing) return CAUSE.START_STREAM_NOT_ALLOWED;
				return this.#sizeObstacle(fields);
			},
			bytes: () => this.#headerBytes(stream, fields, { endsStream, dependency }),
			sent: () => this.#headSent(stream, endsStream),
			failed: () => {
				// It is closed although it was never opened on the wire.
				if (!state.open.has(stream.id)) state.openStream(stream.id, 'opening');
				state.closeStream(stream.id, request.canceled ?? ERROR.REFUSED_STREAM);
			}
		};
		const request: WaitingRequest = { stream, item, canceled: null };
		stream.rules.sent(fields);
		this.#requests.push(request);
	}

	/** Queues a header block on a stream: informational headers, a response or trailers. */
	headers(stream: StreamState, fields: readonly HeaderField[], kind: 'info' | 'response' | 'trailers', ends: boolean) {
		const item: Outgoing = {
			type: FRAME.HEADERS,
			id: stream.id,
			obstacle: () => this.#headersObstacle(stream, kind) || this.#sizeObstacle(fields),
			bytes: () => this.#headerBytes(stream, fields, { endsStream: ends }),
			sent: () => {
				if (kind === 'response') stream.phase = 'opened';
				if (stream.isPush && kind !== 'trailers') {
					stream.isPush = false;
					stream.phase = 'opened';
					this.state.outgoing++;
				}
				if (kind === 'info') return;
				this.#headSent(stream, ends);
			}
		};
		if (stream.phase === 'reserved') this.#requests.push({ stream, item, canceled: null });
		else this.#regular.push(item);
	}

	#headSent(stream: StreamState, endsStream: boolean): void {
		if (endsStream) {
			stream.isWriteShut = true;
			this.state.closeIfShut(stream);
			return;
		}
		stream.sendsData = true;
		this.resume(stream);
	}

	#headersObstacle(stream: StreamState, kind: string): number {
		if (!stream.isOpen) return CAUSE.STREAM_CLOSED;
		if (this.isClosing) return CAUSE.SESSION_CLOSING;
		if (stream.isWriteShut) return CAUSE.STREAM_SHUT_WR;
		if (stream.phase === 'closing') return CAUSE.STREAM_CLOSING;
		if (stream.isPush && this.state.hasReceivedGoaway) return CAUSE.START_STREAM_NOT_ALLOWED;
		return kind === 'response' && stream.phase === 'opened' ? CAUSE.INVALID_STREAM_STATE : 0;
	}

	#sizeObstacle(fields: readonly HeaderField[]): number {
		return encodedBound(fields) > this.state.options.maxSentHeaderBytes ? CAUSE.FRAME_SIZE_ERROR : 0;
	}

	#headerBytes(
		{ id }: StreamState,
		fields: readonly HeaderField[],
		more: { endsStream?: boolean; promised?: number; dependency?: Dependency | null }
	): Uint8Array {
		const { encoder, options } = this.state;
		if (more.promised === undefined && this.state.isMine(id) && !this.state.open.has(id))
			this.state.openStream(id, 'opening');
		return headerFrames({ id, block: encoder.encode(fields), pad: options.pad, ...more });
	}

	/** Queues a promise of a stream. */
	promise(parent: StreamState, stream: StreamState, fields: readonly HeaderField[]): void {
		const { state } = this;
		this.#regular.push({
			type: FRAME.PUSH_PROMISE,
			id: parent.id,
			obstacle: () => {
				const obstacle = this.#headersObstacle(parent, 'promise');
				if (obstacle) return obstacle;
				if (state.remote.enablePush === 0) return CAUSE.PUSH_DISABLED;
				return state.hasReceivedGoaway ? CAUSE.START_STREAM_NOT_ALLOWED : this.#sizeObstacle(fields);
			},
			bytes: () => this.#headerBytes(parent, fields, { promised: stream.id }),
			failed: () => state.closeStream(stream.id, ERROR.INTERNAL_ERROR)
		});
	}

	/** Continues to send the data of a stream. */
	resume(stream: StreamState): void {
		if (stream.sendsData && stream.isOpen && !stream.isWriteShut) this.#ready.add(stream);
	}

	/** Returns what can be written now, null for nothing. */
	collect(): Output | null {
		const parts: Uint8Array[] = [];
		const done: Output['done'] = [];
		if (!this.#hasPreface && this.wantsWrite) {
			this.#hasPreface = true;
			parts.push(PREFACE);
		}
		while (!this.state.isTerminated) {
			const item = this.#next();
			if (item) this.#send(item, parts);
			else if (!this.#sendData(parts, done)) break;
		}
		return parts.length > 0 || done.length > 0 ? { frames: parts, done } : null;
	}

	#next(): Outgoing | undefined {
		const item = this.#urgent.shift() ?? this.#regular.shift();
		return item ?? (this.#canOpenStream ? this.#requests.shift()?.item : undefined);
	}

	#send(item: Outgoing, parts: Uint8Array[]): void {
		this.#isSending = true;
		const cause = item.obstacle?.() ?? 0;
		this.#isSending = false;
		if (cause === 0) {
			parts.push(item.bytes());
			item.sent?.();
			return;
		}
		if (item.type !== FRAME.WINDOW_UPDATE) this.#reportUnsent(item, cause);
		item.failed?.(cause);
	}

	#reportUnsent({ type, id }: Outgoing, cause: number): void {
		const isOrdinary =
			cause === CAUSE.SESSION_CLOSING || cause === CAUSE.STREAM_CLOSED || cause === CAUSE.STREAM_CLOSING;
		const stream = this.state.known.get(id);
		if (isOrdinary && stream) this.state.dropFields(stream);
		// A stream that cannot be reset any more would stay.
		if (!isOrdinary || type === FRAME.RST_STREAM) this.state.events.frameError(id, type, codeOfCause(cause));
	}

	/** Sends a frame with data of the next stream. @returns whether there is one */
	#sendData(parts: Uint8Array[], done: Output['done']): boolean {
		const [stream] = this.#ready;
		if (!stream || this.state.sendWindow <= 0) return false;
		this.#ready.delete(stream);
		if (!stream.isOpen || stream.isWriteShut || stream.phase === 'closing' || stream.isDestroyed) return true;
		while (stream.queue[0]?.bytes.length === 0) stream.queue.shift()?.done(true);
		if (stream.queuedBytes === 0 && stream.isWritable) return true;
		const most = Math.min(PAYLOAD_BYTES, this.state.remote.maxFrameSize, this.state.sendWindow, stream.sendWindow);
		if (stream.queuedBytes > 0 && most <= 0) return true;
		const payload = this.#take(stream, Math.min(stream.queuedBytes, most), done);
		const isEnd = stream.queuedBytes === 0 && !stream.isWritable;
		this.#sendPayload(stream, payload, isEnd, parts);
		if (!isEnd && stream.isOpen) this.#ready.add(stream);
		return true;
	}

	#sendPayload(stream: StreamState, payload: Uint8Array, isEnd: boolean, parts: Uint8Array[]): void {
		const { state } = this;
		const hasTrailers = isEnd && stream.hasTrailers;
		const flags = isEnd && !hasTrailers ? FLAG.END_STREAM : 0;
		if (payload.length > 0 || flags !== 0) {
			const sent = padded({ type: FRAME.DATA, flags, id: stream.id }, payload, this.#padWithin(stream));
			parts.push(...sent.filter(({ length }) => length > 0));
			const size = sent.reduce((sum, { length }) => sum + length, -HEAD_BYTES);
			state.sendWindow -= size;
			stream.sendWindow -= size;
		}
		if (hasTrailers) {
			stream.hasTrailers = false;
			stream.sendsData = false;
			state.events.wantsTrailers(stream);
		} else if (isEnd) {
			stream.isWriteShut = true;
			state.closeIfShut(stream);
		}
	}

	/** Padding counts against the windows. */
	#padWithin(stream: StreamState): ((length: number, most: number) => number) | undefined {
		const { pad } = this.state.options;
		const window = Math.min(this.state.sendWindow, stream.sendWindow);
		return pad && ((length, most) => Math.max(length, Math.min(pad(length, most), window)));
	}

	/** Takes bytes out of the queue of a stream. */
	#take(stream: StreamState, count: number, done: Output['done']): Uint8Array {
		const taken: Uint8Array[] = [];
		let left = count;
		for (let head = stream.queue[0]; head && left > 0; head = stream.queue[0]) {
			const part = head.bytes.subarray(0, left);
			taken.push(part);
			left -= part.length;
			if (part.length === head.bytes.length) {
				stream.queue.shift();
				done.push(head.done);
			} else head.bytes = head.bytes.subarray(part.length);
		}
		stream.queuedBytes -= count;
		this.state.waitingBytes -= count;
		return joined(taken);
	}
}
