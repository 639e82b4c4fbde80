/** The input ends before its contents do. */
export class EndsEarly extends RangeError {
	override readonly name = 'EndsEarly';
}

const MOST_BITS = 15;
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTH_BASE = [
	3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258
];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
	1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
	8193, 12289, 16385, 24577
];
const DISTANCE_EXTRA = [
	0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13
];

/** Symbols by the next bits of the stream: symbol × 16 + code length; 0 if no code starts with these bits. */
interface Codes {
	table: Uint16Array;
	bits: number;
}

const emptyCodes = (): Codes => ({ table: new Uint16Array(1 << MOST_BITS), bits: 0 });
const literals = emptyCodes();
const distances = emptyCodes();
const lengthCodes = emptyCodes();
const lengths = new Uint8Array(320);

/**
 * Inflates one zlib stream (RFC 1950, 1951) of known size from a sequence of many, as in a pack, which does not contain
 * compressed lengths. fflate does not report where a stream ended, and pako, which does, takes several times as long
 * for many small ones. The checksum is not verified, since git's id of the object covers its bytes.
 *
 * @param at start of the stream in `source`
 * @param out filled completely
 * @returns end of the stream
 * @throws EndsEarly if `source` ends too early, RangeError for invalid streams
 */
export function inflateInto(source: Uint8Array, at: number, out: Uint8Array): number {
	if (at + 2 > source.length) throw new EndsEarly('a compressed object ends early');
	const [method, flags] = [source[at]!, source[at + 1]!];
	if ((method & 15) !== 8 || (method * 256 + flags) % 31 !== 0 || flags & 32)
		throw new RangeError('an object is not compressed as it should be');
	const end = inflateRawInto(source, at + 2, out) + 4;
	if (end > source.length) throw new EndsEarly('a compressed object ends early');
	return end;
}

/** Like {@link inflateInto}, for a raw stream without the zlib header and trailer. */
export function inflateRawInto(source: Uint8Array, at: number, out: Uint8Array): number {
	const stream = new Inflater(source, at, out);
	try {
		while (!stream.block());
	} catch (error) {
		// Reads beyond the end give zeros, which can decode to anything.
		if (stream.position > source.length) throw new EndsEarly('a compressed object ends early');
		throw error;
	}
	if (stream.position > source.length) throw new EndsEarly('a compressed object ends early');
	if (stream.filled !== out.length) throw new RangeError('an object in a pack is not of the size it says');
	return stream.position;
}

class Inflater {
	filled = 0;
	#hold = 0;
	#held = 0;

	constructor(
		private readonly source: Uint8Array,
		private at: number,
		private readonly out: Uint8Array
	) {}

	/** Index of the first unread byte. */
	get position(): number {
		return this.at - (this.#held >> 3);
	}

	/** Inflates a block. Returns true for the last one. */
	block(): boolean {
		const isLast = this.#bits(1) === 1;
		const kind = this.#bits(2);
		if (kind === 0) this.#stored();
		else if (kind === 3) throw new RangeError('an object has a block of unknown kind');
		else {
			if (kind === 1) fixedCodes();
			else this.#readCodes();
			this.#compressed();
		}
		return isLast;
	}

	#bits(count: number): number {
		while (this.#held < count) {
			this.#hold |= (this.source[this.at++] ?? 0) << this.#held;
			this.#held += 8;
		}
		const value = this.#hold & ((1 << count) - 1);
		this.#hold >>>= count;
		this.#held -= count;
		return value;
	}

	#symbol({ table, bits }: Codes): number {
		while (this.#held < bits) {
			this.#hold |= (this.source[this.at++] ?? 0) << this.#held;
			this.#held += 8;
		}
		const entry = table[this.#hold & ((1 << bits) - 1)]!;
		if (entry === 0) throw new RangeError('an object has a code that stands for nothing');
		this.#hold >>>= entry & 15;
		this.#held -= entry & 15;
		return entry >>> 4;
	}

