/** Decision about a hunk. */
export type Decision = 'open' | 'use' | 'skip';

/** Lines of a patch that are chosen as one unit. */
export interface Hunk {
	/** Ranges from the hunk header; null for a mode change or a file deletion. */
	range: HunkRange | null;
	/** Text after the ranges in the header. */
	heading: string;
	/** Binary text with line ends. */
	lines: readonly string[];
	/** Lines as shown to the user. */
	painted: readonly string[];
	decision: Decision;
	/** Number of lines by which an edit shifts later hunks. */
	shift: number;
}

interface HunkRange {
	oldStart: number;
	oldCount: number;
	newStart: number;
	newCount: number;
}

/** Parses `@@ -1,2 +3,4 @@`; null for any other text. */
export function readRange(text: string): HunkRange | null {
	const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
	if (!found) return null;
	const [, oldStart, oldCount = '1', newStart, newCount = '1'] = found;
	return {
		...{ oldStart: Number(oldStart), oldCount: Number(oldCount) },
		...{ newStart: Number(newStart), newCount: Number(newCount) }
	};
}

const isChange = (line: string): boolean => line.startsWith('+') || line.startsWith('-');
const isContext = (line: string): boolean => line.startsWith(' ') || /^\r?\n$/.test(line);

/** Number of runs of changes, separated by context. */
export const runsOf = (lines: readonly string[]): number =>
	lines
		.filter((line) => !line.startsWith('\\'))
		.filter((line, at, all) => isChange(line) && !isChange(all[at - 1] ?? ' ')).length;

/** Line counts of both sides of some patch lines. */
export function countsOf(lines: readonly string[]): Pick<HunkRange, 'oldCount' | 'newCount'> {
	const context = lines.filter(isContext).length;
	return {
		oldCount: context + lines.filter((line) => line.startsWith('-')).length,
		newCount: context + lines.filter((line) => line.startsWith('+')).length
	};
}

/** Splits a hunk into parts with one run of changes each; adjacent parts share the context between them. */
export function splitHunk(hunk: Hunk): Hunk[] {
	const { lines, painted, range } = hunk;
	if (!range) return [hunk];
	const bounds: { from: number; to: number }[] = [];
	let from = 0;
	let at = 0;
	while (at < lines.length) {
		while (at < lines.length && !isChange(lines[at]!)) at++;
		if (at === lines.length) break;
		while (at < lines.length && !isContext(lines[at]!)) at++;
		const contextFrom = at;
		while (at < lines.length && !isChange(lines[at]!)) at++;
		bounds.push({ from, to: at });
		from = contextFrom;
	}
	return bounds.map(({ from: start, to }, index) => {
		const before = countsOf(lines.slice(0, start));
		const part = lines.slice(start, to);
		const starts = { oldStart: range.oldStart + before.oldCount, newStart: range.newStart + before.newCount };
		return {
			...hunk,
			range: { ...starts, ...countsOf(part) },
			heading: index === 0 ? hunk.heading : '',
			lines: part,
			painted: painted.slice(start, to)
		};
	});
}

/** Formats the header of a hunk. @param shift number of lines by which its position is shifted */
export function headText(hunk: Hunk, shift: number, isReverse: boolean): string {
	const { range, heading } = hunk;
	if (!range) return '';
	const { oldCount, newCount } = range;
	const oldStart = range.oldStart - (isReverse ? shift : 0);
	const newStart = range.newStart + (isReverse ? 0 : shift);
	const count = (lines: number) => (lines === 1 ? '' : `,${lines}`);
	return `@@ -${oldStart}${count(oldCount)} +${newStart}${count(newCount)} @@${heading}\n`;
}

/**
 * Joins a hunk with the following ones that overlap it.
 *
 * @returns the joined hunk and the number of hunks in it, or an error message
 */
export function joinedHunk(
	hunks: readonly Hunk[],
	from: number,
	takesAll: boolean
): { hunk: Hunk; count: number } | string {
	let hunk = hunks[from]!;
	let count = 1;
	for (let next = hunks[from + count]; next?.range && hunk.range; next = hunks[from + count]) {
		if (!takesAll && next.decision !== 'use') break;
		const start = next.range.newStart + hunk.shift;
		const overlap = hunk.range.newStart + hunk.range.newCount - start;
		if (hunk.range.newStart >= start || overlap < 0) break;
		const common = next.lines.slice(0, overlap);
		const odd = common.findIndex((line) => !isContext(line));
		if (odd >= 0) return `expected context line #${odd + 1} in\n${next.lines.join('')}`;
		if (overlap > 0 && hunk.lines.at(-1) !== common.at(-1))
			return `hunks do not overlap:\n${common.at(-1)}\n\tdoes not end with:\n${hunk.lines.join('')}`;
		const { oldStart, newStart } = hunk.range;
		hunk = {
			...hunk,
			range: {
				...{ oldStart, oldCount: next.range.oldStart + next.range.oldCount - oldStart },
				...{ newStart, newCount: start + next.range.newCount + next.shift - newStart }
			},
			lines: [...hunk.lines, ...next.lines.slice(overlap)],
			shift: hunk.shift + next.shift
		};
		hunk = { ...hunk, range: { ...hunk.range!, ...countsOf(hunk.lines) } };
		count++;
	}
	return { hunk, count };
}
