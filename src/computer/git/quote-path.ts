import { escapedByte, escapedPath } from '#environment/escaped-path.ts';
import { encode } from './bytes.ts';

const ASCII_ONLY = /[^\x20-\x7e]|["\\]/;
const ANY_LETTER = /[\x00-\x1f\x7f"\\]/;
let unusual = ASCII_ONLY;

/** Sets `core.quotePath` for this run of git: whether non-ASCII characters are escaped too. */
export function escapeLetters(all: boolean): void {
	unusual = all ? ASCII_ONLY : ANY_LETTER;
}

/** Formats a path as git prints it: quoted, with escapes, if it has anything but plain ASCII. */
export function quotePath(path: string): string {
	return unusual.test(path) ? `"${escapePath(path)}"` : path;
}

/** Same as `quotePath`, with the prefix inside the same quotes: `"a/caf\303\251"`. */
export function quotePrefixed(prefix: string, path: string): string {
	return unusual.test(path) ? `"${prefix}${escapePath(path)}"` : prefix + path;
}

function escapePath(path: string): string {
	if (unusual === ANY_LETTER) return escapedPath(path);
	let text = '';
	for (const byte of encode(path)) {
		const letter = String.fromCharCode(byte);
		text += ASCII_ONLY.test(letter) ? escapedByte(byte) : letter;
	}
	return text;
}
