/** https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
export const Opcode = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
	opcode: number;
	/** Set on the last frame of a message. */
	isLast: boolean;
	payload: Uint8Array;
}

/** Maximum length of a message accepted from a server. Bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** The input is not a WebSocket stream; `code` is the close code. */
export class WebSocketProtocolError extends Error {
	constructor(
		readonly code: number,
		reason: string
	) {
		super(reason);
	}
}

/** Encodes a frame as clients must send it: masked. */
export function clientFrame(opcode: number, payload: Uint8Array): Uint8Array {
	const { length } = payload;
	const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
	const frame = new Uint8Array(2 + lengthBytes + 4 + length);
	const view = new DataView(frame.buffer);
	frame[0] = 0x80 | opcode;
	frame[1] = 0x80 | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
	if (lengthBytes === 2) view.setUint16(2, length);
	if (lengthBytes === 8) view.setBigUint64(2, BigInt(length));
	const mask = crypto.getRandomValues(frame.subarray(2 + lengthBytes, 6 + lengthBytes));
	const start = 6 + lengthBytes;
	for (let at = 0; at < length; at++) frame[start + at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
	return frame;
}

/** Parses the frames of a server as their bytes arrive. */
export class FrameReader {
	#buffer: Uint8Array = new Uint8Array(0);
	#waiting: Uint8Array[] = [];
	/** Number of received bytes that belong to no frame yet, and minimum number that the next frame needs. */
	#size = 0;
	#needed = 2;

	/** @returns frames that are complete now. @throws WebSocketProtocolError */
	read(bytes: Uint8Array): Frame[] {
		this.#waiting.push(bytes);
		this.#size += bytes.length;
		// A long message arrives in many pieces, which are joined once.
		if (this.#size < this.#needed) return [];
		const joined = new Uint8Array(this.#size);
		let at = 0;
		for (const piece of [this.#buffer, ...this.#waiting]) {
			joined.set(piece, at);
			at += piece.length;
		}
		this.#waiting = [];
		this.#buffer = joined;
		const frames: Frame[] = [];
		for (let frame = this.#next(); frame; frame = this.#next()) frames.push(frame);
		this.#size = this.#buffer.length;
		return frames;
	}

	#next(): Frame | null {
		const bytes = this.#buffer;
		const [first, second] = bytes;
		this.#needed = 2;
		if (first === undefined || second === undefined) return null;
		if ((first & 0x70) !== 0 || (second & 0x80) !== 0) {
			throw new WebSocketProtocolError(1002, 'The server sent a frame that is none.');
		}
		const short = second & 0x7f;
		const start = short === 126 ? 4 : short === 127 ? 10 : 2;
		this.#needed = start;
		if (bytes.length < start) return null;
		const view = new DataView(bytes.buffer, bytes.byteOffset);
		const length = short === 126 ? view.getUint16(2) : short === 127 ? Number(view.getBigUint64(2)) : short;
		if (length > MAX_MESSAGE_BYTES) throw new WebSocketProtocolError(1009, 'The server sent too long a message.');
		this.#needed = start + length;
		if (bytes.length < start + length) return null;
		this.#buffer = bytes.subarray(start + length);
		return { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, payload: bytes.slice(start, start + length) };
	}
}
