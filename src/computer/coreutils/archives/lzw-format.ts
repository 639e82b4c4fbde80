import { GzipError } from './unpacked-content.ts';

const HEADER_BYTES = 3;
const [LEAST_BITS, MOST_BITS] = [9, 16];
const CLEAR = 256;
const HAS_CLEAR = 0x80;
const BITS = 0x1f;

export const isLzw = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x9d;

/**
 * Unpacks the output of `compress` (`.Z`): codes of 9 to 16 bits, lowest bit first, which refer to earlier text.
 *
 * @param limit largest content in bytes
 * @throws GzipError
 */
export function unpackLzw(bytes: Uint8Array, limit: number): Uint8Array {
	const settings = bytes[2] ?? 0;
	const most = settings & BITS;
	if (most > MOST_BITS) throw new GzipError(`compressed with ${most} bits, can only handle ${MOST_BITS} bits`);
	return new Lzw(bytes, Math.max(most, LEAST_BITS), (settings & HAS_CLEAR) !== 0, limit).unpack();
}

class Lzw {
	#out = new Uint8Array(65_536);
	#filled = 0;
	/** Parts of each code: the code of all but its last byte, that byte, and the length of its text. */
	readonly #prefix = new Uint16Array(1 << MOST_BITS);
	readonly #last = new Uint8Array(1 << MOST_BITS);
	readonly #length = new Uint16Array(1 << MOST_BITS);
	#next: number;
	#bits = LEAST_BITS;
	/** Start of the codes of the current size, in bits. */
	#start = HEADER_BYTES * 8;
	#at = HEADER_BYTES * 8;

	constructor(
		private readonly bytes: Uint8Array,
		private readonly most: number,
		private readonly hasClear: boolean,
		private readonly limit: number
	) {
		for (let code = 0; code < CLEAR; code++) {
			this.#last[code] = code;
			this.#length[code] = 1;
		}
		this.#next = hasClear ? CLEAR + 1 : CLEAR;
	}

	unpack(): Uint8Array {
		let before = -1;
		for (let code = this.#code(); code >= 0; code = this.#code()) {
			if (code === CLEAR && this.hasClear) {
				this.#next = CLEAR + 1;
				this.#resize(LEAST_BITS);
				before = -1;
				continue;
			}
			const isKnown = before < 0 ? code < CLEAR : code <= this.#next;
			if (!isKnown) throw new GzipError('corrupt input.', this.#out.subarray(0, this.#filled));
			const hasRoom = before >= 0 && this.#next < 1 << this.most;
			const isOwn = before >= 0 && code === this.#next;
			if (isOwn && !hasRoom) throw new GzipError('corrupt input.', this.#out.subarray(0, this.#filled));
			// The code being defined means the previous text followed by the first byte of that text.
			const first = this.#first(isOwn ? before : code);
			if (hasRoom) this.#add(before, first);
			this.#write(code);
			before = code;
		}
		return this.#out.slice(0, this.#filled);
	}

	#code(): number {
		if (this.#next > (1 << this.#bits) - 1 + (this.#bits === this.most ? 1 : 0) && this.#bits < this.most)
			this.#resize(this.#bits + 1);
		const end = this.#at + this.#bits;
		if (end > this.bytes.length * 8) return -1;
		const byte = this.#at >> 3;
		const word = (this.bytes[byte] ?? 0) | ((this.bytes[byte + 1] ?? 0) << 8) | ((this.bytes[byte + 2] ?? 0) << 16);
		const code = (word >> (this.#at & 7)) & ((1 << this.#bits) - 1);
		this.#at = end;
		return code;
	}

	/** Codes come in groups of eight; a new code size starts a new group. */
	#resize(bits: number): void {
		const group = this.#bits * 8;
		this.#start = this.#at = this.#start + Math.ceil((this.#at - this.#start) / group) * group;
		this.#bits = bits;
	}

	#add(before: number, last: number): void {
		this.#prefix[this.#next] = before;
		this.#last[this.#next] = last;
		this.#length[this.#next] = (this.#length[before] ?? 0) + 1;
		this.#next++;
	}

	#first(code: number): number {
		let at = code;
		while (at >= CLEAR) at = this.#prefix[at] ?? 0;
		return at;
	}

	#write(code: number): void {
		const length = this.#length[code] ?? 0;
		const end = this.#filled + length;
		if (end > this.limit) throw new GzipError('File too large');
		if (end > this.#out.length) {
			const larger = new Uint8Array(Math.max(end, this.#out.length * 2));
			larger.set(this.#out);
			this.#out = larger;
		}
		let part = code;
		for (let at = end - 1; at >= this.#filled; at--) {
			this.#out[at] = this.#last[part] ?? 0;
			part = this.#prefix[part] ?? 0;
		}
		this.#filled = end;
	}
}
