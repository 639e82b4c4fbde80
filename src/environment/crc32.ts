const TABLE = new Uint32Array(8 * 256);
for (let i = 0; i < 256; i++) {
	let value = i;
	for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
	TABLE[i] = value;
}
for (let i = 256; i < TABLE.length; i++) TABLE[i] = (TABLE[i - 256]! >>> 8) ^ TABLE[TABLE[i - 256]! & 255]!;

/** CRC-32 of the bytes, continuing from `before`; processes eight bytes per step. */
export function crc32(bytes: Uint8Array, before = 0): number {
	const t = TABLE;
	let crc = ~before;
	let at = 0;
	for (const end = bytes.length - 7; at < end; at += 8) {
		crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
		crc =
			t[1792 + (crc & 255)]! ^
			t[1536 + ((crc >>> 8) & 255)]! ^
			t[1280 + ((crc >>> 16) & 255)]! ^
			t[1024 + (crc >>> 24)]! ^
			t[768 + bytes[at + 4]!]! ^
			t[512 + bytes[at + 5]!]! ^
			t[256 + bytes[at + 6]!]! ^
			t[bytes[at + 7]!]!;
	}
	for (; at < bytes.length; at++) crc = t[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
	return ~crc >>> 0;
}
