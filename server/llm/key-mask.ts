import type { IncomingHttpHeaders } from 'node:http';

/** A shorter key is a placeholder (`ollama`, `none`) that a response may well contain, not a secret. */
const SECRET_FROM_CHARACTERS = 12;

/** Masks a provider's key in the bytes of its response. */
export interface KeyMask {
	/** Returns the bytes that can be sent; trailing bytes that may be the start of the key are held back. */
	take(chunk: Buffer): Buffer;
	/** Returns the bytes held back, at the end of the stream. */
	rest(): Buffer;
}

const NOTHING = Buffer.alloc(0);
const hides = (key: string | undefined): key is string => key !== undefined && key.length >= SECRET_FROM_CHARACTERS;

/**
 * Replaces each character of the key with an asterisk, so that lengths are unchanged, even if the key is split across
 * chunks. Works on bytes: the cost is one search per chunk.
 * @returns `undefined` if there is nothing to hide
 */
export function createKeyMask(secret: string | undefined): KeyMask | undefined {
	if (!hides(secret)) return undefined;
	const key = Buffer.from(secret);
	let pending = NOTHING;
	return {
		take(chunk) {
			const bytes = pending.byteLength > 0 ? Buffer.concat([pending, chunk]) : chunk;
			for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at)) bytes.fill('*', at, at + key.byteLength);
			const prefixStart = bytes.byteLength - prefixLength(key, bytes);
			pending = prefixStart < bytes.byteLength ? Buffer.from(bytes.subarray(prefixStart)) : NOTHING;
			return bytes.subarray(0, prefixStart);
		},
		rest: () => pending
	};
}

/** Masks the key in response headers, in place. */
export function maskHeaders(headers: IncomingHttpHeaders, secret: string | undefined): void {
	if (!hides(secret)) return;
	const masked = (text: string): string => text.replaceAll(secret, '*'.repeat(secret.length));
	for (const [name, value] of Object.entries(headers))
		if (String(value).includes(secret))
			headers[name] = Array.isArray(value) ? value.map(masked) : masked(String(value));
}

/** Number of bytes at the end of `bytes` that are a prefix of `key`. */
function prefixLength(key: Buffer, bytes: Buffer): number {
	const [first = 0] = key;
	let at = bytes.indexOf(first, Math.max(0, bytes.byteLength - key.byteLength + 1));
	while (at >= 0 && key.compare(bytes, at, bytes.byteLength, 0, bytes.byteLength - at) !== 0)
		at = bytes.indexOf(first, at + 1);
	return at < 0 ? 0 : bytes.byteLength - at;
}
