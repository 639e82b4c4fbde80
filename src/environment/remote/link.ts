import { z } from 'zod';
import { concat } from '../concat.ts';
import type { Channel } from './channel.ts';

/** Protocol version. Both sides must use the same one. */
export const PROTOCOL = 1;
/** Maximum payload of a frame. Larger messages use several, so that a resumed link repeats little. */
const FRAME_BYTES = 128 * 1024;
/** Bytes that may be in flight without acknowledgement. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Maximum size of a message; a peer that sends more violates the protocol. */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;
const ACKNOWLEDGE_BYTES = 256 * 1024;
const ACKNOWLEDGE_MS = 30;

const CONTROL = 0;
const PART = 1;
const LAST_PART = 2;
const HEADER_BYTES = 5;

const sequence = z.int().nonnegative();
const control = z.discriminatedUnion('type', [
	z.object({ type: z.literal('hello'), protocol: z.int(), link: z.string().min(16).max(200), received: sequence }),
	z.object({ type: z.literal('welcome'), received: sequence }),
	z.object({ type: z.literal('refused'), message: z.string().max(2_000), isFinal: z.boolean() }),
	z.object({ type: z.literal('ack'), received: sequence })
]);

/** Frames that concern the link itself. */
export type Control = z.output<typeof control>;

/** A message: a JSON header and bytes. */
export interface Packet {
	header: unknown;
	bytes: Uint8Array;
}

export function encodeControl(message: Control): Uint8Array<ArrayBuffer> {
	const text = new TextEncoder().encode(JSON.stringify(message));
	const frame = new Uint8Array(1 + text.length);
	frame[0] = CONTROL;
	frame.set(text, 1);
	return frame;
}

/** Returns the control message of a frame; `undefined` for a part of a packet. @throws Error if it is malformed */
export function decodeControl(frame: Uint8Array): Control | undefined {
	if (frame[0] !== CONTROL) return undefined;
	return control.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(frame.subarray(1))));
}

interface Frame {
	seq: number;
	bytes: Uint8Array<ArrayBuffer>;
}

export interface LinkListener {
	onPacket(packet: Packet): void;
	/** The channel closed or broke the protocol; another one may be attached. */
	onDetached(reason: string): void;
}

/**
 * Sends packets over successive channels without losing or repeating any: frames are numbered and kept here until the
 * other side has acknowledged them. {@link Link.ready} provides flow control.
 */
export class Link {
	#channel: Channel | undefined;
	/** Unacknowledged frames in order. The first {@link #sent} of them are in flight. */
	#frames: Frame[] = [];
	#sent = 0;
	#inFlight = 0;
	#queued = 0;
	#lastSent = 0;
	#received = 0;
	#acknowledged = 0;
	#receivedBytes = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#parts: Uint8Array[] = [];
	#partBytes = 0;
	readonly #waiting: (() => void)[] = [];
	#isEnding = false;
	#isClosed = false;

	constructor(private readonly listener: LinkListener) {}

	/** Sequence number of the last frame received here. */
	get received(): number {
		return this.#received;
	}

