import { displayWidth, letterWidth } from '../display-width.ts';

export type Flush = 'left' | 'right' | 'both' | 'steal';
export type Cut = 'none' | 'start' | 'middle' | 'end';

/** Fits text to a width in cells: pads it with blanks, or truncates it with `..`. */
export function fittedText(text: string, width: number, flush: Flush, cut: Cut): string {
	const cells = displayWidth(text);
	if (cells > width) {
		const without = cells - (width - 2);
		if (cut === 'none') return text;
		return cutText(text, cut === 'start' ? 0 : cut === 'middle' ? Math.trunc(width / 2) - 1 : width - 2, without);
	}
	const blanks = width - cells;
	const before = flush === 'left' || flush === 'steal' ? blanks : flush === 'both' ? Math.trunc(blanks / 2) : 0;
	return ' '.repeat(before) + text + ' '.repeat(blanks - before);
}

/** Replaces some cells with `..`; keeps colors. */
function cutText(text: string, start: number, cells: number): string {
	let shown = '';
	let at = 0;
	let hasMark = false;
	for (const [part] of text.matchAll(/\x1b\[[0-9;]*m|[\s\S]/gu)) {
		const width = part.startsWith('\x1b[') ? 0 : letterWidth(part);
		if (width === 0 || at < start || at >= start + cells) shown += part;
		else if (!hasMark) {
			shown += '..';
			hasMark = true;
		}
		at += width;
	}
	return shown;
}

/** Width of the last line of a text in cells. */
export const lastLineWidth = (text: string): number => displayWidth(text.slice(text.lastIndexOf('\n') + 1));

/** Removes blanks, with colors between them, from the end of a text. */
export function stealBlanks(text: string, wanted: number): { kept: string; colors: string; stolen: number } {
	let kept = text;
	let colors = '';
	let stolen = 0;
	while (stolen < wanted && kept.length > 1) {
		const color = /\x1b\[[0-9;]{0,8}m$/.exec(kept)?.[0];
		if (kept.endsWith(' ')) {
			kept = kept.slice(0, -1);
			stolen++;
		} else if (color !== undefined) {
			kept = kept.slice(0, -color.length);
			colors = color + colors;
		} else break;
	}
	return { kept, colors, stolen };
}
