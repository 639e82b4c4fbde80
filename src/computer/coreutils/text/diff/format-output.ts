import { type Change, linesOf, type Sides, withoutEnd } from './changes.ts';
import { type LineStyle, lineText } from './line-style.ts';

/** Formats of `--GTYPE-group-format` and `--LTYPE-line-format`. */
export interface Formats {
	groups: Readonly<Record<'old' | 'new' | 'unchanged' | 'changed', string>>;
	lines: Readonly<Record<'old' | 'new' | 'unchanged', string>>;
}

/** Formats of `-D NAME`: both files in one, using preprocessor conditions. */
export const conditionFormats = (name: string): Formats['groups'] => ({
	old: `#ifndef ${name}\n%<#endif /* ! ${name} */\n`,
	new: `#ifdef ${name}\n%>#endif /* ${name} */\n`,
	unchanged: '%=',
	changed: `#ifndef ${name}\n%<#else /* ${name} */\n%>#endif /* ${name} */\n`
});

/** Lines of a group; positions from 0. */
interface Group extends Omit<Change, 'isIgnorable'> {
	kind: keyof Formats['groups'];
}

/** Formats the complete text of both files, each run of lines in the format of its kind. */
export function formatOutput(sides: Sides, changes: readonly Change[], formats: Formats, style: LineStyle): string {
	let output = '';
	for (const group of groupsOf(sides, changes)) {
		const text = new GroupText(sides, group, formats, style);
		output += text.show(formats.groups[group.kind]);
	}
	return output;
}

function* groupsOf(sides: Sides, changes: readonly Change[]): Generator<Group> {
	let [oldAt, newAt] = [0, 0];
	for (const change of changes) {
		if (change.isIgnorable) continue;
		const { oldStart, oldCount, newStart, newCount } = change;
		if (oldStart > oldAt || newStart > newAt) yield unchanged(oldAt, oldStart, newAt, newStart);
		yield { ...change, kind: oldCount === 0 ? 'new' : newCount === 0 ? 'old' : 'changed' };
		[oldAt, newAt] = [oldStart + oldCount, newStart + newCount];
	}
	const [oldEnd, newEnd] = [sides.old.length, sides.new.length];
	if (oldEnd > oldAt || newEnd > newAt) yield unchanged(oldAt, oldEnd, newAt, newEnd);
}

const unchanged = (oldStart: number, oldEnd: number, newStart: number, newEnd: number): Group => ({
	...{ oldStart, oldCount: oldEnd - oldStart, newStart, newCount: newEnd - newStart },
	kind: 'unchanged'
});

class GroupText {
	constructor(
		private readonly sides: Sides,
		private readonly group: Group,
		private readonly formats: Formats,
		private readonly style: LineStyle
	) {}

	show(format: string): string {
		let text = '';
		for (let at = 0; at < format.length;) {
			const rest = format.slice(at);
			const condition = /^%\((\w+)=(\w+)\?/.exec(rest);
			if (condition) {
				const [head, one = '', other = ''] = condition;
				const { yes, no, end } = branches(rest, head.length);
				text += this.show(this.#number(one) === this.#number(other) ? yes : no);
				at += end;
				continue;
			}
			const [whole, flags = '', conversion = '', letter = ''] =
				/^%(?:(-?\d*(?:\.\d*)?)([doxX])([a-zA-Z])|[<>=]|%|c'(?:\\\d{1,3}|[^])')/.exec(rest) ?? [];
			if (whole === undefined) text += rest[0];
			else if (letter !== '' && /[flnem]/i.test(letter)) text += padded(flags, conversion, this.#number(letter));
			else text += letter === '' ? this.#special(whole) : whole;
			at += whole?.length ?? 1;
		}
		return text;
	}

	#special(word: string): string {
		const { sides, group, formats } = this;
		const { oldStart, oldCount, newStart, newCount } = group;
		if (word === '%%') return '%';
		if (word === '%<') return this.#lines(formats.lines.old, sides.old, oldStart, oldCount);
		if (word === '%>') return this.#lines(formats.lines.new, sides.new, newStart, newCount);
		if (word === '%=') return this.#lines(formats.lines.unchanged, sides.old, oldStart, oldCount);
		return quotedCharacter(word);
	}

	#lines(format: string, lines: readonly string[], start: number, count: number): string {
		const pieces = linesOf(lines, start, count).map((line, index) =>
			format.replace(
				/%(?:%|[lL]|c'(?:\\\d{1,3}|[^])'|(-?\d*(?:\.\d*)?)([doxX])n)/g,
				(whole, flags: string | undefined, conversion: string | undefined) => {
					if (conversion !== undefined) return padded(flags ?? '', conversion, start + index + 1);
					if (whole === '%%') return '%';
					if (whole === '%L') return lineText(line, this.style);
					return whole === '%l' ? lineText(withoutEnd(line), this.style) : quotedCharacter(whole);
				}
			)
		);
		return pieces.join('');
	}

	/** Value of a letter (upper case: of the new file) or of a number. */
	#number(letter: string): number {
		if (/^\d+$/.test(letter)) return Number(letter);
		const { oldStart, oldCount, newStart, newCount } = this.group;
		const isNew = letter === letter.toUpperCase();
		const [start, count] = isNew ? [newStart, newCount] : [oldStart, oldCount];
		const values = { f: start + 1, l: start + count, n: count, e: start, m: start + count + 1 };
		return values[letter.toLowerCase() as keyof typeof values] ?? 0;
	}
}

/** Splits `T:E)` of a condition; conditions may be nested in both. */
function branches(format: string, start: number): { yes: string; no: string; end: number } {
	let [depth, colon] = [0, -1];
	let at = start;
	for (; at < format.length; at++) {
		if (format.startsWith('%(', at)) depth++;
		else if (format[at] === ')' && depth-- === 0) break;
		else if (format[at] === ':' && depth === 0 && colon < 0) colon = at;
	}
	if (colon < 0) return { yes: format.slice(start, at), no: '', end: at + 1 };
	return { yes: format.slice(start, colon), no: format.slice(colon + 1, at), end: at + 1 };
}

/** Formats a number as in printf. */
function padded(flags: string, conversion: string, value: number): string {
	const [, minus = '', width = '', precision = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(flags) ?? [];
	const base = { d: 10, o: 8, x: 16, X: 16 }[conversion] ?? 10;
	const digits = value.toString(base).padStart(Number(precision), '0');
	const shown = conversion === 'X' ? digits.toUpperCase() : digits;
	if (minus) return shown.padEnd(Number(width));
	return shown.padStart(Number(width), width.startsWith('0') ? '0' : ' ');
}

/** `%c'C'` and `%c'\OOO'`. */
const quotedCharacter = (word: string): string => {
	const inner = word.slice(3, -1);
	return inner.length > 1 ? String.fromCharCode(Number.parseInt(inner.slice(1), 8)) : inner;
};
