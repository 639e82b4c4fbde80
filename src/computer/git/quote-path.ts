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
const ASCII_ONLY = /[^\x20-\x7e]|["\\]/;
const ANY_LETTER = /[\x00-\x1f\x7f"\\]/;
let unusual = ASCII_ONLY;

/** `core.quotePath`: whether letters beyond ASCII are escaped too. Holds for this run of git. */
export function escapeLetters(all: boolean): void {
	unusual = all ? ASCII_ONLY : ANY_LETTER;
}

/** A path as git prints it: in quotes, with escapes, when it has anything but plain ASCII. */
export function quotePath(path: string): string {
	return unusual.test(path) ? `"${escapePath(path)}"` : path;
}

/** Like `quotePath`, with one pair of quotes around the prefix as well: `"a/caf\303\251"`. */
export function quotePrefixed(prefix: string, path: string): string {
	return unusual.test(path) ? `"${prefix}${escapePath(path)}"` : prefix + path;
}

function escapePath(path: string): string {
	let text = '';
	if (unusual === ANY_LETTER) {
		return path.replace(/[\x00-\x1f\x7f"\\]/g, (letter) => {
			const code = letter.charCodeAt(0);
			return SHORT[code] ?? `\\${code.toString(8).padStart(3, '0')}`;
		});
	}
	for (const byte of encode(path)) {
		if (SHORT[byte] !== undefined) text += SHORT[byte];
		else if (byte < 0x20 || byte > 0x7e) text += `\\${byte.toString(8).padStart(3, '0')}`;
		else text += String.fromCharCode(byte);
	}
	return text;
}
