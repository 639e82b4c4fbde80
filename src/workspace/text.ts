import { diffLines } from 'diff';

/** The text of a file, or `null` where it is not one: a NUL byte in the first 8,000 bytes, as git decides. */
export function asText(bytes: Uint8Array): string | null {
	if (bytes.subarray(0, 8000).includes(0)) return null;
	return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Lines added and removed between two contents; `null` stands for no file. */
export function lineCounts(before: string, after: string): { added: number; removed: number } {
	let added = 0;
	let removed = 0;
	for (const part of diffLines(before, after)) {
		if (part.added) added += part.count;
		else if (part.removed) removed += part.count;
	}
	return { added, removed };
}
