import type { IncomingHttpHeaders } from 'node:http';

/** A shorter key is a word (`ollama`, `none`) that an answer may well hold, and no secret. */
const SECRET_FROM_CHARACTERS = 12;

/** Bytes on their way from a provider to the caller, with its key made illegible in them. */
export interface KeyMask {
	/** What may go on; bytes at the end that may begin the key are kept until it is known. */
	take(chunk: Buffer): Buffer;
	/** What was kept, when nothing follows. */
	rest(): Buffer;
}

const NOTHING = Buffer.alloc(0);
const hides = (key: string | undefined): key is string => key !== undefined && key.length >= SECRET_FROM_CHARACTERS;

/**
 * Puts an asterisk for each character of the key, so that lengths stay, also where it comes in pieces. Looks at bytes
 * alone: the cost is a search a chunk.
 * @returns `undefined` where there is nothing to hide
 */
export function createKeyMask(secret: string | undefined): KeyMask | undefined {
	if (!hides(secret)) return undefined;
	const key = Buffer.from(secret);
	let kept = NOTHING;
	return {
		take(chunk) {
			const bytes = kept.byteLength > 0 ? Buffer.concat([kept, chunk]) : chunk;
			for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at)) bytes.fill('*', at, at + key.byteLength);
			const begun = bytes.byteLength - beginningOf(key, bytes);
			kept = begun < bytes.byteLength ? Buffer.from(bytes.subarray(begun)) : NOTHING;
			return bytes.subarray(0, begun);
		},
		rest: () => kept
	};
}

/** The same for an answer's headers, in place. */
export function maskHeaders(headers: IncomingHttpHeaders, secret: string | undefined): void {
	if (!hides(secret)) return;
	const masked = (text: string): string => text.replaceAll(secret, '*'.repeat(secret.length));
	for (const [name, value] of Object.entries(headers))
		if (String(value).includes(secret))
			headers[name] = Array.isArray(value) ? value.map(masked) : masked(String(value));
}

/** How many bytes at the end of `bytes` are the beginning of `key`. */
function beginningOf(key: Buffer, bytes: Buffer): number {
	const [first = 0] = key;
	let at = bytes.indexOf(first, Math.max(0, bytes.byteLength - key.byteLength + 1));
	while (at >= 0 && key.compare(bytes, at, bytes.byteLength, 0, bytes.byteLength - at) !== 0)
		at = bytes.indexOf(first, at + 1);
	return at < 0 ? 0 : bytes.byteLength - at;
}
