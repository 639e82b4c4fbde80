/** Escapes of C that have a letter or stand for themselves, by the byte. */
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

/** A byte as git escapes it between quotes, in the way of C. */
export const escapedByte = (byte: number): string => SHORT[byte] ?? `\\${byte.toString(8).padStart(3, '0')}`;

/** A path with escapes for what would end its quotes or its line, as git writes it with `core.quotePath` off. */
export const escapedPath = (path: string): string =>
	path.replace(/[\x00-\x1f\x7f"\\]/g, (letter) => escapedByte(letter.charCodeAt(0)));
