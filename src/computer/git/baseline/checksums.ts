/** Adler-32, as at the end of a zlib stream. */
export function adler32(bytes: Uint8Array): number {
	let a = 1;
	let b = 0;
	for (let at = 0; at < bytes.length;) {
		// Chunk size that keeps the sums below 32 bits.
		for (const end = Math.min(at + 3800, bytes.length); at < end; at++) {
			a += bytes[at]!;
			b += a;
		}
		a %= 65521;
		b %= 65521;
	}
	return ((b << 16) | a) >>> 0;
}
