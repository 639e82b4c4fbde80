import { diffLines } from 'diff';

const NEWLINE = 10;

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Checks whether there is a NUL byte in the first 8,000 bytes, git's criterion. */
const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8000).includes(0);

/** The text of a file, or `null` if it is binary. */
export const asText = (bytes: Uint8Array): string | null => (isBinary(bytes) ? null : decode(bytes));

/**
 * Lines added and removed between two contents, where empty bytes represent a missing file; zero if either is
 * binary.
 */
export function lineCounts(before: Uint8Array, after: Uint8Array): { added: number; removed: number; binary: boolean } {
	if (isBinary(before) || isBinary(after)) return { added: 0, removed: 0, binary: true };
	let [added, removed] = [0, 0];
	// Nothing to compare, by far the most frequent case with many files.
	if (before.length === 0 || after.length === 0) [added, removed] = [lineCount(after), lineCount(before)];
	else {
		for (const part of diffLines(decode(before), decode(after))) {
			if (part.added) added += part.count;
			else if (part.removed) removed += part.count;
		}
	}
	return { added, removed, binary: false };
}

/** The last line counts with or without a line break. */
function lineCount(bytes: Uint8Array): number {
	let count = 0;
	for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) count++;
	return bytes.length === 0 || bytes.at(-1) === NEWLINE ? count : count + 1;
}
