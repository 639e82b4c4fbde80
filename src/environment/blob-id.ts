const encoder = new TextEncoder();

/** git's id of a file's content: SHA-1 over `blob <length>\0` and the bytes, in hex. */
export async function blobId(bytes: Uint8Array): Promise<string> {
	const header = encoder.encode(`blob ${bytes.length}\0`);
	const whole = new Uint8Array(header.length + bytes.length);
	whole.set(header);
	whole.set(bytes, header.length);
	return toHex(new Uint8Array(await crypto.subtle.digest('SHA-1', whole)));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lowercase hexadecimal, two digits per byte. */
export function toHex(bytes: Uint8Array): string {
	let text = '';
	for (const byte of bytes) text += HEX[byte];
	return text;
}

/** Bytes of a string written by `toHex`. Any other input gives meaningless bytes. */
export function fromHex(hex: string): Uint8Array {
	const bytes = new Uint8Array(hex.length / 2);
	for (let at = 0; at < bytes.length; at++) bytes[at] = (digitAt(hex, at * 2) << 4) | digitAt(hex, at * 2 + 1);
	return bytes;
}

function digitAt(hex: string, at: number): number {
	const code = hex.charCodeAt(at);
	return code < 58 ? code - 48 : code - 87;
}
