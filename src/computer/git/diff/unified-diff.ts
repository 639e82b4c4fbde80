import { compareLines } from '#environment/line-comparison.ts';
import { endByIndentation } from './indentation.ts';

/** Runs of changed lines: positions from 0 in both sides. */
export interface LineChange {
	beforeStart: number;
	beforeCount: number;
	afterStart: number;
	afterCount: number;
}

/** Significant whitespace in a line: all, its presence, all but trailing, or none. */
export type Blanks = 'count' | 'some' | 'not at the end' | 'none';

function compared(lines: readonly string[], blanks: Blanks): readonly string[] {
	if (blanks === 'count') return lines;
	if (blanks === 'none') return lines.map((line) => line.replace(/\s+/g, ''));
	const trimmed = lines.map((line) => line.replace(/\s+$/, ''));
	return blanks === 'some' ? trimmed.map((line) => line.replace(/\s+/g, ' ')) : trimmed;
}

/** Changes between two lists of lines, in order. */
export function lineChanges(
	before: readonly string[],
	after: readonly string[],
	blanks: Blanks = 'count'
): LineChange[] {
	const marks = compareLines(compared(before, blanks), compared(after, blanks), endByIndentation);
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

/** The hunks as git prints them, `@@` lines first. Binary text in, binary text out. */
export function unifiedHunks(
	before: readonly string[],
	after: readonly string[],
	context = 3,
	blanks: Blanks = 'count'
): string {
	const changes = lineChanges(before, after, blanks);
	const parts: string[] = [];
	let heading = '';
	let headingFrom = -1;
	for (let first = 0; first < changes.length;) {
		let last = first;
		while (last + 1 < changes.length) {
			const gap = changes[last + 1]!.beforeStart - (changes[last]!.beforeStart + changes[last]!.beforeCount);
			if (gap > 2 * context) break;
			last++;
		}
		const begin = changes[first]!;
		const end = changes[last]!;
		const lead = Math.min(context, begin.beforeStart, begin.afterStart);
		const from = begin.beforeStart - lead;
		const fromAfter = begin.afterStart - lead;
		const to = Math.min(before.length, end.beforeStart + end.beforeCount + context);
		const toAfter = end.afterStart + end.afterCount + (to - end.beforeStart - end.beforeCount);
		for (let i = from - 1; i > headingFrom; i--) {
			if (!/^[A-Za-z_$]/.test(before[i]!)) continue;
			heading = before[i]!.slice(0, 80).trimEnd();
			break;
		}
		headingFrom = from - 1;
		const range = (start: number, count: number) =>
			`${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
		parts.push(
			`@@ -${range(from, to - from)} +${range(fromAfter, toAfter - fromAfter)} @@${heading === '' ? '' : ` ${heading}`}\n`
		);
		let i = from;
		let j = fromAfter;
		for (const change of changes.slice(first, last + 1)) {
			// Where blanks do not count the sides differ here too; git shows the new one.
			for (; i < change.beforeStart; i++) parts.push(shown(' ', after[j++]!));
			j = change.afterStart + change.afterCount;
			for (let k = 0; k < change.beforeCount; k++) parts.push(shown('-', before[i++]!));
			for (let k = 0; k < change.afterCount; k++) parts.push(shown('+', after[change.afterStart + k]!));
		}
		for (; i < to; i++) parts.push(shown(' ', after[j++]!));
		first = last + 1;
	}
	return parts.join('');
}

const shown = (sign: string, line: string) =>
	line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
