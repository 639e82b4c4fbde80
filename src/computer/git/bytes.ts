export { fromHex, toHex } from '#environment/blob-id.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const encode = (text: string): Uint8Array => encoder.encode(text);
export const decode = (bytes: Uint8Array): string => decoder.decode(bytes);

export function concat(parts: readonly Uint8Array[]): Uint8Array {
	const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
	a.length === b.length && a.every((byte, at) => byte === b[at]);

const SURROGATE = /[\ud800-\udfff]/;

/** Compares paths in git's order: by their bytes, which for rare characters differs from the order of strings. */
export function comparePaths(a: string, b: string): number {
	if (SURROGATE.test(a) || SURROGATE.test(b)) {
		const left = encode(a);
		const right = encode(b);
		for (let i = 0; i < left.length && i < right.length; i++) if (left[i] !== right[i]) return left[i]! - right[i]!;
		return left.length - right.length;
	}
	return a < b ? -1 : a > b ? 1 : 0;
}
