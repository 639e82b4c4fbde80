import { Buffer } from 'buffer';
import { ByteQueue } from './byte-queue.ts';
import { CAUSE, ERROR, FLAG, FRAME, SETTING } from './codes.ts';
import { ConnectionFailure, type ConnectionState } from './connection-state.ts';
import { type FrameHead, HEAD_BYTES, joined, MAX_WINDOW, PREFACE, readHead, uint16, uint31, uint32 } from './frames.ts';
import type { Outbound } from './outbound.ts';
import { ReceivedHeaders } from './received-headers.ts';
import { SETTING_FIELDS, type SettingEntry, UNLIMITED, violationOf } from './settings.ts';
import type { StreamState } from './stream-state.ts';

/** Number of CONTINUATION frames of a header block. */
const MAX_CONTINUATIONS = 8;

/** Payload of a frame that cannot have another size. */
const FIXED_BYTES: Record<number, number> = {
	[FRAME.PRIORITY]: 5,
	[FRAME.RST_STREAM]: 4,
	[FRAME.PING]: 8,
	[FRAME.WINDOW_UPDATE]: 4
};

/** Header block of which CONTINUATION frames are missing. */
interface OpenBlock {
	head: FrameHead;
	parts: Uint8Array[];
}

/** DATA frame whose payload is arriving. */
interface OpenData {
	head: FrameHead;
	/** Null if it is ignored. */
	stream: StreamState | null;
	/** Bytes of the payload that are missing, without padding. */
	left: number;
	padding: number;
}

/** Frames that a connection receives. */
export class Inbound {
	readonly #queue = new ByteQueue();
	readonly #headers: ReceivedHeaders;
	/** Bytes of the preface that are missing. */
	#prefaceLeft: number;
	#head: FrameHead | null = null;
	#data: OpenData | null = null;
	#block: OpenBlock | null = null;
	#isFirst = true;
	#isStopped = false;
	/** Streams that the client may still reset, and when that was computed. Milliseconds. */
	#resets: number;
	#resetsAtMs = Date.now();

	constructor(
		private readonly state: ConnectionState,
		private readonly outbound: Outbound
	) {
		this.#headers = new ReceivedHeaders(state, outbound);
		this.#prefaceLeft = state.options.isServer ? PREFACE.length : 0;
		this.#resets = state.options.resetBurst;
	}

	/** Drops everything that arrives from now on. */
	stop(): void {
		this.#isStopped = true;
		this.#queue.clear();
	}

