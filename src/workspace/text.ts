import { diffLines } from 'diff';

const NEWLINE = 10;

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** A NUL byte in the first 8,000 bytes, as git decides. */
const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8000).includes(0);

/** The text of a file, or `null` where it is not one. */
export const asText = (bytes: Uint8Array): string | null => (isBinary(bytes) ? null : decode(bytes));

/** Lines added and removed between two contents, of which one of no bytes stands for no file; none where one is no text. */
export function lineCounts(before: Uint8Array, after: Uint8Array): { added: number; removed: number; binary: boolean } {
	if (isBinary(before) || isBinary(after)) return { added: 0, removed: 0, binary: true };
	let [added, removed] = [0, 0];
	// Nothing to compare, which is by far the most frequent of very many files.
	if (before.length === 0 || after.length === 0) [added, removed] = [lineCount(after), lineCount(before)];
	else {
		for (const part of diffLines(decode(before), decode(after))) {
			if (part.added) added += part.count;
			else if (part.removed) removed += part.count;
		}
	}
	return { added, removed, binary: false };
}

/** The last one counts with or without its end. */
function lineCount(bytes: Uint8Array): number {
	let count = 0;
	for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) count++;
	return bytes.length === 0 || bytes.at(-1) === NEWLINE ? count : count + 1;
}
