const MOST_BLOCK_BYTES = 1 << 16;
const HEADER_BYTES = 3;
/** `ISLAST` and `ISLASTEMPTY`. */
const END = 3;

/** Window size of 22 bits, encoded in four bits. */
const WINDOW = 0x0b;
const WINDOW_BITS = 4;

/**
 * Brotli's format (RFC 7932) with only uncompressed blocks: the receiver can decode each block as soon as it is
 * written.
 */
export class StoredBlocks {
	#isFirst = true;

	/** Encodes data as blocks. @param isLast whether the end of the format follows */
	write(data: Uint8Array, isLast: boolean): Uint8Array {
		const count = Math.ceil(data.length / MOST_BLOCK_BYTES);
		const result = new Uint8Array(data.length + count * HEADER_BYTES + (isLast ? 1 : 0));
		let at = 0;
		for (let start = 0; start < data.length; start += MOST_BLOCK_BYTES) {
			const block = data.subarray(start, start + MOST_BLOCK_BYTES);
			// Not the last; four nibbles of length; uncompressed. The window size precedes the first block.
			const own = ((block.length - 1) << 3) | (1 << 19);
			const header = this.#isFirst ? (own << WINDOW_BITS) | WINDOW : own;
			result.set([header & 0xff, (header >> 8) & 0xff, (header >> 16) & 0xff], at);
			result.set(block, at + HEADER_BYTES);
			at += HEADER_BYTES + block.length;
			this.#isFirst = false;
		}
		if (isLast) result[at] = this.#isFirst ? (END << WINDOW_BITS) | WINDOW : END;
		return result;
	}
}
