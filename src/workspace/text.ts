import { diffLines } from 'diff';

/** The text of a file, or `null` where it is not one: a NUL byte in the first 8,000 bytes, as git decides. */
export function asText(bytes: Uint8Array): string | null {
	if (bytes.subarray(0, 8000).includes(0)) return null;
	return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Lines added and removed between two contents; `null` stands for no file. */
export function lineCounts(before: string, after: string): { added: number; removed: number } {
	// Nothing to compare, which is by far the most frequent of very many files.
	if (before === '' || after === '') return { added: lineCount(after), removed: lineCount(before) };
	let added = 0;
	let removed = 0;
	for (const part of diffLines(before, after)) {
		if (part.added) added += part.count;
		else if (part.removed) removed += part.count;
	}
	return { added, removed };
}

/** The last one counts with or without its end. */
function lineCount(text: string): number {
	let count = 0;
	for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count++;
	return text === '' || text.endsWith('\n') ? count : count + 1;
}
