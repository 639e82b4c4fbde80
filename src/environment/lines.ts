import type { LineRange } from './contract.ts';

/** Splits a text into lines, each with its newline except perhaps the last; an empty text has none. */
export function splitLines(text: string): string[] {
	const lines: string[] = [];
	// Not split() with a lookbehind, which WebKit interprets character by character.
	for (let from = 0; from < text.length;) {
		const next = text.indexOf('\n', from) + 1 || text.length;
		lines.push(text.slice(from, next));
		from = next;
	}
	return lines;
}

/** Returns the lines of `text` in `range`, 1-based, each with its line ending. */
export function sliceLines(text: string, range?: LineRange): string {
	if (range?.offset === undefined && range?.limit === undefined) return text;
	const first = Math.max(1, range.offset ?? 1) - 1;
	const lines = splitLines(text);
	return lines.slice(first, range.limit === undefined ? undefined : first + range.limit).join('');
}
