import { concat, decode, encode } from './bytes.ts';

const LATIN_1 = /^(?:iso-?8859-1|latin-?1)$/i;

/** Returns whether a name means UTF-8, the default encoding. */
export const isUtf8Name = (name: string): boolean => /^utf-?8$/i.test(name);

/** Label by which the browser knows an encoding. */
const labelOf = (encoding: string): string => (/^euc-?jp$/i.test(encoding) ? 'euc-jp' : encoding);

/** Returns whether the browser can decode an encoding. */
export function isDecodable(encoding: string): boolean {
	try {
		new TextDecoder(labelOf(encoding));
		return true;
	} catch (error) {
		if (error instanceof RangeError) return false;
		throw error;
	}
}

/** Decodes text in a named encoding; as UTF-8 where there is none of the name. */
export function decodeAs(encoding: string | undefined, bytes: Uint8Array): string {
	if (encoding === undefined || isUtf8Name(encoding)) return decode(bytes);
	// The browser's Latin-1 is windows-1252, which has letters in the place of some controls.
	if (LATIN_1.test(encoding)) return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
	return isDecodable(encoding) ? new TextDecoder(labelOf(encoding)).decode(bytes) : decode(bytes);
}

/** Encodes text; null where that encoding cannot be written, or lacks a letter. */
export function encodeAs(encoding: string, text: string): Uint8Array | null {
	if (isUtf8Name(encoding)) return encode(text);
	if (LATIN_1.test(encoding))
		return /[^\0-\xff]/.test(text) ? null : Uint8Array.from(text, (letter) => letter.charCodeAt(0));
	if (/^iso-?2022-?jp$/i.test(encoding)) return encodeIso2022Jp(text);
	if (!isDecodable(encoding)) return null;
	const table = tableOf(labelOf(encoding));
	const parts: Uint8Array[] = [];
	for (const letter of text) {
		const bytes = table.get(letter);
		if (!bytes) return null;
		parts.push(bytes);
	}
	return concat(parts);
}

const TO_ASCII = [0x1b, 0x28, 0x42];
const TO_JAPANESE = [0x1b, 0x24, 0x42];

/** Encodes Japanese characters as EUC-JP without the highest bits, between escape sequences. */
function encodeIso2022Jp(text: string): Uint8Array | null {
	const table = tableOf('euc-jp');
	const made: number[] = [];
	let isJapanese = false;
	const turn = (toJapanese: boolean): void => {
		if (isJapanese !== toJapanese) made.push(...(toJapanese ? TO_JAPANESE : TO_ASCII));
		isJapanese = toJapanese;
	};
	for (const letter of text) {
		const [first = 0, second] = table.get(letter) ?? [];
		if (letter <= '\x7f') {
			turn(false);
			made.push(letter.charCodeAt(0));
		} else {
			// This encoding has no half-width katakana.
			if (second === undefined || first < 0xa1) return null;
			turn(true);
			made.push(first & 0x7f, second & 0x7f);
		}
	}
	turn(false);
	return Uint8Array.from(made);
}

const tables = new Map<string, ReadonlyMap<string, Uint8Array>>();

/**
 * Bytes of the characters of an encoding, one or two bytes each. The browser can decode such encodings but not encode
 * them.
 */
function tableOf(encoding: string): ReadonlyMap<string, Uint8Array> {
	const key = encoding.toLowerCase();
	const known = tables.get(key);
	if (known) return known;
	const table = new Map<string, Uint8Array>();
	const add = (bytes: Uint8Array): boolean => {
		const letter = decodeAs(encoding, bytes);
		const isOne = [...letter].length === 1 && letter !== '\ufffd';
		if (isOne && !table.has(letter)) table.set(letter, bytes);
		return isOne;
	};
	for (let first = 0; first < 0x100; first++) {
		if (add(Uint8Array.of(first)) || first < 0x80) continue;
		for (let second = 0x30; second < 0x100; second++) add(Uint8Array.of(first, second));
	}
	tables.set(key, table);
	return table;
}
