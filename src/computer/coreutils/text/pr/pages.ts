import { encode } from '#computer/process/text.ts';
import type { Settings } from './settings.ts';

/** A line of text, or null for a page break in the input. */
export type Piece = string | null;

/** Splits a text at its line ends and form feeds. */
export function piecesOf(text: string): Piece[] {
	const pieces: Piece[] = [];
	for (const line of text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined)) {
		const parts = line.split('\f');
		for (const [index, part] of parts.entries()) {
			if (index > 0) pieces.push(null);
			// A form feed at the start or end of a line leaves no empty line.
			if (part !== '' || parts.length === 1) pieces.push(part);
		}
	}
	return text === '' ? [] : pieces;
}

/** A page's lines in its columns, row by row, and whether a form feed ended it. */
export interface Page {
	rows: (string | undefined)[][];
	isBroken: boolean;
}

/** Fills pages with the lines of one file. */
export function* pagesOf(pieces: readonly Piece[], settings: Settings): Generator<Page> {
	const rows = Math.max(1, settings.isDouble ? Math.floor(settings.bodyLines / 2) : settings.bodyLines);
	for (let at = 0; at < pieces.length;) {
		const lines: string[] = [];
		while (lines.length < rows * settings.columns && at < pieces.length) {
			const piece = pieces[at];
			if (piece === null || piece === undefined) break;
			lines.push(piece);
			at++;
		}
		const isBroken = pieces[at] === null;
		if (isBroken) at++;
		yield { rows: settings.isAcross ? across(lines, settings.columns) : down(lines, settings.columns, rows), isBroken };
	}
}

/** Fills pages with the lines of several files, one column each. */
export function* mergedPages(files: readonly (readonly Piece[])[], settings: Settings): Generator<Page> {
	const rows = Math.max(1, settings.isDouble ? Math.floor(settings.bodyLines / 2) : settings.bodyLines);
	const left = files.map((pieces) => pieces.filter((piece) => piece !== null));
	const most = Math.max(0, ...left.map((lines) => lines.length));
	for (let from = 0; from < most; from += rows) {
		const page: Page = { rows: [], isBroken: false };
		for (let row = from; row < Math.min(most, from + rows); row++) page.rows.push(left.map((lines) => lines[row]));
		yield page;
	}
}

function across(lines: readonly string[], columns: number): Page['rows'] {
	return Array.from({ length: Math.ceil(lines.length / columns) }, (_row, row) =>
		lines.slice(row * columns, (row + 1) * columns)
	);
}

/** The columns of a partly filled page are balanced. */
function down(lines: readonly string[], columns: number, rows: number): Page['rows'] {
	const isFull = lines.length === rows * columns;
	const [least, more] = isFull ? [rows, 0] : [Math.floor(lines.length / columns), lines.length % columns];
	const page: Page['rows'] = [];
	for (let column = 0, at = 0; column < columns; column++) {
		const length = least + (column < more ? 1 : 0);
		for (let row = 0; row < length; row++) (page[row] ??= [])[column] = lines[at++];
	}
	return page;
}

/** Formats a line for printing: expands tabs, and shows non-printable characters. */
export function shownLine(line: string, { expands, shows }: Settings): string {
	let text = '';
	let column = 0;
	for (const char of line) {
		let piece = char;
		if (char === expands?.char) piece = ' '.repeat(expands.width - (column % expands.width));
		else if (shows && char !== '\t' && (char < ' ' || char > '~')) {
			piece = [...encode(char)].map((byte) => shownByte(byte, shows)).join('');
		}
		text += piece;
		column = char === '\b' && piece === char ? Math.max(0, column - 1) : column + piece.length;
	}
	return text;
}

const shownByte = (byte: number, shows: 'hats' | 'octal'): string =>
	shows === 'hats' && byte < 0x20 ? `^${String.fromCharCode(byte ^ 0x40)}` : `\\${byte.toString(8).padStart(3, '0')}`;
