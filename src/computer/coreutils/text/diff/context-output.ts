import { type Change, lineRange, type Sides, withoutEnd } from './changes.ts';
import type { Hunk } from './hunks.ts';
import { type LineStyle, NO_NEWLINE, signed } from './line-style.ts';
import type { Painter } from './painter.ts';

/** Formats hunks like `diff -c`: the old lines, then the new ones, with changes marked in each. */
export function contextOutput(sides: Sides, hunks: readonly Hunk[], style: LineStyle, paint: Painter): string {
	return hunks
		.map((hunk) => {
			const old: Side = {
				...{ lines: sides.old, start: hunk.oldStart, count: hunk.oldCount, sign: '-', part: 'de' },
				spanOf: ({ oldStart, oldCount }) => [oldStart, oldCount]
			};
			const changed: Side = {
				...{ lines: sides.new, start: hunk.newStart, count: hunk.newCount, sign: '+', part: 'ad' },
				spanOf: ({ newStart, newCount }) => [newStart, newCount]
			};
			const range = ({ start, count }: Side): string => lineRange(start, count);
			return (
				`***************${hunk.functionLine === null ? '' : ` ${hunk.functionLine}`}\n` +
				`${paint('ln', `*** ${range(old)} ****`)}\n${sideText(old, hunk, style, paint)}` +
				`${paint('ln', `--- ${range(changed)} ----`)}\n${sideText(changed, hunk, style, paint)}`
			);
		})
		.join('');
}

interface Side {
	lines: readonly string[];
	start: number;
	count: number;
	sign: '-' | '+';
	part: 'de' | 'ad';
	spanOf: (change: Change) => readonly [start: number, count: number];
}

/** Formats the lines of one side; empty if nothing changed there. */
function sideText(side: Side, { changes }: Hunk, style: LineStyle, paint: Painter): string {
	const { lines, start, count, sign, part, spanOf } = side;
	if (!changes.some((change) => !change.isIgnorable && spanOf(change)[1] > 0)) return '';
	let text = '';
	let next = 0;
	for (let at = start; at < start + count; at++) {
		while (next < changes.length && end(spanOf(changes[next]!)) <= at) next++;
		const change = changes[next];
		const isIn = change !== undefined && spanOf(change)[0] <= at;
		const isChanged = isIn && change.oldCount > 0 && change.newCount > 0;
		const line = lines[at] ?? '';
		const shown = signed(isChanged ? '!' : isIn ? sign : ' ', withoutEnd(line), style);
		text += `${paint(part, shown)}\n${line.endsWith('\n') ? '' : `${NO_NEWLINE}\n`}`;
	}
	return text;
}

const end = ([start, count]: readonly [number, number]): number => start + count;