	receive(bytes: Uint8Array): void {
		if (this.#isStopped) return;
		this.#queue.push(bytes);
		try {
			while (!this.#isStopped && !this.state.isTerminating && this.#step());
		} catch (error) {
			if (!(error instanceof ConnectionFailure)) throw error;
			this.stop();
			this.state.events.failed(error.cause, error.nodeCode);
		}
		if (this.state.isTerminating) this.stop();
	}

	/** Handles the next part. @returns false while it has not arrived */
	#step(): boolean {
		if (this.#prefaceLeft > 0) return this.#checkPreface();
		if (this.#data) return this.#continueData(this.#data);
		if (!this.#head) {
			const bytes = this.#queue.take(HEAD_BYTES);
			if (!bytes) return false;
			this.#begin(readHead(bytes));
			return true;
		}
		const payload = this.#queue.take(this.#head.length);
		if (!payload) return false;
		const head = this.#head;
		this.#head = null;
		this.#handle(head, payload);
		return true;
	}

	#checkPreface(): boolean {
		const bytes = this.#queue.takeUpTo(this.#prefaceLeft);
		if (!bytes) return false;
		const start = PREFACE.length - this.#prefaceLeft;
		if (bytes.some((byte, at) => byte !== PREFACE[start + at])) throw new ConnectionFailure(CAUSE.BAD_CLIENT_MAGIC);
		this.#prefaceLeft -= bytes.length;
		return true;
	}

	#begin(head: FrameHead): void {
		const { type, flags, length, id } = head;
		if (this.#isFirst && (type !== FRAME.SETTINGS || flags & FLAG.ACK)) {
			this.state.events.failed(CAUSE.PROTO);
			return this.outbound.terminate(ERROR.PROTOCOL_ERROR, 'SETTINGS expected');
		}
		this.#isFirst = false;
		if (length > this.state.local.maxFrameSize)
			return this.outbound.terminate(ERROR.FRAME_SIZE_ERROR, 'too large frame size');
		if (this.#block && (type !== FRAME.CONTINUATION || id !== this.#block.head.id))
			return this.outbound.terminate(ERROR.PROTOCOL_ERROR, 'unexpected non-CONTINUATION frame or stream_id is invalid');
		const fixed = FIXED_BYTES[type];
		const isWrong = fixed !== undefined && length !== fixed;
		const isUneven = type === FRAME.SETTINGS && (length % 6 !== 0 || (flags & FLAG.ACK && length > 0));
		const isShort = type === FRAME.GOAWAY && length < 8;
		if (isWrong || isUneven || isShort) return this.outbound.terminate(ERROR.FRAME_SIZE_ERROR);
		if (type === FRAME.DATA) this.#beginData(head);
		else this.#head = head;
	}

	#handle(head: FrameHead, payload: Uint8Array): void {
		switch (head.type) {
			case FRAME.HEADERS:
			case FRAME.PUSH_PROMISE:
				return this.#beginBlock(head, payload);
			case FRAME.CONTINUATION:
				return this.#continueBlock(head, payload);
			case FRAME.PRIORITY:
				return this.#priority(head, payload);
			case FRAME.RST_STREAM:
				return this.#reset(head, uint32(payload, 0));
			case FRAME.SETTINGS:
				return this.#settings(head, payload);
			case FRAME.PING:
				return this.#ping(head, payload);
			case FRAME.GOAWAY:
				return this.#goaway(head, payload);
			case FRAME.WINDOW_UPDATE:
				return this.#windowUpdate(head, uint31(payload, 0));
			case FRAME.ALTSVC:
				return this.#alternative(head, payload);
			case FRAME.ORIGIN:
				return this.#origins(head, payload);
		}
		// Frames of unknown types are ignored.
	}

	#beginBlock(head: FrameHead, payload: Uint8Array): void {
		const fields = withoutPadding(head, payload);
		const before = head.type === FRAME.PUSH_PROMISE ? 4 : head.flags & FLAG.PRIORITY ? 5 : 0;
		if (!fields) return this.outbound.terminate(ERROR.PROTOCOL_ERROR, 'insufficient padding space');
		if (fields.length < before) return this.outbound.terminate(ERROR.FRAME_SIZE_ERROR);
		if (head.flags & FLAG.END_HEADERS) this.#headersReceived(head, fields);
		else this.#block = { head, parts: [fields] };
	}

