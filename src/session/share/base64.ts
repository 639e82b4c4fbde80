/** Encodes base64 with the URL-safe alphabet and without padding. */
export function toBase64Url(bytes: Uint8Array): string {
	return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Throws a `RangeError` when the text is not base64. */
export function fromBase64Url(text: string): Uint8Array {
	return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

export function toBase64(bytes: Uint8Array): string {
	let text = '';
	// In pieces: the length of an argument list is limited.
	for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	return btoa(text);
}

/** Throws a `RangeError` when the text is not base64. */
export function fromBase64(text: string): Uint8Array {
	try {
		return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
	} catch {
		throw new RangeError('not base64');
	}
}
