import { binaryBytes, binaryText } from './diff/lines.ts';
import { decode } from './bytes.ts';
import type { Invocation } from './invocation.ts';

const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/**
 * A name as git quotes it, from the first quote to the second; any other as it is.
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

/** Lines of stdin that are paths, each in quotes or not; with `-z` as they are, ended by a zero byte. */
export function pathsFromInput(git: Invocation, zero: boolean): string[] {
	const lines = binaryText(git.input()).split(zero ? '\0' : '\n');
	if (lines.at(-1) === '') lines.pop();
	return lines.map((line) => (zero ? decode(binaryBytes(line)) : unquotePath(line.replace(/\r$/, ''))));
}
