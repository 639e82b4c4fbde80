import { shellWord } from '#environment/shell-word.ts';

/** Control characters and bytes that are not UTF-8. */
const UNPRINTABLE = /[\x00-\x1f\x7f]|[\udc80-\udcff]/;

/** Characters that are special anywhere, and those that are special at the start. */
const NEEDS_QUOTES = /[\s'"\\|&;()<>!{}*[\]?^$`]|(?:^|[=:])~|^#/;

/** Returns whether the shell would not parse a text as that text. */
export const needsQuotes = (text: string): boolean => text === '' || UNPRINTABLE.test(text) || NEEDS_QUOTES.test(text);

/** Quotes text so that the shell parses it back to the same text. `always`: quotes even if not needed. */
export function quoteWord(text: string, always = false): string {
	if (text === '') return "''";
	if (UNPRINTABLE.test(text)) return `$'${escapeControls(text)}'`;
	if (!always && !NEEDS_QUOTES.test(text)) return text;
	return text === "'" ? "\\'" : shellWord(text);
}

/** `printf %q`: inserts backslashes before special characters. */
export function backslashQuote(text: string): string {
	if (text === '') return "''";
	if (UNPRINTABLE.test(text)) return `$'${escapeControls(text)}'`;
	return text.replace(/[^\w@%+=:./\u0080-\uffff-]/g, '\\$&');
}

function escapeControls(text: string): string {
	const names: Record<string, string> = {
		'\n': '\\n',
		'\t': '\\t',
		'\r': '\\r',
		'\x07': '\\a',
		'\b': '\\b',
		'\x1b': '\\E'
	};
	return text.replace(/['\\]/g, '\\$&').replace(/[\x00-\x1f\x7f\udc80-\udcff]/g, (char) => {
		return names[char] ?? `\\${(char.charCodeAt(0) & 255).toString(8).padStart(3, '0')}`;
	});
}

/** Formats a value as `declare -p` and `set` show it inside double quotes. */
export const doubleQuote = (text: string) =>
	UNPRINTABLE.test(text) ? `$'${escapeControls(text)}'` : `"${text.replace(/["$`\\]/g, '\\$&')}"`;