	#stored(): void {
		const { source, out } = this;
		const from = this.position;
		const length = (source[from] ?? 0) | ((source[from + 1] ?? 0) << 8);
		const inverse = (source[from + 2] ?? 0) | ((source[from + 3] ?? 0) << 8);
		this.#hold = this.#held = 0;
		this.at = from + 4 + length;
		if (this.at > source.length) throw new EndsEarly('a compressed object ends early');
		if ((length ^ 0xffff) !== inverse) throw new RangeError('an object has a broken block');
		if (this.filled + length > out.length) throw new RangeError('an object in a pack is larger than it says');
		out.set(source.subarray(from + 4, this.at), this.filled);
		this.filled += length;
	}

	/** Reads the codes of a block with dynamic codes. */
	#readCodes(): void {
		const literalCount = this.#bits(5) + 257;
		const distanceCount = this.#bits(5) + 1;
		const orderCount = this.#bits(4) + 4;
		lengths.fill(0, 0, LENGTH_ORDER.length);
		for (let i = 0; i < orderCount; i++) lengths[LENGTH_ORDER[i]!] = this.#bits(3);
		makeCodes(lengthCodes, lengths.subarray(0, LENGTH_ORDER.length));
		const total = literalCount + distanceCount;
		for (let i = 0; i < total;) {
			const symbol = this.#symbol(lengthCodes);
			if (symbol < 16) {
				lengths[i++] = symbol;
				continue;
			}
			if (symbol === 16 && i === 0) throw new RangeError('an object repeats a length before the first');
			const value = symbol === 16 ? lengths[i - 1]! : 0;
			const times = symbol === 16 ? 3 + this.#bits(2) : symbol === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7);
			if (i + times > total) throw new RangeError('an object has too many lengths');
			lengths.fill(value, i, (i += times));
		}
		makeCodes(literals, lengths.subarray(0, literalCount));
		makeCodes(distances, lengths.subarray(literalCount, total));
	}

	/**
	 * Inflates a compressed block.
	 *
	 * @inOnePiece all state is in local variables: this is where the time goes
	 */
	#compressed(): void {
		const { source, out } = this;
		const [literalTable, distanceTable] = [literals.table, distances.table];
		const [literalMask, distanceMask] = [(1 << literals.bits) - 1, (1 << distances.bits) - 1];
		let { at, filled } = this;
		let hold = this.#hold;
		let held = this.#held;
		let problem = '';
		for (;;) {
			while (held < MOST_BITS) {
				hold |= source[at++]! << held;
				held += 8;
			}
			let entry = literalTable[hold & literalMask]!;
			hold >>>= entry & 15;
			held -= entry & 15;
			const symbol = entry >>> 4;
			if (symbol < 256 && entry !== 0) {
				if (filled === out.length) problem = 'an object in a pack is larger than it says';
				else {
					out[filled++] = symbol;
					continue;
				}
			} else if (symbol === 256) break;
			else if (entry === 0 || symbol > 285) problem = 'an object has a code that stands for nothing';
			if (problem !== '') break;
			let extra = LENGTH_EXTRA[symbol - 257]!;
			while (held < extra) {
				hold |= source[at++]! << held;
				held += 8;
			}
			const length = LENGTH_BASE[symbol - 257]! + (hold & ((1 << extra) - 1));
			hold >>>= extra;
			held -= extra;
			while (held < MOST_BITS) {
				hold |= source[at++]! << held;
				held += 8;
			}
			entry = distanceTable[hold & distanceMask]!;
			hold >>>= entry & 15;
			held -= entry & 15;
			extra = DISTANCE_EXTRA[entry >>> 4] ?? -1;
			if (entry === 0 || extra < 0) {
				problem = 'an object has a code that stands for nothing';
				break;
			}
			while (held < extra) {
				hold |= source[at++]! << held;
				held += 8;
			}
			const distance = DISTANCE_BASE[entry >>> 4]! + (hold & ((1 << extra) - 1));
			hold >>>= extra;
			held -= extra;
			const end = filled + length;
			if (distance > filled || end > out.length) {
				problem =
					distance > filled ? 'an object copies from before its start' : 'an object in a pack is larger than it says';
				break;
			}
			if (distance >= length && length > 16) out.copyWithin(filled, filled - distance, filled - distance + length);
			else for (let from = filled - distance, to = filled; to < end;) out[to++] = out[from++]!;
			filled = end;
		}
		this.at = at;
		this.filled = filled;
		this.#hold = hold;
		this.#held = held;
		if (problem !== '') throw new RangeError(problem);
	}
}

let isFixed = false;
const fixedLiterals = emptyCodes();
const fixedDistances = emptyCodes();

/** Sets up the fixed codes (RFC 1951, 3.2.6). */
function fixedCodes(): void {
	if (!isFixed) {
		const known = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
		makeCodes(fixedLiterals, known);
		makeCodes(fixedDistances, new Uint8Array(30).fill(5));
		isFixed = true;
	}
	copyCodes(fixedLiterals, literals);
	copyCodes(fixedDistances, distances);
}

function copyCodes(from: Codes, to: Codes): void {
	to.bits = from.bits;
	to.table.set(from.table.subarray(0, 1 << from.bits));
}

/**
 * Fills `codes` from the code length of each symbol (RFC 1951, 3.2.2).
 * @throws RangeError if there are more codes than fit
 */
function makeCodes(codes: Codes, lengthOf: Uint8Array): void {
	const counts = new Uint16Array(MOST_BITS + 1);
	for (const length of lengthOf) counts[length]!++;
	counts[0] = 0;
	let bits = MOST_BITS;
	while (bits > 1 && counts[bits] === 0) bits--;
	const next = new Uint32Array(MOST_BITS + 2);
	for (let length = 1; length <= MOST_BITS; length++) {
		next[length + 1] = (next[length]! + counts[length]!) << 1;
		if (next[length]! + counts[length]! > 1 << length) throw new RangeError('an object has codes that do not fit');
	}
	codes.bits = bits;
	const size = 1 << bits;
	codes.table.fill(0, 0, size);
	for (let symbol = 0; symbol < lengthOf.length; symbol++) {
		const length = lengthOf[symbol]!;
		if (length === 0) continue;
		// Codes are stored with their first bit first.
		let code = next[length]!++;
		let reversed = 0;
		for (let bit = 0; bit < length; bit++, code >>>= 1) reversed = (reversed << 1) | (code & 1);
		for (let place = reversed; place < size; place += 1 << length) codes.table[place] = (symbol << 4) | length;
	}
}
