/** A problem at a position in a text. */
export interface Placed {
	/** 1-based. */
	line: number;
	column: number;
	code?: string | undefined;
	message: string;
}

/**
 * Finds problems in `after` that are not in `before`. On unchanged lines, problems with the same code are the same,
 * even if the line moved or the message changed. On other lines, problems with the same message are, as many times as
 * it occurred before.
 */
export function newOnes<Problem extends Placed>(
	before: readonly Placed[],
	after: readonly Problem[],
	beforeText: string,
	afterText: string
): Problem[] {
	if (after.length === 0) return [];
	const { head, tail, moved } = unchangedLines(beforeText, afterText);
	const places = new Map<string, number>();
	const words = new Map<string, number>();
	for (const { line, code, message } of before) {
		const isKept = line <= head || line > tail;
		count(isKept ? places : words, isKept ? `${line} ${code}` : `${code} ${message}`, 1);
	}
	return after.filter(({ line, code, message }) => {
		const isKept = line <= head || line > tail + moved;
		const was = line <= head ? line : line - moved;
		return !(isKept ? take(places, `${was} ${code}`) : take(words, `${code} ${message}`));
	});
}

/** Number of equal lines at the start, the last changed line of the old text, and the line offset of the rest. */
function unchangedLines(before: string, after: string): { head: number; tail: number; moved: number } {
	const was = before.split('\n');
	const is = after.split('\n');
	const shorter = Math.min(was.length, is.length);
	let head = 0;
	while (head < shorter && was[head] === is[head]) head++;
	let same = 0;
	while (same < shorter - head && was[was.length - 1 - same] === is[is.length - 1 - same]) same++;
	return { head, tail: was.length - same, moved: is.length - was.length };
}

function count(counts: Map<string, number>, key: string, by: number): void {
	counts.set(key, (counts.get(key) ?? 0) + by);
}

function take(counts: Map<string, number>, key: string): boolean {
	const left = counts.get(key) ?? 0;
	if (left > 0) counts.set(key, left - 1);
	return left > 0;
}
