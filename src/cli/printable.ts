/** Control characters except tab and line feed, and characters that reorder or hide text. */
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Makes text from a model, a program or a share safe for a terminal: escape sequences could rewrite what is on
 * the screen. Control characters are written as `\x1b`, reordering marks as `\u202e`; `\r\n` becomes `\n`.
 */
export function printable(text: string): string {
	return text.replaceAll('\r\n', '\n').replace(UNPRINTABLE, (character) => {
		const code = character.charCodeAt(0);
		return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
	});
}

/** First line of a text, cut to `length` characters. */
export function firstLine(text: string, length = 120): string {
	const line = printable(text).trim().split('\n')[0] ?? '';
	return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
