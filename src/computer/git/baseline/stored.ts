import { adler32 } from './checksums.ts';

const BLOCK = 65535;

/** Size of a content in stored form, in bytes. */
export const storedSize = (size: number): number => 2 + 5 * Math.max(1, Math.ceil(size / BLOCK)) + size + 4;

/**
 * Writes a zlib stream that stores `content` as it is. Compressing 50 MB takes over a second here,
 * and the pack only lives in the tab.
 */
export function writeStored(content: Uint8Array, into: Uint8Array, at: number): number {
	into[at++] = 0x78;
	into[at++] = 0x01;
	let from = 0;
	do {
		const size = Math.min(BLOCK, content.length - from);
		into[at++] = from + size === content.length ? 1 : 0;
		into[at++] = size & 255;
		into[at++] = size >> 8;
		into[at++] = ~size & 255;
		into[at++] = (~size >> 8) & 255;
		into.set(content.subarray(from, from + size), at);
		at += size;
		from += size;
	} while (from < content.length);
	const sum = adler32(content);
	for (const shift of [24, 16, 8, 0]) into[at++] = (sum >>> shift) & 255;
	return at;
}
