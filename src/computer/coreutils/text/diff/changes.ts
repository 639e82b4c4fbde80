import { compareLines } from '#environment/line-comparison.ts';

/** Run of lines that differ: positions from 0 on both sides, one of the counts may be 0. */
export interface Change {
	oldStart: number;
	oldCount: number;
	newStart: number;
	newCount: number;
	/** Set if all of its lines are ignored (`-B`, `-I`). */
	isIgnorable: boolean;
}

/** Lines of both files, each including its newline except possibly the last. */
export interface Sides {
	old: readonly string[];
	new: readonly string[];
}

/** Rules for comparing lines. */
export interface LineRules {
	/** Returns the comparison key of a line without its newline. */
	key: (line: string) => string;
	/** Set to ignore a missing newline at the end. */
	ignoresEnd: boolean;
	/** Matches lines whose changes are not shown unless there are others next to them. */
	isIgnorable: ((line: string) => boolean) | null;
}

/**
 * Finds the changes between two files, in order.
 *
 * @param horizon number of common lines at start and end that are compared as well. A change with several possible
 * positions is placed at the last one within these lines, so that it depends on the number of context lines, as in
 * GNU's.
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

/** Number of equal lines at the start and at the end of both files. */
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

/** Formats lines as `first,last`, counted from 1; an empty range is the line before, a single line is one number. */
export const lineRange = (start: number, count: number, between = ','): string =>
	count > 1 ? `${start + 1}${between}${start + count}` : String(start + count);
