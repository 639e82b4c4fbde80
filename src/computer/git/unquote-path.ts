import { binaryBytes } from './diff/lines.ts';
import { decode } from './bytes.ts';

const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/**
 * Unquotes a name quoted by git, up to the closing quote; returns any other name unchanged.
 *
 * @param text binary text
 */
export function unquotePath(text: string): string {
	const inner = /^"((?:[^"\\]|\\.)*)"/s.exec(text)?.[1];
	if (inner === undefined) return decode(binaryBytes(text));
	const bytes = inner.replace(/\\([0-7]{3}|.)/gs, (_, escape: string) =>
		String.fromCharCode(ESCAPES[escape] ?? Number.parseInt(escape, 8))
	);
	return decode(binaryBytes(bytes));
}
