import { hunksOf, type HunkShape } from './hunks.ts';
import { lineChanges } from './unified-diff.ts';

const SHAPE: HunkShape = { context: 3, between: 0, functions: false, headingOf: () => null };

/** Hunks of two texts without headings, colors and config settings. */
export function plainHunks(before: readonly string[], after: readonly string[]): string {
	return hunksOf(before, after, lineChanges(before, after), SHAPE)
		.map(({ from, to, fromAfter, toAfter, changes }) => {
			let text = `@@ -${range(from, to)} +${range(fromAfter, toAfter)} @@\n`;
			let at = from;
			for (const { beforeStart, beforeCount, afterStart, afterCount } of changes) {
				text += marked(' ', before.slice(at, beforeStart));
				at = beforeStart + beforeCount;
				text +=
					marked('-', before.slice(beforeStart, at)) + marked('+', after.slice(afterStart, afterStart + afterCount));
			}
			return text + marked(' ', before.slice(at, to));
		})
		.join('');
}

function range(from: number, to: number): string {
	const count = to - from;
	return `${count === 0 ? from : from + 1}${count === 1 ? '' : `,${count}`}`;
}

const marked = (mark: string, lines: readonly string[]): string =>
	lines.map((line) => (line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`)).join('');
