import { compareLines } from '#environment/line-comparison.ts';

/** A run of lines that differ: positions from 0 on both sides; one of the counts may be 0. */
export interface Change {
	oldStart: number;
	oldCount: number;
	newStart: number;
	newCount: number;
	/** Set if all of its lines are to be ignored (`-B`, `-I`). */
	isIgnorable: boolean;
}

/** Lines of both files with their line ends; the last may have none. */
export interface Sides {
	old: readonly string[];
	new: readonly string[];
}

/** Rules for comparing lines. */
export interface LineRules {
	/** Returns the compared form of a line, without its line end. */
	key: (line: string) => string;
	/** A missing line end of the last line is ignored. */
	ignoresEnd: boolean;
	/** Tells whether a line can be ignored: changes that only contain such lines are not shown by themselves. */
	isIgnorable: ((line: string) => boolean) | null;
}

/**
 * Finds the changes between two files, in order.
 *
 * @param horizon number of lines of the common start and end to compare too. A change with several possible positions
 * is placed at the last one within it, so the position depends on the context lines, as in GNU diff.
 */
export function changesOf(sides: Sides, rules: LineRules, horizon = 0): Change[] {
	const { start, end } = commonEnds(sides);
	const skipped = Math.max(0, start - horizon);
	const keys = (lines: readonly string[]) =>
		lines
			.slice(skipped, lines.length - Math.max(0, end - horizon))
			.map((line) => rules.key(withoutEnd(line)) + (rules.ignoresEnd || line.endsWith('\n') ? '' : '\n'));
	const marks = compareLines(keys(sides.old), keys(sides.new));
	const changes: Change[] = [];
	let [oldAt, newAt] = [skipped, skipped];
	while (oldAt < sides.old.length || newAt < sides.new.length) {
		const [oldStart, newStart] = [oldAt, newAt];
		while (marks.before[oldAt - skipped]) oldAt++;
		while (marks.after[newAt - skipped]) newAt++;
		const [oldCount, newCount] = [oldAt - oldStart, newAt - newStart];
		if (oldCount > 0 || newCount > 0) {
			const change = { oldStart, oldCount, newStart, newCount, isIgnorable: false };
			change.isIgnorable = isIgnorable(sides, change, rules);
			changes.push(change);
		}
		oldAt++;
		newAt++;
	}
	return changes;
}

/** Number of common lines at the start and at the end of both files. */
function commonEnds({ old, new: added }: Sides): { start: number; end: number } {
	const most = Math.min(old.length, added.length);
	let [start, end] = [0, 0];
	while (start < most && old[start] === added[start]) start++;
	while (end < most - start && old[old.length - 1 - end] === added[added.length - 1 - end]) end++;
	return { start, end };
}

function isIgnorable(sides: Sides, change: Change, { isIgnorable: test }: LineRules): boolean {
	if (!test) return false;
	const lines = [...linesOf(sides.old, change.oldStart, change.oldCount)];
	lines.push(...linesOf(sides.new, change.newStart, change.newCount));
	return lines.every((line) => test(withoutEnd(line)));
}

export const linesOf = (lines: readonly string[], start: number, count: number): readonly string[] =>
	lines.slice(start, start + count);

export const withoutEnd = (line: string): string => (line.endsWith('\n') ? line.slice(0, -1) : line);

/** Formats lines as `first,last`, counted from 1; a single number for one line, or the line before for none. */
export const lineRange = (start: number, count: number, between = ','): string =>
	count > 1 ? `${start + 1}${between}${start + count}` : String(start + count);
