import { concat, decode, encode } from '../bytes.ts';

/** Ends a section (https://git-scm.com/docs/gitprotocol-common, "pkt-line Format"). */
export const FLUSH = encode('0000');

/** Separates the parts of a request in version 2 of the protocol. */
export const DELIMITER = encode('0001');

/** Bytes of a pkt-line's length. */
export const HEAD_BYTES = 4;
/** Maximum content of a side-band packet. */
const BAND_BYTES = 65_515;

/** Length that the first four digits of a pkt-line say, these included; NaN if they are none. */
export const packetLength = (digits: string): number =>
	/^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;

/** Encodes a pkt-line, prefixed with its length. */
export function packet(content: string | Uint8Array): Uint8Array {
	const bytes = typeof content === 'string' ? encode(content) : content;
	return concat([encode((bytes.length + HEAD_BYTES).toString(16).padStart(4, '0')), bytes]);
}

/** Splits bytes into side-band packets. */
export function inBand(band: number, bytes: Uint8Array): Uint8Array {
	const packets: Uint8Array[] = [];
	for (let at = 0; at < bytes.length; at += BAND_BYTES)
		packets.push(packet(concat([Uint8Array.of(band), bytes.subarray(at, at + BAND_BYTES)])));
	return concat(packets);
}

/**
 * Parses lines up to the end of the bytes; flush packets are returned as null.
 *
 * @param untilFlush stops at the first flush
 * @returns the lines and the bytes after the last one
 * @throws RangeError if a length is invalid
 */
export function readPackets(bytes: Uint8Array, untilFlush = false): { lines: (string | null)[]; rest: Uint8Array } {
	const lines: (string | null)[] = [];
	let at = 0;
	while (at + HEAD_BYTES <= bytes.length) {
		const digits = decode(bytes.subarray(at, at + HEAD_BYTES));
		const length = packetLength(digits);
		// Delimiters of version 2 separate lines like a flush.
		if (length === 0 || length === 1) {
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

/** Error that a server reports in its response; null if there is none. */
export function faultIn(lines: readonly (string | null)[]): string | null {
	for (const line of lines) {
		if (line?.startsWith('ERR ')) return line.slice(4).trim();
		if (line?.startsWith('\x03')) return line.slice(1).trim();
	}
	return null;
}