	/**
	 * Continues over a channel after the handshake.
	 * @param peerReceived last frame that the other side received
	 * @returns function that handles the frames of this channel
	 * @throws Error if the other side claims frames that were never sent, or needs frames that are no longer here
	 */
	attach(channel: Channel, peerReceived: number): (frame: Uint8Array) => void {
		const first = this.#frames[0]?.seq ?? this.#lastSent + 1;
		if (peerReceived > this.#lastSent || peerReceived < first - 1)
			throw new Error('The other side does not continue this connection.');
		this.#channel?.close();
		this.#channel = channel;
		this.#sent = 0;
		this.#inFlight = 0;
		this.#drop(peerReceived);
		this.#pump();
		return (frame) => {
			if (this.#channel !== channel) return;
			try {
				this.#take(frame);
			} catch (error) {
				this.detach(`The other side broke the protocol: ${String(error)}`);
			}
		};
	}

	/** Releases the channel and waits for another. */
	detach(reason: string): void {
		const channel = this.#channel;
		if (!channel) return;
		this.#channel = undefined;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		channel.close(reason);
		this.listener.onDetached(reason);
	}

	/** Notifies the link that this channel is closed; ignored if another one has already replaced it. */
	closed(channel: Channel, reason: string): void {
		if (this.#channel === channel) this.detach(reason);
	}

	/** Queues a packet. */
	send(header: unknown, bytes: Uint8Array = new Uint8Array()): void {
		if (this.#isClosed) return;
		const text = new TextEncoder().encode(JSON.stringify(header));
		const start = new Uint8Array(4 + text.length);
		new DataView(start.buffer).setUint32(0, text.length);
		start.set(text, 4);
		for (let at = 0, length = start.length + bytes.length; at < length; at += FRAME_BYTES) {
			const size = Math.min(FRAME_BYTES, length - at);
			const frame = new Uint8Array(HEADER_BYTES + size);
			frame[0] = at + size === length ? LAST_PART : PART;
			new DataView(frame.buffer).setUint32(1, ++this.#lastSent);
			// A message is its start followed by the bytes.
			frame.set(start.subarray(at, at + size), HEADER_BYTES);
			const first = Math.max(0, at - start.length);
			const behind = bytes.subarray(first, Math.max(0, at + size - start.length));
			frame.set(behind, HEADER_BYTES + size - behind.length);
			this.#frames.push({ seq: this.#lastSent, bytes: frame });
			this.#queued += frame.length;
		}
		this.#pump();
	}

	/** Resolves when the other side is ready for more, or the link is closed; `undefined` if it is ready now. */
	ready(): Promise<void> | undefined {
		if (this.#queued <= WINDOW_BYTES || this.#isEnding) return undefined;
		return new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	/** Resolves all callers waiting in {@link ready}, before the programs they belong to are ended. */
	endFlowControl(): void {
		this.#isEnding = true;
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	/** Closes the link permanently and frees unacknowledged frames. */
	close(reason = ''): void {
		this.#isClosed = true;
		const channel = this.#channel;
		this.#channel = undefined;
		clearTimeout(this.#timer);
		channel?.close(reason);
		this.#frames = [];
		this.#queued = 0;
		this.endFlowControl();
	}

	#pump(): void {
		while (this.#channel && this.#inFlight < WINDOW_BYTES) {
			const frame = this.#frames[this.#sent];
			if (!frame) return;
			this.#sent++;
			this.#inFlight += frame.bytes.length;
			this.#channel.send(frame.bytes);
		}
	}

	#take(frame: Uint8Array): void {
		const message = decodeControl(frame);
		if (message) {
			if (message.type !== 'ack' || message.received > this.#lastSent) throw new Error('unexpected control message');
			this.#drop(message.received);
			this.#pump();
			return;
		}
		const kind = frame[0];
		if ((kind !== PART && kind !== LAST_PART) || frame.length < HEADER_BYTES) throw new Error('unknown frame');
		const seq = new DataView(frame.buffer, frame.byteOffset).getUint32(1);
		if (seq <= this.#received) return;
		if (seq !== this.#received + 1) throw new Error('a frame is missing');
		this.#received = seq;
		this.#acknowledgeSoon(frame.length);
		this.#parts.push(frame.subarray(HEADER_BYTES));
		this.#partBytes += frame.length;
		if (this.#partBytes > MAX_MESSAGE_BYTES) throw new Error('a message is too large');
		if (kind === LAST_PART) this.#deliver();
	}

	#deliver(): void {
		const packet = concat(this.#parts);
		this.#parts = [];
		this.#partBytes = 0;
		const length = packet.length < 4 ? Infinity : new DataView(packet.buffer, packet.byteOffset).getUint32(0);
		if (4 + length > packet.length) throw new Error('a message is cut off');
		const header: unknown = JSON.parse(
			new TextDecoder('utf-8', { fatal: true }).decode(packet.subarray(4, 4 + length))
		);
		this.listener.onPacket({ header, bytes: packet.subarray(4 + length) });
	}

	#acknowledgeSoon(bytes: number): void {
		this.#receivedBytes += bytes;
		if (this.#receivedBytes >= ACKNOWLEDGE_BYTES) this.#acknowledge();
		else this.#timer ??= setTimeout(() => this.#acknowledge(), ACKNOWLEDGE_MS);
	}

	#acknowledge(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#receivedBytes = 0;
		if (this.#acknowledged === this.#received) return;
		this.#acknowledged = this.#received;
		this.#channel?.send(encodeControl({ type: 'ack', received: this.#received }));
	}

	/** Drops frames that have been acknowledged. */
	#drop(received: number): void {
		let count = 0;
		for (const { seq, bytes } of this.#frames) {
			if (seq > received) break;
			if (count < this.#sent) this.#inFlight -= bytes.length;
			this.#queued -= bytes.length;
			count++;
		}
		if (count > 0) this.#frames = this.#frames.slice(count);
		this.#sent = Math.max(0, this.#sent - count);
		if (this.#queued <= WINDOW_BYTES) for (const resolve of this.#waiting.splice(0)) resolve();
	}
}