	#continueBlock(head: FrameHead, payload: Uint8Array): void {
		const block = this.#block;
		if (!block) return this.outbound.terminate(ERROR.PROTOCOL_ERROR, 'CONTINUATION: unexpected');
		if (block.parts.length > MAX_CONTINUATIONS) throw new ConnectionFailure(CAUSE.TOO_MANY_CONTINUATIONS);
		block.parts.push(payload);
		if (!(head.flags & FLAG.END_HEADERS)) return;
		this.#block = null;
		this.#headersReceived(block.head, joined(block.parts));
	}

	/** @param fields what precedes the block in its first frame, and the whole block */
	#headersReceived({ id, flags, type }: FrameHead, fields: Uint8Array): void {
		if (type === FRAME.PUSH_PROMISE)
			return this.#headers.receive({ id, flags, block: fields.subarray(4), promised: uint31(fields, 0) });
		const hasPriority = (flags & FLAG.PRIORITY) !== 0;
		const block = fields.subarray(hasPriority ? 5 : 0);
		this.#headers.receive({ id, flags, block, dependency: hasPriority ? dependencyOf(fields) : null });
	}

	#priority({ id }: FrameHead, payload: Uint8Array): void {
		const dependency = dependencyOf(payload);
		if (id === 0) return void this.#headers.failConnection(CAUSE.PROTO, 'PRIORITY: stream_id == 0');
		if (dependency.parent === id) return this.outbound.terminate(ERROR.PROTOCOL_ERROR, 'depend on itself');
		this.state.events.priority(id, dependency);
	}

	#reset({ id }: FrameHead, code: number): void {
		const { state } = this;
		if (id === 0) return void this.#headers.failConnection(CAUSE.PROTO, 'RST_STREAM: stream_id == 0');
		if (state.isIdle(id)) return void this.#headers.failConnection(CAUSE.PROTO, 'RST_STREAM: stream in idle');
		const stream = state.open.get(id);
		if (stream) stream.isReadShut = true;
		state.closeStream(id, code);
		this.#countReset();
	}

	/** Ends the connection to a client that resets streams faster than they can be handled. */
	#countReset(): void {
		const { state } = this;
		if (!state.options.isServer || state.hasSubmittedGoaway) return;
		const nowMs = Date.now();
		const added = Math.floor((nowMs - this.#resetsAtMs) / 1000) * state.options.resetRate;
		if (added > 0) {
			this.#resets = Math.min(state.options.resetBurst, this.#resets + added);
			this.#resetsAtMs = nowMs;
		}
		if (this.#resets-- > 0) return;
		this.outbound.goaway(state.lastReceivedId, ERROR.INTERNAL_ERROR, new Uint8Array(0));
	}

	#settings({ id, flags }: FrameHead, payload: Uint8Array): void {
		const { state } = this;
		if (id !== 0) return void this.#headers.failConnection(CAUSE.PROTO, 'SETTINGS: stream_id != 0');
		if (flags & FLAG.ACK) return this.#settingsAcknowledged();
		if (payload.length / 6 > state.options.maxSettingEntries) throw new ConnectionFailure(CAUSE.TOO_MANY_SETTINGS);
		if (!state.hasRemoteSettings) state.remote.maxConcurrentStreams = UNLIMITED;
		state.hasRemoteSettings = true;
		for (let at = 0; at < payload.length; at += 6) {
			this.#applyRemote([uint16(payload, at), uint32(payload, at + 2)]);
			if (state.isTerminating) return;
		}
		if (!this.outbound.isClosing) this.outbound.acknowledgeSettings();
		state.events.settings();
	}

	#applyRemote([id, value]: SettingEntry): void {
		const { state } = this;
		const violation = violationOf(id, value, state.options.isServer ? null : state.remote);
		if (violation === 'protocol') return void this.#headers.failConnection(CAUSE.PROTO, 'SETTINGS: invalid value');
		if (violation === 'window')
			return void this.#headers.failConnection(CAUSE.FLOW_CONTROL, 'SETTINGS: too large window');
		if (id === SETTING.HEADER_TABLE_SIZE) state.encoder.setLimit(value);
		if (id === SETTING.INITIAL_WINDOW_SIZE) this.#changeSendWindows(value - state.remote.initialWindowSize);
		const field = SETTING_FIELDS[id];
		if (field) state.remote[field] = value;
		else if (state.options.customSettings.includes(id)) state.remote.custom.set(id, value);
	}

	#changeSendWindows(difference: number): void {
		for (const stream of this.state.open.values()) {
			stream.sendWindow += difference;
			if (stream.sendWindow > MAX_WINDOW)
				return void this.#headers.failConnection(CAUSE.FLOW_CONTROL, 'SETTINGS: too large window');
			if (stream.sendWindow > 0) this.outbound.resume(stream);
		}
	}

	#settingsAcknowledged(): void {
		const { state } = this;
		const entries = state.inflight.shift();
		if (!entries) return void this.#headers.failConnection(CAUSE.PROTO, 'SETTINGS: unexpected ACK');
		for (const [id, value] of entries) {
			if (id === SETTING.HEADER_TABLE_SIZE) state.decoder.setLimit(value);
			if (id === SETTING.INITIAL_WINDOW_SIZE) {
				for (const stream of state.open.values()) {
					stream.localWindow += value - state.local.initialWindowSize;
					// What was taken may be much of a smaller window.
					this.outbound.consume(stream, 0);
				}
			}
			const field = SETTING_FIELDS[id];
			if (field) state.local[field] = value;
			else state.local.custom.set(id, value);
		}
		state.events.settingsAcknowledged();
	}

	#ping({ id, flags }: FrameHead, payload: Uint8Array): void {
		const { state } = this;
		if (id !== 0) return void this.#headers.failConnection(CAUSE.PROTO, 'PING: stream_id != 0');
		if (flags & FLAG.ACK) {
			if (!state.events.pingAcknowledged(payload)) state.events.failed(CAUSE.PROTO);
			return;
		}
		if (!this.outbound.isClosing) this.outbound.acknowledgePing(payload);
		state.events.ping(payload);
	}

	#goaway({ id }: FrameHead, payload: Uint8Array): void {
		const { state } = this;
		const lastId = uint31(payload, 0);
		if (id !== 0) return void this.#headers.failConnection(CAUSE.PROTO, 'GOAWAY: stream_id != 0');
		if ((lastId > 0 && !state.isMine(lastId)) || state.remoteLastId < lastId)
			return void this.#headers.failConnection(CAUSE.PROTO, 'GOAWAY: invalid last_stream_id');
		state.hasReceivedGoaway = true;
		state.remoteLastId = lastId;
		state.events.goaway(uint32(payload, 4), lastId, payload.subarray(8));
		state.closeBeyond(lastId, true);
	}

	#windowUpdate({ id }: FrameHead, increment: number): void {
		const { state } = this;
		const refuse = (cause: number, reason: string) =>
			void this.#headers.failConnection(cause, `WINDOW_UPDATE${reason}`);
		if (id === 0) {
			if (increment === 0) return refuse(CAUSE.PROTO, ': window_size_increment == 0');
			if (state.sendWindow + increment > MAX_WINDOW) return refuse(CAUSE.FLOW_CONTROL, ': too large window');
			state.sendWindow += increment;
			return;
		}
		if (state.isIdle(id)) return refuse(CAUSE.PROTO, ' to idle stream');
		const stream = state.open.get(id);
		if (!stream) return;
		if (stream.phase === 'reserved' && !state.isMine(id)) return refuse(CAUSE.PROTO, ' to reserved stream');
		if (increment === 0) return refuse(CAUSE.PROTO, ': window_size_increment == 0');
		if (stream.sendWindow + increment > MAX_WINDOW) return void this.#headers.failStream(id, CAUSE.FLOW_CONTROL);
		stream.sendWindow += increment;
		if (stream.sendWindow > 0) this.outbound.resume(stream);
	}

	/** Only clients know ALTSVC and ORIGIN. */
	#alternative({ id }: FrameHead, payload: Uint8Array): void {
		const { state } = this;
		const originLength = uint16(payload, 0);
		if (state.options.isServer || payload.length < 2 + originLength) return;
		if (id === 0 ? originLength === 0 : originLength > 0 || !state.open.has(id)) return;
		const origin = textOf(payload.subarray(2, 2 + originLength));
		state.events.alternative(id, origin, textOf(payload.subarray(2 + originLength)));
	}

	#origins({ id, flags }: FrameHead, payload: Uint8Array): void {
		if (this.state.options.isServer || id !== 0 || flags & 0xf0) return;
		const origins: string[] = [];
		for (let at = 0; at < payload.length;) {
			const end = at + 2 + uint16(payload, at);
			if (end > payload.length) return;
			if (end > at + 2) origins.push(textOf(payload.subarray(at + 2, end)));
			at = end;
		}
		this.state.events.origins(origins);
	}

	#beginData(head: FrameHead): void {
		const stream = this.#dataStream(head.id);
		if (this.state.isTerminating) return;
		this.#data = { head, stream, left: head.length, padding: -1 };
		if (!(head.flags & FLAG.PADDED)) this.#data.padding = 0;
		else if (head.length === 0) this.outbound.terminate(ERROR.PROTOCOL_ERROR, 'DATA: insufficient padding space');
	}

	/** Stream of a DATA frame, null if it is ignored. */
	#dataStream(id: number): StreamState | null {
		const { state } = this;
		const refuse = (code: number, reason: string): null => {
			this.outbound.terminate(code, `DATA: ${reason}`);
			return null;
		};
		if (id === 0) return refuse(ERROR.PROTOCOL_ERROR, 'stream_id == 0');
		if (state.isIdle(id)) return refuse(ERROR.PROTOCOL_ERROR, 'stream in idle');
		const stream = state.open.get(id);
		if (!stream) return null;
		if (stream.isReadShut) return refuse(ERROR.STREAM_CLOSED, 'stream in half-closed(remote)');
		if (stream.phase === 'closing') return null;
		if (stream.phase === 'reserved') return refuse(ERROR.PROTOCOL_ERROR, 'stream in reserved');
		if (state.isMine(id) && stream.phase !== 'opened') return refuse(ERROR.PROTOCOL_ERROR, 'stream not opened');
		return stream;
	}

	#continueData(data: OpenData): boolean {
		if (data.padding < 0) {
			const count = this.#queue.take(1)?.[0];
			if (count === undefined) return false;
			data.left--;
			if (count > data.left) {
				this.outbound.terminate(ERROR.PROTOCOL_ERROR, 'DATA: insufficient padding space');
				return true;
			}
			data.padding = count;
			data.left -= count;
			this.#countReceived(data.stream, 1, true);
			return true;
		}
		if (data.left > 0) {
			const bytes = this.#queue.takeUpTo(data.left);
			if (!bytes) return false;
			data.left -= bytes.length;
			this.#dataReceived(data, bytes);
			return true;
		}
		if (data.padding > 0) {
			const bytes = this.#queue.takeUpTo(data.padding);
			if (!bytes) return false;
			data.padding -= bytes.length;
			this.#countReceived(data.stream, bytes.length, true);
			return true;
		}
		this.#data = null;
		this.#dataEnded(data);
		return true;
	}

	/** Counts received bytes against the windows. @param isTaken whether they are not for the program */
	#countReceived(stream: StreamState | null, bytes: number, isTaken: boolean): boolean {
		const { state, outbound } = this;
		if (state.receivedBytes + bytes > state.localWindow) {
			outbound.terminate(ERROR.FLOW_CONTROL_ERROR);
			return false;
		}
		state.receivedBytes += bytes;
		outbound.consume(null, bytes);
		if (!stream?.isOpen) return true;
		if (stream.receivedBytes + bytes > stream.localWindow) {
			outbound.reset(stream.id, ERROR.FLOW_CONTROL_ERROR);
			return false;
		}
		stream.receivedBytes += bytes;
		if (isTaken) outbound.consume(stream, bytes);
		return true;
	}

	#dataReceived(data: OpenData, bytes: Uint8Array): void {
		const { stream } = data;
		if (!this.#countReceived(stream, bytes.length, false) || !stream) return;
		if (!stream.isOpen || stream.phase === 'closing') return;
		if (!stream.rules.received(bytes.length)) {
			this.outbound.reset(stream.id, ERROR.PROTOCOL_ERROR);
			data.stream = null;
			return;
		}
		if (stream.isDestroyed) return;
		this.state.events.data(stream, bytes);
		if (stream.isReading) this.outbound.consume(stream, bytes.length);
		else stream.unreadBytes += bytes.length;
	}

	#dataEnded({ head, stream }: OpenData): void {
		const isLast = (head.flags & FLAG.END_STREAM) !== 0;
		if (!stream?.isOpen || stream.phase === 'closing') return;
		if (!isLast) {
			if (head.length === 0) this.state.countEmptyFrame();
			return;
		}
		if (!stream.rules.finished()) {
			this.outbound.reset(stream.id, ERROR.PROTOCOL_ERROR);
			stream.isReadShut = true;
			return;
		}
		if (!stream.isDestroyed) this.state.events.ended(stream);
		stream.isReadShut = true;
		this.state.closeIfShut(stream);
	}
}

/** Payload without its padding, null if that is larger. */
function withoutPadding({ flags }: FrameHead, payload: Uint8Array): Uint8Array | null {
	if (!(flags & FLAG.PADDED)) return payload;
	const padding = payload[0];
	return padding === undefined || padding + 1 > payload.length ? null : payload.subarray(1, payload.length - padding);
}

const dependencyOf = (bytes: Uint8Array) => ({
	parent: uint31(bytes, 0),
	isExclusive: ((bytes[0] ?? 0) & 0x80) !== 0,
	weight: (bytes[4] ?? 0) + 1
});

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
