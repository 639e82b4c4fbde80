import { GzipError } from './unpacked-content.ts';

const HEADER_BYTES = 2;
const LEAST_MATCH = 3;
/** Sizes of the three alphabets, and the number of bits of their counts. */
const [LITERALS, LITERAL_BITS] = [510, 9];
const [LENGTHS, LENGTH_BITS] = [19, 5];
const [DISTANCES, DISTANCE_BITS] = [14, 4];
/** Position in the table of code lengths after which zeros are run-length encoded. */
const GAP = 3;
const MOST_BITS = 16;

export const isLzh = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0xa0;

/**
 * Unpacks the output of SCO's `compress -H`: blocks of Huffman codes for bytes and back-references, like LHA's `-lh5-`.
 *
 * @param limit largest content in bytes
 * @throws GzipError
 */
export function unpackLzh(bytes: Uint8Array, limit: number): Uint8Array {
	const input = new Bits(bytes, HEADER_BYTES);
	let out = new Uint8Array(65_536);
	let filled = 0;
	const take = (count: number): void => {
		if (filled + count > limit) throw new GzipError('File too large');
		if (filled + count <= out.length) return;
		const larger = new Uint8Array(Math.max(out.length * 2, filled + count));
		larger.set(out);
		out = larger;
	};
	for (let size = input.take(16); size > 0; size = input.isAtEnd ? 0 : input.take(16)) {
		const lengths = readLengths(input, LENGTHS, LENGTH_BITS, GAP);
		const literals = readLiterals(input, lengths);
		const distances = readLengths(input, DISTANCES, DISTANCE_BITS, null);
		for (let left = size; left > 0; left--) {
			if (input.isAtEnd) throw new GzipError('unexpected end of file', out.subarray(0, filled));
			const symbol = literals.read(input);
			if (symbol < 256) {
				take(1);
				out[filled++] = symbol;
				continue;
			}
			const bits = distances.read(input);
			const distance = (bits < 2 ? bits : 2 ** (bits - 1) + input.take(bits - 1)) + 1;
			const count = symbol - 256 + LEAST_MATCH;
			take(count);
			// References to before the first byte yield spaces.
			for (let end = filled + count; filled < end; filled++)
				out[filled] = distance > filled ? 0x20 : (out[filled - distance] ?? 0);
		}
	}
	return out.slice(0, filled);
}

/** Reads bits, highest first; zeros after the end. */
class Bits {
	#at: number;

	constructor(
		private readonly bytes: Uint8Array,
		start: number
	) {
		this.#at = start * 8;
	}

	get isAtEnd(): boolean {
		return this.#at >= this.bytes.length * 8;
	}

	take(count: number): number {
		let value = 0;
		for (let left = count; left > 0; left--, this.#at++)
			value = value * 2 + (((this.bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
		return value;
	}
}

/** A canonical Huffman code, or a single symbol that takes no bits. */
class Code {
	readonly #symbols: number[] = [];
	readonly #counts = new Array<number>(MOST_BITS + 1).fill(0);

	/** @param lengths number of bits of each symbol, 0 for unused; a number means a single symbol. @throws GzipError */
	constructor(private readonly lengths: readonly number[] | number) {
		if (typeof lengths === 'number') return;
		let room = 0;
		for (let bits = 1; bits <= MOST_BITS; bits++)
			for (const [symbol, length] of lengths.entries())
				if (length === bits) {
					this.#symbols.push(symbol);
					this.#counts[bits] = (this.#counts[bits] ?? 0) + 1;
					room += 2 ** (MOST_BITS - bits);
				}
		if (room !== 2 ** MOST_BITS) throw new GzipError('Bad table\n');
	}

	read(input: Bits): number {
		if (typeof this.lengths === 'number') return this.lengths;
		let [code, first, index] = [0, 0, 0];
		for (let bits = 1; bits <= MOST_BITS; bits++) {
			code = code * 2 + input.take(1);
			const count = this.#counts[bits] ?? 0;
			if (code - first < count) return this.#symbols[index + code - first] ?? 0;
			index += count;
			first = (first + count) * 2;
		}
		throw new GzipError('Bad table\n');
	}
}

/** Reads the code of the lengths or the distances: three bits per symbol, more for long codes. @param gap see `GAP` */
function readLengths(input: Bits, most: number, countBits: number, gap: number | null): Code {
	const count = input.take(countBits);
	if (count === 0) return new Code(input.take(countBits));
	if (count > most) throw new GzipError('Bad table\n');
	const lengths: number[] = [];
	while (lengths.length < count) {
		let length = input.take(3);
		if (length === 7) while (input.take(1) === 1 && length < MOST_BITS) length++;
		lengths.push(length);
		if (lengths.length === gap) for (let zeros = input.take(2); zeros > 0; zeros--) lengths.push(0);
	}
	return new Code(lengths);
}

/** Reads the code of bytes and match lengths; its code lengths are encoded with the given code. */
function readLiterals(input: Bits, code: Code): Code {
	const count = input.take(LITERAL_BITS);
	if (count === 0) return new Code(input.take(LITERAL_BITS));
	if (count > LITERALS) throw new GzipError('Bad table\n');
	const lengths: number[] = [];
	while (lengths.length < count) {
		const symbol = code.read(input);
		const zeros =
			symbol === 0 ? 1 : symbol === 1 ? input.take(4) + 3 : symbol === 2 ? input.take(LITERAL_BITS) + 20 : 0;
		for (let left = zeros; left > 0; left--) lengths.push(0);
		if (zeros === 0) lengths.push(symbol - 2);
	}
	return new Code(lengths);
}
