/** C escapes that are a letter or the character itself, by byte. */
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

/** Escapes a byte as git does in quoted paths, C style. */
export const escapedByte = (byte: number): string => SHORT[byte] ?? `\\${byte.toString(8).padStart(3, '0')}`;

/** Escapes the characters of a path that would end its quotes or its line, as git does with `core.quotePath` off. */
export const escapedPath = (path: string): string =>
	path.replace(/[\x00-\x1f\x7f"\\]/g, (letter) => escapedByte(letter.charCodeAt(0)));
