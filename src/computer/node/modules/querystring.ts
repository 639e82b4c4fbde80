import { Buffer } from 'buffer';
import { nodeError } from '../runtime/errors.ts';

type Value = string | number | boolean | bigint | null | undefined;

/** `node:querystring`. */
export function parse(
	text: string,
	separator?: string | null,
	equals?: string | null,
	options?: { maxKeys?: number; decodeURIComponent?: (text: string) => string }
) {
	const result: Record<string, string | string[]> = Object.create(null);
	const decode = options?.decodeURIComponent ?? unescape;
	const limit = typeof options?.maxKeys === 'number' ? options.maxKeys : 1000;
	const pairs = String(text ?? '').split(separator || '&');
	equals ||= '=';
	for (const pair of limit > 0 ? pairs.slice(0, limit) : pairs) {
		if (!pair) continue;
		const at = pair.indexOf(equals);
		const key = decode((at < 0 ? pair : pair.slice(0, at)).replaceAll('+', ' '));
		const value = at < 0 ? '' : decode(pair.slice(at + equals.length).replaceAll('+', ' '));
		const before = result[key];
		result[key] = before === undefined ? value : [before, value].flat();
	}
	return result;
}

export function stringify(
	values: Record<string, Value | Value[]>,
	separator?: string | null,
	equals?: string | null,
	options?: { encodeURIComponent?: (text: string) => string }
) {
	const sign = equals || '=';
	const encode = options?.encodeURIComponent ?? escape;
	const shown = (value: Value) => {
		if (typeof value === 'number') return Number.isFinite(value) ? encode(String(value)) : '';
		return typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean'
			? encode(String(value))
			: '';
	};
	return Object.entries(values ?? {})
		.flatMap(([key, value]) => [value].flat().map((one) => `${encode(key)}${sign}${shown(one)}`))
		.join(separator || '&');
}

/** @throws ERR_INVALID_URI for an unpaired surrogate at the end */
export function escape(text: unknown): string {
	const plain = typeof text === 'string' ? text : typeof text === 'object' ? String(text) : `${text as string}`;
	try {
		return encodeURIComponent(plain);
	} catch {
		return encodeURIComponent(joinSurrogates(plain));
	}
}

/** Treats whatever follows a high surrogate as its low surrogate, as Node does. */
function joinSurrogates(text: string): string {
	return text.replace(/[\ud800-\udfff]([^]?)/g, (half, next: string) => {
		if (next === '') throw nodeError(URIError, 'ERR_INVALID_URI', 'URI malformed');
		const [high, low] = [half.charCodeAt(0), next.charCodeAt(0)];
		return String.fromCodePoint(0x10000 + (((high & 0x3ff) << 10) | (low & 0x3ff)));
	});
}

export function unescape(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		// Malformed escapes are unchanged.
		return text;
	}
}

/**
 * @public Decodes escaped text to bytes; malformed escapes are unchanged.
 * @param decodeSpaces whether a plus is decoded as a space, as in forms
 */
export function unescapeBuffer(text: string | Uint8Array, decodeSpaces = false): Buffer {
	const bytes = Buffer.from(text as string);
	const plain = Buffer.alloc(bytes.length);
	let length = 0;
	for (let at = 0; at < bytes.length; at++) {
		const digits = bytes[at] === 0x25 ? bytes.toString('latin1', at + 1, at + 3) : '';
		const isEscaped = /^[\da-f]{2}$/i.test(digits);
		const byte = decodeSpaces && bytes[at] === 0x2b ? 0x20 : (bytes[at] ?? 0);
		plain[length++] = isEscaped ? Number.parseInt(digits, 16) : byte;
		if (isEscaped) at += 2;
	}
	return plain.subarray(0, length);
}

export { parse as decode, stringify as encode };
