import { crc32 } from '#environment/crc32.ts';
import type { AppendFile } from './append-file.ts';
import type { KeepEnd } from './blob-pack.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();
const TAB = 9;

export interface ReadLines {
	values: unknown[];
	/** Byte offset of the line of each value. */
	starts: number[];
	/** One sentence per damaged line. */
	warnings: string[];
	/** Complete lines that cannot be parsed. */
	damaged: number;
	/** End of the last complete line; the rest was torn by a crash. */
	goodSize: number;
}

/**
 * Parses one JSON value per line. A damaged line is skipped with a warning; an unfinished last one is not
 * counted.
 */
export function parseLines(bytes: Uint8Array, what: string): ReadLines {
	const values: unknown[] = [];
	const starts: number[] = [];
	const warnings: string[] = [];
	let damaged = 0;
	let start = 0;
	let number = 0;
	for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
		number++;
		const begin = start;
		start = end + 1;
		if (begin === end) continue;
		try {
			values.push(parseLine(bytes.subarray(begin, end)));
			starts.push(begin);
		} catch {
			damaged++;
			warnings.push(`Line ${number} of the ${what} is damaged and was left out.`);
		}
	}
	if (start < bytes.length) warnings.push(`The last line of the ${what} was not written to its end and was left out.`);
	return { values, starts, warnings, damaged, goodSize: start };
}

/**
 * Parses JSON followed by a tab, which JSON text never contains, and its checksum. Lines of earlier versions
 * have no checksum.
 *
 * @throws Error when the checksum does not match
 */
function parseLine(line: Uint8Array): unknown {
	const tab = line.indexOf(TAB);
	const json = tab < 0 ? line : line.subarray(0, tab);
	if (tab >= 0 && decoder.decode(line.subarray(tab + 1)) !== checksum(json)) throw new Error('wrong checksum');
	return JSON.parse(decoder.decode(json));
}

const checksum = (bytes: Uint8Array): string => crc32(bytes).toString(16).padStart(8, '0');

/**
 * Reads all lines of a file and cuts off a torn end, so that the next append starts on a new line.
 *
 * @param keepEnd called with the bytes cut off
 */
export async function readLines(file: AppendFile, what: string, keepEnd?: KeepEnd): Promise<ReadLines> {
	const bytes = await file.read(0, file.size());
	const lines = parseLines(bytes, what);
	if (lines.goodSize < file.size()) {
		await keepEnd?.(bytes.subarray(lines.goodSize));
		await file.truncate(lines.goodSize);
	}
	return lines;
}

export function encodeLines(values: readonly unknown[]): Uint8Array {
	return encoder.encode(
		values
			.map((value) => JSON.stringify(value))
			.map((json) => `${json}\t${checksum(encoder.encode(json))}\n`)
			.join('')
	);
}
