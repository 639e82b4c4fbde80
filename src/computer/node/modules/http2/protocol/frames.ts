import { FLAG, FRAME } from './codes.ts';

/** Start of a connection, sent by the client. */
export const PREFACE = Uint8Array.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', (character) => character.charCodeAt(0));

export const HEAD_BYTES = 9;
/** Largest payload that every peer accepts, and of what this side sends. */
export const PAYLOAD_BYTES = 16_384;
export const MAX_WINDOW = 2 ** 31 - 1;

/** Head of a frame. */
export interface FrameHead {
	/** Bytes of the payload. */
	length: number;
	type: number;
	flags: number;
	/** Stream, 0 for the connection. */
	id: number;
}

export const uint16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

export const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);

/** Reads the 31 bits of a stream or of an increment. */
export const uint31 = (bytes: Uint8Array, at: number): number => uint32(bytes, at) % 2 ** 31;

export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
	bytes[at] = value >>> 24;
	bytes[at + 1] = value >>> 16;
	bytes[at + 2] = value >>> 8;
	bytes[at + 3] = value;
}

export function readHead(bytes: Uint8Array): FrameHead {
	return {
		length: uint16(bytes, 0) * 256 + (bytes[2] ?? 0),
		type: bytes[3] ?? 0,
		flags: bytes[4] ?? 0,
		id: uint31(bytes, 5)
	};
}

export function frameHead({ length, type, flags, id }: FrameHead): Uint8Array {
	const head = new Uint8Array(HEAD_BYTES);
	head.set([length >>> 16, length >>> 8, length, type, flags]);
	writeUint32(head, 5, id);
	return head;
}

/** Joins bytes. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
	const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	return all;
}

export function frame(type: number, flags: number, id: number, payload: Uint8Array): Uint8Array {
	return joined([frameHead({ length: payload.length, type, flags, id }), payload]);
}

/** Payload of numbers with 32 bits. */
export function words(...values: number[]): Uint8Array {
	const bytes = new Uint8Array(values.length * 4);
	for (const [place, value] of values.entries()) writeUint32(bytes, place * 4, value);
	return bytes;
}

/** Payload of a SETTINGS frame: identifiers and values. */
export function settingsPayload(entries: readonly (readonly [number, number])[]): Uint8Array {
	const bytes = new Uint8Array(entries.length * 6);
	for (const [place, [id, value]] of entries.entries()) {
		bytes.set([id >>> 8, id], place * 6);
		writeUint32(bytes, place * 6 + 2, value);
	}
	return bytes;
}

/** Dependency of a stream, as in RFC 7540. */
export interface Dependency {
	parent: number;
	isExclusive: boolean;
	/** 1 to 256. */
	weight: number;
}

const dependencyBytes = ({ parent, isExclusive, weight }: Dependency): Uint8Array =>
	joined([words(parent + (isExclusive ? 2 ** 31 : 0)), Uint8Array.of(weight - 1)]);

export interface HeaderFrame {
	id: number;
	block: Uint8Array;
	endsStream?: boolean;
	/** Stream that is promised, in the frame of its parent. */
	promised?: number;
	dependency?: Dependency | null;
	/** Returns the size to which a payload is padded. */
	pad?: (length: number, most: number) => number;
}

/** HEADERS or PUSH_PROMISE frame with the CONTINUATION frames that its block needs. */
export function headerFrames({ id, block, endsStream, promised, dependency, pad }: HeaderFrame): Uint8Array {
	const type = promised === undefined ? FRAME.HEADERS : FRAME.PUSH_PROMISE;
	let flags = (endsStream ? FLAG.END_STREAM : 0) | (dependency ? FLAG.PRIORITY : 0);
	const before =
		promised !== undefined ? words(promised) : dependency ? dependencyBytes(dependency) : new Uint8Array(0);
	const first = block.subarray(0, PAYLOAD_BYTES - before.length);
	if (block.length === first.length) flags |= FLAG.END_HEADERS;
	const payload = joined([before, first]);
	const frames = padded({ type, flags, id }, payload, pad);
	for (let at = first.length; at < block.length; at += PAYLOAD_BYTES) {
		const isLast = at + PAYLOAD_BYTES >= block.length;
		const part = block.subarray(at, at + PAYLOAD_BYTES);
		frames.push(frame(FRAME.CONTINUATION, isLast ? FLAG.END_HEADERS : 0, id, part));
	}
	return joined(frames);
}

/** Frame whose payload is padded as `pad` says: up to 255 bytes and their count. The payload is not copied. */
export function padded(
	{ type, flags, id }: Omit<FrameHead, 'length'>,
	payload: Uint8Array,
	pad?: HeaderFrame['pad']
): Uint8Array[] {
	const most = Math.min(PAYLOAD_BYTES, payload.length + 256);
	const count = pad ? Math.min(most, Math.max(payload.length, pad(payload.length, most))) - payload.length : 0;
	const length = payload.length + count;
	if (count === 0) return [frameHead({ length, type, flags, id }), payload];
	const head = frameHead({ length, type, flags: flags | FLAG.PADDED, id });
	return [head, Uint8Array.of(count - 1), payload, new Uint8Array(count - 1)];
}
