/** Length in bits of the code of each byte, and of the end of a string (RFC 7541, appendix B). */
const LENGTHS = Uint8Array.from([
	13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
	28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
	13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
	5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
	22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
	23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
	20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
	27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
	27, 27, 27, 26, 30
]);
const END = 256;
const LONGEST = 30;

/** The code is canonical: codes of a length are consecutive, in the order of their symbols. */
const codes = new Uint32Array(LENGTHS.length);
/** Symbols, ordered by the length of their codes. */
const symbols = new Uint16Array(LENGTHS.length);
const firstCodes = new Uint32Array(LONGEST + 1);
const firstPlaces = new Uint16Array(LONGEST + 2);

function prepare(): void {
	let code = 0;
	let place = 0;
	for (let length = 1; length <= LONGEST; length++) {
		code *= 2;
		firstCodes[length] = code;
		firstPlaces[length] = place;
		for (let symbol = 0; symbol < LENGTHS.length; symbol++) {
			if (LENGTHS[symbol] !== length) continue;
			codes[symbol] = code++;
			symbols[place++] = symbol;
		}
	}
	firstPlaces[LONGEST + 1] = place;
}
prepare();

const lengthOf = (symbol: number): number => LENGTHS[symbol] ?? 0;

/** Number of bytes that a text has in Huffman code. @param text characters up to 255 */
export function huffmanLength(text: string): number {
	let bits = 0;
	for (let at = 0; at < text.length; at++) bits += lengthOf(text.charCodeAt(at) & 255);
	return Math.ceil(bits / 8);
}

/** Encodes a text. The last byte is filled with ones. @param text characters up to 255 */
export function huffmanEncode(text: string): Uint8Array {
	const bytes = new Uint8Array(huffmanLength(text));
	let place = 0;
	let pending = 0;
	let count = 0;
	for (let at = 0; at < text.length; at++) {
		const symbol = text.charCodeAt(at) & 255;
		let code = codes[symbol] ?? 0;
		let left = lengthOf(symbol);
		while (left > 0) {
			const taken = Math.min(left, 8 - count);
			const bits = (code >>> (left - taken)) & ((1 << taken) - 1);
			pending = (pending << taken) | bits;
			count += taken;
			left -= taken;
			code &= left === 0 ? 0 : 2 ** left - 1;
			if (count < 8) continue;
			bytes[place++] = pending;
			pending = count = 0;
		}
	}
	if (count > 0) bytes[place] = (pending << (8 - count)) | (255 >>> count);
	return bytes;
}

/**
 * Decodes Huffman code into bytes.
 * @returns null for code that contains the end of a string or is not filled up with fewer than eight ones
 */
export function huffmanDecode(bytes: Uint8Array): Uint8Array | null {
	// The shortest code has five bits.
	const decoded = new Uint8Array(Math.ceil((bytes.length * 8) / 5));
	let size = 0;
	let code = 0;
	let length = 0;
	for (const byte of bytes) {
		for (let bit = 7; bit >= 0; bit--) {
			code = code * 2 + ((byte >>> bit) & 1);
			if (++length > LONGEST) return null;
			const place = (firstPlaces[length] ?? 0) + code - (firstCodes[length] ?? 0);
			if (place >= (firstPlaces[length + 1] ?? 0)) continue;
			const symbol = symbols[place] ?? END;
			if (symbol === END) return null;
			decoded[size++] = symbol;
			code = length = 0;
		}
	}
	return length < 8 && code === 2 ** length - 1 ? decoded.subarray(0, size) : null;
}
