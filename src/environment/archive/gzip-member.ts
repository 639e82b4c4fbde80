import { crc32 } from '../crc32.ts';
import { inflateRawInto } from './inflate.ts';

const HEADER_BYTES = 10;
export const TRAILER_BYTES = 8;
const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

/** Offset after the header of a member of a gzip file (RFC 1952), which starts at `start`. */
export function headerEnd(bytes: Uint8Array, start: number): number {
	const flags = bytes[start + 3] ?? 0;
	let at = start + HEADER_BYTES;
	if (flags & HAS_EXTRA) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
	for (const flag of [HAS_NAME, HAS_COMMENT])
		if (flags & flag) {
			const end = bytes.indexOf(0, at);
			at = end < 0 ? bytes.length : end + 1;
		}
	return flags & HAS_CHECKSUM ? at + 2 : at;
}

/** Offset after a member with this content, null if it does not end there. */
export function endOfMember(bytes: Uint8Array, start: number, content: Uint8Array): number | null {
	try {
		const end = inflateRawInto(bytes, headerEnd(bytes, start), new Uint8Array(content.length)) + TRAILER_BYTES;
		return end <= bytes.length ? end : null;
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return null;
	}
}

/** Returns whether there is a trailer with the checksum of the content at the end. */
export function hasSum(bytes: Uint8Array, content: Uint8Array): boolean {
	const at = bytes.length - TRAILER_BYTES;
	return at >= 0 && new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0, true) === crc32(content);
}
