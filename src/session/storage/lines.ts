import type { AppendFile } from './append-file.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export interface ReadLines {
	values: unknown[];
	/** Where the line of each value begins, in bytes. */
	starts: number[];
	/** One sentence a damaged line. */
	warnings: string[];
	/** Where the last whole line ends; what follows was torn by a crash. */
	goodSize: number;
}

/** One JSON value a line. A damaged line is skipped with a warning; an unfinished last one is not a line yet. */
export function parseLines(bytes: Uint8Array, what: string): ReadLines {
	const values: unknown[] = [];
	const starts: number[] = [];
	const warnings: string[] = [];
	let start = 0;
	let number = 0;
	for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
		number++;
		const begin = start;
		const text = decoder.decode(bytes.subarray(begin, end));
		start = end + 1;
		if (text === '') continue;
		try {
			values.push(JSON.parse(text));
			starts.push(begin);
		} catch {
			warnings.push(`Line ${number} of the ${what} is damaged and was left out.`);
		}
	}
	if (start < bytes.length) warnings.push(`The last line of the ${what} was not written to its end and was left out.`);
	return { values, starts, warnings, goodSize: start };
}

/** Reads all lines of a file and cuts off a torn end, so that the next append starts on a line of its own. */
export async function readLines(file: AppendFile, what: string): Promise<ReadLines> {
	const lines = parseLines(await file.read(0, file.size()), what);
	if (lines.goodSize < file.size()) await file.truncate(lines.goodSize);
	return lines;
}

export function encodeLines(values: readonly unknown[]): Uint8Array {
	return encoder.encode(values.map((value) => JSON.stringify(value) + '\n').join(''));
}
