export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** Detects an image type by its first bytes; the file name is ignored. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
	const starts = (at: number, ...expected: number[]): boolean =>
		expected.every((byte, index) => bytes[at + index] === byte);
	if (starts(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
	if (starts(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
	if (starts(0, 0x47, 0x49, 0x46, 0x38)) return 'image/gif';
	if (starts(0, 0x52, 0x49, 0x46, 0x46) && starts(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
	return undefined;
}

/** Returns true if the bytes are not text: there is a NUL among the first 8,000, or they are not valid UTF-8. */
export function isBinary(bytes: Uint8Array): boolean {
	if (bytes.subarray(0, 8_000).includes(0)) return true;
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return false;
	} catch {
		return true;
	}
}

/** Decodes UTF-8 and keeps its byte order mark, so that writing it back changes nothing. */
export function decodeText(bytes: Uint8Array): string {
	return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export function toBase64(bytes: Uint8Array): string {
	let binary = '';
	for (let start = 0; start < bytes.length; start += 0x8000)
		binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
	return btoa(binary);
}
