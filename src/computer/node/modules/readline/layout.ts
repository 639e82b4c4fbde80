import { charWidth } from '#computer/terminal/width.ts';

/** Cursor position after `text`, starting at the left edge; escape sequences have no width. */
export function placeAfter(text: string, columns: number, tabSize: number): { cols: number; rows: number } {
	let cols = 0;
	let rows = 0;
	for (const char of text.replace(/\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07)/g, '')) {
		if (char === '\n') {
			rows++;
			cols = 0;
			continue;
		}
		const width = char === '\t' ? tabSize - (cols % tabSize) : charWidth(char);
		// A wide character does not fit into the last column.
		if (cols + width > columns) {
			rows++;
			cols = 0;
		}
		cols += width;
		if (cols === columns) {
			rows++;
			cols = 0;
		}
	}
	return { cols, rows };
}

/** Start of the character before `at`. */
export const before = (text: string, at: number): number =>
	Math.max(0, at - ([...text.slice(Math.max(0, at - 2), at)].at(-1)?.length ?? 1));

/** End of the character at `at`. */
export const after = (text: string, at: number): number =>
	Math.min(text.length, at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));

/** Start of the word to the left of `at`. */
export function wordLeft(text: string, at: number): number {
	const match = /(?:[^\w\s]+|\w+|)\s*$/.exec(text.slice(0, at));
	return at - (match?.[0].length ?? 0);
}

/** End of the word to the right of `at`, including following spaces. */
export function wordRight(text: string, at: number): number {
	const match = /^(?:\s+|[^\w\s]+|\w+)\s*/.exec(text.slice(at));
	return at + (match?.[0].length ?? 0);
}
