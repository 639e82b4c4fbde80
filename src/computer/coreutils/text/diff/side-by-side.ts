import type { Change, Sides } from './changes.ts';
import type { Painter } from './painter.ts';

const GUTTER = 3;

export interface Columns {
	/** Width of the whole output in characters. */
	width: number;
	/** Side on which common lines are shown: both, only the left, or none. */
	common: 'both' | 'left' | 'none';
	isExpanded: boolean;
	tab: number;
	paint: Painter;
}

/** `diff -y`: shows both files side by side, with GNU's layout. */
export function sideBySide(sides: Sides, changes: readonly Change[], how: Columns): string {
	const { common, paint } = how;
	const rows = new Rows(how);
	let output = '';
	let [left, right] = [0, 0];
	const same = (leftEnd: number, rightEnd: number): void => {
		if (common === 'both')
			while (left < leftEnd && right < rightEnd) output += rows.show(sides.old[left++], ' ', sides.new[right++]);
		if (common === 'both') while (right < rightEnd) output += rows.show(undefined, ')', sides.new[right++]);
		if (common !== 'none') while (left < leftEnd) output += rows.show(sides.old[left++], '(', undefined);
		[left, right] = [leftEnd, rightEnd];
	};
	for (const { oldStart, oldCount, newStart, newCount, isIgnorable } of changes) {
		if (isIgnorable) continue;
		same(oldStart, newStart);
		for (let at = 0; at < Math.max(oldCount, newCount); at++) {
			const sign = at >= oldCount ? '>' : at >= newCount ? '<' : '|';
			const [one, other] = [
				sign === '>' ? undefined : sides.old[left++],
				sign === '<' ? undefined : sides.new[right++]
			];
			const row = rows.show(one, sign, other);
			output += sign === '|' ? row : paint(sign === '>' ? 'ad' : 'de', row);
		}
	}
	same(sides.old.length, sides.new.length);
	return output;
}

/** Formats rows for a width. */
class Rows {
	/** Width of each side in columns. */
	readonly #half: number;
	/** Column where the right side starts. */
	readonly #second: number;

	constructor(private readonly how: Columns) {
		const { width, tab, isExpanded } = how;
		const step = isExpanded ? 1 : tab;
		const middle = (width >> 1) + ((step + GUTTER) >> 1) + (width & (step + GUTTER) & 1);
		const aligned = middle - (middle % step);
		this.#half = Math.max(0, Math.min(aligned - GUTTER, width - aligned));
		this.#second = this.#half > 0 ? aligned : width;
	}

	show(left: string | undefined, sign: string, right: string | undefined): string {
		const [half, second] = [this.#half, this.#second];
		const ends = (line: string | undefined): boolean => line?.endsWith('\n') === true;
		const first = left === undefined ? { text: '', column: 0 } : this.#cut(left, 0);
		let { text, column } = first;
		if (sign !== ' ') {
			const at = (half + second - 1) >> 1;
			const shown = sign === '|' && ends(left) !== ends(right) ? (ends(left) ? '/' : '\\') : sign;
			text += this.#blank(column, at) + shown;
			column = Math.max(column, at) + 1;
		}
		if (right !== undefined && right !== '\n') text += this.#blank(column, second) + this.#cut(right, second).text;
		return text + (ends(left) || ends(right) ? '\n' : '');
	}

	/** White space from one column to another, with tabs where possible. */
	#blank(from: number, to: number): string {
		const { tab: step, isExpanded } = this.how;
		let text = '';
		let column = from;
		for (let tab = from + step - (from % step); !isExpanded && tab <= to; tab += step) {
			text += '\t';
			column = tab;
		}
		return text + ' '.repeat(Math.max(0, to - column));
	}

	/** Truncates a line to the available width. */
	#cut(line: string, indent: number): { text: string; column: number } {
		const { tab, isExpanded } = this.how;
		const room = this.#half;
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
			const spaces = tab - (read % tab);
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
}
