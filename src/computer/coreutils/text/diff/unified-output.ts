import { linesOf, type Sides, withoutEnd } from './changes.ts';
import type { Hunk } from './hunks.ts';
import { type LineStyle, lineText, NO_NEWLINE } from './line-style.ts';
import { type Painter } from './painter.ts';

/** Formats hunks like `diff -u`. */
export function unifiedOutput(sides: Sides, hunks: readonly Hunk[], style: LineStyle, paint: Painter): string {
	const row = (sign: '-' | '+' | ' ', line: string): string => {
		const text = withoutEnd(line);
		const isBare = style.leavesBlankEmpty && text === '';
		const tab = style.hasInitialTab && !isBare ? '\t' : '';
		const mark = sign !== ' ' ? sign : isBare || style.hasInitialTab ? '' : ' ';
		const whole = `${mark}${tab}${lineText(text, style)}`;
		const painted = sign === ' ' ? whole : paint(sign === '-' ? 'de' : 'ad', whole);
		return `${painted}\n${line.endsWith('\n') ? '' : `${NO_NEWLINE}\n`}`;
	};
	return hunks
		.map((hunk) => {
			const range = `@@ -${span(hunk.oldStart, hunk.oldCount)} +${span(hunk.newStart, hunk.newCount)} @@`;
			let text = `${paint('ln', range)}${hunk.functionLine === null ? '' : ` ${hunk.functionLine}`}\n`;
			let at = hunk.oldStart;
			const common = (end: number): string =>
				linesOf(sides.old, at, end - at)
					.map((line) => row(' ', line))
					.join('');
			for (const { oldStart, oldCount, newStart, newCount } of hunk.changes) {
				text += common(oldStart);
				for (const line of linesOf(sides.old, oldStart, oldCount)) text += row('-', line);
				for (const line of linesOf(sides.new, newStart, newCount)) text += row('+', line);
				at = oldStart + oldCount;
			}
			return text + common(hunk.oldStart + hunk.oldCount);
		})
		.join('');
}

const span = (start: number, count: number): string =>
	count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`;
