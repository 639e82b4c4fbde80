import { charWidth } from '#computer/terminal/width.ts';

/** Where the cursor stands after `text`, from where it began at the left edge; escape sequences take no room. */
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

/** Where the character before `at` begins. */
export const before = (text: string, at: number): number =>
	Math.max(0, at - ([...text.slice(Math.max(0, at - 2), at)].at(-1)?.length ?? 1));

/** Where the character at `at` ends. */
export const after = (text: string, at: number): number =>
	Math.min(text.length, at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));

/** Where the word to the left of `at` begins. */
export function wordLeft(text: string, at: number): number {
	const match = /(?:[^\w\s]+|\w+|)\s*$/.exec(text.slice(0, at));
	return at - (match?.[0].length ?? 0);
}

/** Where the word to the right of `at` ends, and the spaces after it. */
export function wordRight(text: string, at: number): number {
	const match = /^(?:\s+|[^\w\s]+|\w+)\s*/.exec(text.slice(at));
	return at + (match?.[0].length ?? 0);
}
