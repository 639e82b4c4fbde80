import { diffArrays } from 'diff';

const TAB = 8;
const GUTTER = 3;

export interface Columns {
	/** Width of the whole output in characters. */
	width: number;
	ignore: (line: string) => string;
	/** Lines that are the same are not shown, or only on the left. */
	common: 'both' | 'left' | 'none';
	isExpanded: boolean;
}

/** `diff -y`: both texts beside each other, laid out as GNU's does. @param before lines with their ends */
export function sideBySide(before: readonly string[], after: readonly string[], how: Columns): string {
	const { ignore, common, width, isExpanded } = how;
	const step = isExpanded ? 1 : TAB;
	const middle = (width >> 1) + ((step + GUTTER) >> 1) + (width & (step + GUTTER) & 1);
	const aligned = middle - (middle % step);
	const half = Math.max(0, Math.min(aligned - GUTTER, width - aligned));
	const layout: Layout = { half, second: half > 0 ? aligned : width, isExpanded };
	const same = (a: string, b: string): boolean => ignore(a) === ignore(b);
	const parts = diffArrays([...before], [...after], { comparator: same });
	let output = '';
	let [left, right] = [0, 0];
	for (let index = 0; index < parts.length;) {
		const part = parts[index++];
		if (!part) break;
		const count = part.value.length;
		if (!part.added && !part.removed) {
			for (let at = 0; at < count; at++, left++, right++) {
				if (common === 'both') output += row(before[left], ' ', after[right], layout);
				if (common === 'left') output += row(before[left], '(', undefined, layout);
			}
			continue;
		}
		const next = parts[index];
		const isPaired = next !== undefined && (next.added || next.removed) && next.added !== part.added;
		if (isPaired) index++;
		const [gone, come] = part.removed
			? [count, isPaired ? next.value.length : 0]
			: [isPaired ? next.value.length : 0, count];
		for (let at = 0; at < Math.max(gone, come); at++) {
			const sign = at >= gone ? '>' : at >= come ? '<' : '|';
			output += row(at < gone ? before[left + at] : undefined, sign, at < come ? after[right + at] : undefined, layout);
		}
		left += gone;
		right += come;
	}
	return output;
}

interface Layout {
	/** Columns of each side. */
	half: number;
	/** Column where the right side starts. */
	second: number;
	isExpanded: boolean;
}

function row(left: string | undefined, sign: string, right: string | undefined, layout: Layout): string {
	const { half, second, isExpanded } = layout;
	const ends = (line: string | undefined): boolean => line?.endsWith('\n') === true;
	const first = left === undefined ? { text: '', column: 0 } : cut(left, 0, half, isExpanded);
	let { text, column } = first;
	if (sign !== ' ') {
		const at = (half + second - 1) >> 1;
		const shown = sign === '|' && ends(left) !== ends(right) ? (ends(left) ? '/' : '\\') : sign;
		text += blank(column, at, isExpanded) + shown;
		column = Math.max(column, at) + 1;
	}
	if (right !== undefined && right !== '\n') {
		text += blank(column, second, isExpanded) + cut(right, second, half, isExpanded).text;
	}
	return text + (ends(left) || ends(right) ? '\n' : '');
}

/** White space from one column to another, in tabs as far as they fit. */
function blank(from: number, to: number, isExpanded: boolean): string {
	let text = '';
	let column = from;
	for (let tab = from + TAB - (from % TAB); !isExpanded && tab <= to; tab += TAB) {
		text += '\t';
		column = tab;
	}
	return text + ' '.repeat(Math.max(0, to - column));
}

/** Truncates a line to the available width. */
function cut(line: string, indent: number, room: number, isExpanded: boolean): { text: string; column: number } {
	let text = '';
	let [read, written] = [0, 0];
	for (const character of line.replace(/\n$/, '')) {
		if (character !== '\t') {
			read++;
			if (read > room) continue;
			text += character;
			written = read;
			continue;
		}
		const spaces = TAB - (read % TAB);
		if (read === written) {
			const stop = written + spaces;
			if (isExpanded) {
				const end = Math.min(stop, room);
				text += ' '.repeat(Math.max(0, end - written));
				written = end;
			} else if (stop < room) {
				text += '\t';
				written = stop;
			}
		}
		read += spaces;
	}
	return { text, column: indent + written };
}
