import { encode } from './bytes.ts';

const SHORT: Record<number, string> = {
	7: '\\a',
	8: '\\b',
	9: '\\t',
	10: '\\n',
	11: '\\v',
	12: '\\f',
	13: '\\r',
	34: '\\"',
	92: '\\\\'
};
const UNUSUAL = /[^\x20-\x7e]|["\\]/;

/** A path as git prints it: in quotes, with escapes, when it has anything but plain ASCII. */
export function quotePath(path: string): string {
	return UNUSUAL.test(path) ? `"${escapePath(path)}"` : path;
}

/** As `quotePath`, with one pair of quotes around the prefix as well: `"a/caf\303\251"`. */
export function quotePrefixed(prefix: string, path: string): string {
	return UNUSUAL.test(path) ? `"${prefix}${escapePath(path)}"` : prefix + path;
}

function escapePath(path: string): string {
	let text = '';
	for (const byte of encode(path)) {
		if (SHORT[byte] !== undefined) text += SHORT[byte];
		else if (byte < 0x20 || byte > 0x7e) text += `\\${byte.toString(8).padStart(3, '0')}`;
		else text += String.fromCharCode(byte);
	}
	return text;
}
