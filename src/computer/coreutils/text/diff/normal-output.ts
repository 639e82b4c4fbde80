import { type Change, lineRange, linesOf, type Sides, withoutEnd } from './changes.ts';
import { type LineStyle, NO_NEWLINE, signed } from './line-style.ts';
import type { Painter } from './painter.ts';

/** Formats changes like `1,2c3`, with the lines of both sides. */
export function normalOutput(sides: Sides, changes: readonly Change[], style: LineStyle, paint: Painter): string {
	const lines = (part: 'ad' | 'de', sign: string, shown: readonly string[]): string =>
		shown
			.map((line) => {
				const text = paint(part, signed(sign, withoutEnd(line), style));
				return `${text}\n${line.endsWith('\n') ? '' : `${NO_NEWLINE}\n`}`;
			})
			.join('');
	let output = '';
	for (const change of changes) {
		if (change.isIgnorable) continue;
		const { oldStart, oldCount, newStart, newCount } = change;
		const letter = letterOf(change);
		const range = `${lineRange(oldStart, oldCount)}${letter}${lineRange(newStart, newCount)}`;
		output += `${paint('ln', range)}\n${lines('de', '<', linesOf(sides.old, oldStart, oldCount))}`;
		output += `${letter === 'c' ? '---\n' : ''}${lines('ad', '>', linesOf(sides.new, newStart, newCount))}`;
	}
	return output;
}

/** Letter of a change: lines are appended, deleted or changed. */
export const letterOf = ({ oldCount, newCount }: Change): 'a' | 'd' | 'c' =>
	oldCount === 0 ? 'a' : newCount === 0 ? 'd' : 'c';
