import { concat, decode, encode } from '../bytes.ts';

/** Ends a section (https://git-scm.com/docs/gitprotocol-common, "pkt-line Format"). */
export const FLUSH = encode('0000');

const HEAD_BYTES = 4;
/** Longest content that a packet of a side band takes. */
const BAND_BYTES = 65_515;

/** A line of the protocol, its length in front. */
export function packet(content: string | Uint8Array): Uint8Array {
	const bytes = typeof content === 'string' ? encode(content) : content;
	return concat([encode((bytes.length + HEAD_BYTES).toString(16).padStart(4, '0')), bytes]);
}

/** Bytes in packets of a side band. */
export function inBand(band: number, bytes: Uint8Array): Uint8Array {
	const packets: Uint8Array[] = [];
	for (let at = 0; at < bytes.length; at += BAND_BYTES)
		packets.push(packet(concat([Uint8Array.of(band), bytes.subarray(at, at + BAND_BYTES)])));
	return concat(packets);
}

/**
 * Reads lines up to a flush or the end of the bytes; flushes within come as null.
 *
 * @param untilFlush stops at the first flush
 * @returns what is behind the last one read too
 * @throws RangeError on a length that is none
 */
export function readPackets(bytes: Uint8Array, untilFlush = false): { lines: (string | null)[]; rest: Uint8Array } {
	const lines: (string | null)[] = [];
	let at = 0;
	while (at + HEAD_BYTES <= bytes.length) {
		const digits = decode(bytes.subarray(at, at + HEAD_BYTES));
		const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
		if (length === 0) {
			at += HEAD_BYTES;
			lines.push(null);
			if (untilFlush) break;
			continue;
		}
		if (!(length >= HEAD_BYTES) || at + length > bytes.length) throw new RangeError('a line of the protocol is broken');
		lines.push(decode(bytes.subarray(at + HEAD_BYTES, at + length)).replace(/\n$/, ''));
		at += length;
	}
	return { lines, rest: bytes.subarray(at) };
}
