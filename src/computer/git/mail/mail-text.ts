import { binaryBytes, binaryText } from '../diff/lines.ts';
import { encode } from '../bytes.ts';

/** Converts text from a charset to UTF-8, both as binary text; text of an unknown charset is returned unchanged. */
export function inUtf8(text: string, charset: string): string {
	const name = charset.trim().toLowerCase();
	if (name === '' || name === 'utf-8' || name === 'utf8' || name === 'us-ascii') return text;
	try {
		return binaryText(encode(new TextDecoder(name).decode(binaryBytes(text))));
	} catch (error) {
		if (error instanceof RangeError) return text;
		throw error;
	}
}

/** Decodes base64 to binary text; skips characters outside its alphabet. */
export function fromBase64(text: string): string {
	const plain = text.replace(/[^A-Za-z0-9+/]/g, '');
	return atob(plain.slice(0, plain.length % 4 === 1 ? -1 : undefined));
}

/** Decodes quoted-printable to binary text. @param isHeader `_` stands for a space */
export function fromQuotedPrintable(text: string, isHeader: boolean): string {
	const joined = isHeader ? text.replaceAll('_', ' ') : text.replace(/=[ \t]*\r?\n/g, '');
	return joined.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Joins the folded lines of a header and decodes its encoded words (RFC 2047).
 *
 * @param keepsCharset keeps the words in their own charset instead of converting them to UTF-8
 */
export function decodedHeader(text: string, keepsCharset = false): string {
	const joined = text.replace(/\r?\n[ \t]+/g, ' ').replace(/\?=\s+=\?/g, '?==?');
	return joined.replace(/=\?([^?]+)\?([qb])\?([^?]*)\?=/gi, (_whole, charset: string, kind: string, code: string) => {
		const bytes = kind.toLowerCase() === 'b' ? fromBase64(code) : fromQuotedPrintable(code, true);
		return keepsCharset ? bytes : inUtf8(bytes, charset.split('*')[0] ?? '');
	});
}

/** Replaces each run of ASCII blanks by one space; in binary text, other blanks are parts of characters. */
export const withSingleBlanks = (text: string): string => text.replace(/[ \t\n\v\f\r]+/g, ' ');

/** Removes ASCII blanks at both ends. */
export const trimBlanks = (text: string): string => text.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '');
