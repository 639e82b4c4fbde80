import { concat } from '#environment/concat.ts';

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ESCAPE = 0xdc00;

/**
 * Decodes bytes as a string. Bytes that are not valid UTF-8 become lone surrogates U+DC80…U+DCFF, so that binary data
 * survives variables and `$(…)`; `encode` converts them back.
 */
export function decode(bytes: Uint8Array): string {
	try {
		return strict.decode(bytes);
	} catch {
		let text = '';
		let start = 0;
		while (start < bytes.length) {
			const length = sequenceLength(bytes, start);
			text +=
				length > 0
					? strict.decode(bytes.subarray(start, start + length))
					: String.fromCharCode(ESCAPE + (bytes[start] ?? 0));
			start += Math.max(1, length);
		}
		return text;
	}
}

/** Length of the valid UTF-8 sequence at `at`, 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
	const first = bytes[at] ?? 0;
	const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
	if (length === 0 || at + length > bytes.length) return 0;
	try {
		strict.decode(bytes.subarray(at, at + length));
		return length;
	} catch {
		return 0;
	}
}

/** Encodes a string as UTF-8, with raw bytes for those from `decode` (or `printf '\xff'`). */
export function encode(text: string): Uint8Array {
	if (!/[\udc80-\udcff]/.test(text)) return encoder.encode(text);
	const pieces: Uint8Array[] = [];
	let start = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code >= 0xd800 && code < ESCAPE) {
			index++;
		} else if (code >= 0xdc80 && code <= 0xdcff) {
			pieces.push(encoder.encode(text.slice(start, index)), Uint8Array.of(code - ESCAPE));
			start = index + 1;
		}
	}
	pieces.push(encoder.encode(text.slice(start)));
	return concat(pieces);
}

export { concat };

/** Represents one raw byte for `encode`. */
export const rawByte = (byte: number) => String.fromCharCode(byte < 0x80 ? byte : ESCAPE + byte);

/** Converts bytes to a string with one character per byte. */
export function toLatin1(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
	return text;
}

export function fromLatin1(text: string): Uint8Array {
	const bytes = new Uint8Array(text.length);
	for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
	return bytes;
}
