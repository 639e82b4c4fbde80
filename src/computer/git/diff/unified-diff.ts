import { compareLines } from '#environment/line-comparison.ts';
import { endByIndentation } from './indentation.ts';

/** A run of changed lines; positions in both sides are zero-based. */
export interface LineChange {
	beforeStart: number;
	beforeCount: number;
	afterStart: number;
	afterCount: number;
	/** Changes only ignored lines; shown only if other changes are close. */
	isIgnored?: boolean;
}

/** Significant whitespace in a line: all, its presence, all but trailing, all but a carriage return at the end, or none. */
export type Blanks = 'count' | 'some' | 'not at the end' | 'no cr at the end' | 'none';

/** Options for comparing lines. */
export interface LineRules {
	blanks: Blanks;
	/** Blank lines are significant. */
	blankLines: boolean;
	/** Changes whose lines all match one of the patterns are ignored. */
	ignored: readonly RegExp[];
	/** Moves runs to positions where the indentation indicates the start or end of a block. */
	indents: boolean;
}

/** Lines normalized for comparison. */
export function comparedLines(lines: readonly string[], blanks: Blanks): readonly string[] {
	if (blanks === 'count') return lines;
	if (blanks === 'none') return lines.map((line) => line.replace(/[ \t\r\n]+/g, ''));
	if (blanks === 'no cr at the end') return lines.map((line) => line.replace(/\r?\n?$/, ''));
	const trimmed = lines.map((line) => line.replace(/[ \t\r\n]+$/, ''));
	return blanks === 'some' ? trimmed.map((line) => line.replace(/[ \t\r\n]+/g, ' ')) : trimmed;
}

/** Changes between two lists of lines, in order. */
export function lineChanges(
	before: readonly string[],
	after: readonly string[],
	blanks: Blanks = 'count',
	indents = true
): LineChange[] {
	const marks = compareLines(
		comparedLines(before, blanks),
		comparedLines(after, blanks),
		indents ? endByIndentation : undefined
	);
	const changes: LineChange[] = [];
	for (let i = 0, j = 0; i < before.length || j < after.length;) {
		if (!marks.before[i] && !marks.after[j]) {
			i++;
			j++;
			continue;
		}
		const change = { beforeStart: i, beforeCount: 0, afterStart: j, afterCount: 0 };
		while (i < before.length && marks.before[i]) i++;
		while (j < after.length && marks.after[j]) j++;
		change.beforeCount = i - change.beforeStart;
		change.afterCount = j - change.afterStart;
		changes.push(change);
	}
	return changes;
}

/** Changes between two lists of lines; marks those that the rules ignore. */
export function ruledChanges(before: readonly string[], after: readonly string[], rules: LineRules): LineChange[] {
	const changes = lineChanges(before, after, rules.blanks, rules.indents);
	if (rules.blankLines && rules.ignored.length === 0) return changes;
	const isBlank = (line: string) =>
		rules.blanks === 'count' ? line === '\n' || line === '' : /^[ \t\r\n]*$/.test(line);
	for (const change of changes) {
		const { beforeStart, beforeCount, afterStart, afterCount } = change;
		const lines = [
			...before.slice(beforeStart, beforeStart + beforeCount),
			...after.slice(afterStart, afterStart + afterCount)
		];
		const isMatched = (line: string) => rules.ignored.some((regex) => regex.test(line.replace(/\n$/, '')));
		change.isIgnored =
			(!rules.blankLines && lines.every(isBlank)) || (rules.ignored.length > 0 && lines.every(isMatched));
	}
	return changes;
}
