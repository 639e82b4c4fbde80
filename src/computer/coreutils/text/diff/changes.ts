import { compareLines } from '#environment/line-comparison.ts';

/** A run of lines that differ: positions from 0 on both sides, one of the counts may be 0. */
export interface Change {
	oldStart: number;
	oldCount: number;
	newStart: number;
	newCount: number;
	/** All of its lines are of a kind that is not to be compared (`-B`, `-I`). */
	isIgnorable: boolean;
}

/** Lines of both files, each with its end but perhaps the last. */
export interface Sides {
	old: readonly string[];
	new: readonly string[];
}

/** Rules by which lines count as the same. */
export interface LineRules {
	/** A line, without its end, as it is compared. */
	key: (line: string) => string;
	/** A missing end of the last line does not count. */
	ignoresEnd: boolean;
	/** Lines whose changes are not shown if there are no others beside them. */
	isIgnorable: ((line: string) => boolean) | null;
}

/** Finds the changes between two files, in their order. */
export function changesOf(sides: Sides, rules: LineRules): Change[] {
	const keys = (lines: readonly string[]) =>
		lines.map((line) => rules.key(withoutEnd(line)) + (rules.ignoresEnd || line.endsWith('\n') ? '' : '\n'));
	const marks = compareLines(keys(sides.old), keys(sides.new));
	const changes: Change[] = [];
	let [oldAt, newAt] = [0, 0];
	while (oldAt < sides.old.length || newAt < sides.new.length) {
		const [oldStart, newStart] = [oldAt, newAt];
		while (marks.before[oldAt]) oldAt++;
		while (marks.after[newAt]) newAt++;
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

function isIgnorable(sides: Sides, change: Change, { isIgnorable: test }: LineRules): boolean {
	if (!test) return false;
	const lines = [...linesOf(sides.old, change.oldStart, change.oldCount)];
	lines.push(...linesOf(sides.new, change.newStart, change.newCount));
	return lines.every((line) => test(withoutEnd(line)));
}

export const linesOf = (lines: readonly string[], start: number, count: number): readonly string[] =>
	lines.slice(start, start + count);

export const withoutEnd = (line: string): string => (line.endsWith('\n') ? line.slice(0, -1) : line);

/** Lines as `first,last`, counted from 1; none is the line before, one stands alone. */
export const lineRange = (start: number, count: number, between = ','): string =>
	count > 1 ? `${start + 1}${between}${start + count}` : String(start + count);
