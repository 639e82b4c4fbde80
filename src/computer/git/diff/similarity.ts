import { binaryText, isBinary } from './lines.ts';

/** Score of two identical files. */
export const SAME = 60_000;

/** A file split into pieces, for comparison with many others. */
export interface Pieces {
	size: number;
	/** Number of bytes in each distinct line; long lines are split into pieces of 64 bytes. */
	bytes: ReadonlyMap<string, number>;
}

export function piecesOf(content: Uint8Array): Pieces {
	const bytes = new Map<string, number>();
	const text = binaryText(content);
	const isText = !isBinary(content);
	let start = 0;
	for (let at = 0; at < text.length; at++) {
		const atEnd = text[at] === '\n' || at - start === 63 || at === text.length - 1;
		if (!atEnd) continue;
		let piece = text.slice(start, at + 1);
		if (isText && piece.endsWith('\r\n')) piece = `${piece.slice(0, -2)}\n`;
		bytes.set(piece, (bytes.get(piece) ?? 0) + piece.length);
		start = at + 1;
	}
	return { size: content.length, bytes };
}

/** Number of bytes of a file that also occur in another. */
export function copiedBytes(before: Pieces, after: Pieces): number {
	let copied = 0;
	for (const [piece, bytes] of before.bytes) copied += Math.min(bytes, after.bytes.get(piece) ?? 0);
	return copied;
}

/** Similarity of two files, up to {@link SAME}; 0 if they cannot reach `least`. */
export function similarity(before: Pieces, after: Pieces, least: number): number {
	const larger = Math.max(before.size, after.size);
	const smaller = Math.min(before.size, after.size);
	if (larger * (SAME - least) < (larger - smaller) * SAME) return 0;
	if (larger === 0) return 0;
	return Math.floor((copiedBytes(before, after) * SAME) / larger);
}
