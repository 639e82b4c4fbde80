import { binaryBytes, binaryText } from '../diff/lines.ts';
import { encode } from '../bytes.ts';

/** Text of a character set as UTF-8, both binary text; a set that is not known is left as it is. */
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

/** Binary text of base64; letters that do not belong to it are passed over. */
export function fromBase64(text: string): string {
	const plain = text.replace(/[^A-Za-z0-9+/]/g, '');
	return atob(plain.slice(0, plain.length % 4 === 1 ? -1 : undefined));
}

/** Binary text of quoted-printable. @param isHeader `_` is a blank */
export function fromQuotedPrintable(text: string, isHeader: boolean): string {
	const joined = isHeader ? text.replaceAll('_', ' ') : text.replace(/=[ \t]*\r?\n/g, '');
	return joined.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A header's folded lines joined and its encoded words (RFC 2047) decoded. */
export function decodedHeader(text: string): string {
	const joined = text.replace(/\r?\n[ \t]+/g, ' ').replace(/\?=\s+=\?/g, '?==?');
	return joined.replace(/=\?([^?]+)\?([qb])\?([^?]*)\?=/gi, (_whole, charset: string, kind: string, code: string) => {
		const bytes = kind.toLowerCase() === 'b' ? fromBase64(code) : fromQuotedPrintable(code, true);
		return inUtf8(bytes, charset.split('*')[0] ?? '');
	});
}
