import { ansiColor } from '../config/ansi-color.ts';
import { COLOR_RESET } from '../color-choice.ts';
import { fatal } from '../errors.ts';
import { fittedText, lastLineWidth, stealBlanks, type Cut, type Flush } from './fitted-text.ts';
import { wrapText } from './wrapped-text.ts';

/** Maximum width of a column or an indent, so that a format cannot exhaust the memory. */
const MOST_CELLS = 16 * 1024;

/** Values of the placeholders that depend on a commit. */
export interface PlaceholderValues {
	/**
	 * Value and length of the placeholder at the start of the text; null if there is none.
	 *
	 * @param isColored adds colors, by `%C(auto)`
	 */
	value(text: string, isColored: boolean): { shown: string; length: number } | null;
}

export interface ExpansionRoom {
	isColored: boolean;
	/** Width of the terminal in cells. */
	columns: number;
}

const BASIC_COLORS: Readonly<Record<string, string>> = {
	...{ red: '\x1b[31m', green: '\x1b[32m', blue: '\x1b[34m', reset: COLOR_RESET }
};

/** Replaces the placeholders of a format. */
export function expandFormat(format: string, values: PlaceholderValues, room: ExpansionRoom): string {
	return new Expansion(values, room).expand(format);
}

class Expansion {
	#shown = '';
	#isAutoColored = false;
	#wrap = { start: 0, width: 0, first: 0, rest: 0 };
	/** Width for the output of the next placeholder. */
	#fit: { width: number; isColumn: boolean; flush: Flush; cut: Cut } | null = null;

	constructor(
		private readonly values: PlaceholderValues,
		private readonly room: ExpansionRoom
	) {}

	expand(format: string): string {
		for (let at = 0; at < format.length;) {
			const percent = format.indexOf('%', at);
			const end = percent < 0 ? format.length : percent;
			this.#shown += format.slice(at, end);
			if (percent < 0) break;
			const rest = format.slice(percent + 1);
			const length = rest.startsWith('%') ? this.#add('%', 1) : this.#item(rest);
			if (length === 0) this.#shown += '%';
			at = percent + 1 + length;
		}
		this.#rewrap(0, 0, 0);
		return this.#shown;
	}

	#add(text: string, length: number): number {
		this.#shown += text;
		return length;
	}

	/** Expands a placeholder with an optional sign; returns its length, 0 if there is none. */
	#item(text: string): number {
		const sign = /^[-+ ]/.test(text) ? text[0]! : '';
		const rest = text.slice(sign.length);
		if (sign !== '' && rest.startsWith('w')) return 0;
		const before = this.#shown.length;
		const length = this.#fit ? this.#fitted(rest) : this.#one(rest);
		if (sign === '') return length;
		const added = this.#shown.slice(before);
		if (added === '' && sign === '-') this.#shown = this.#shown.replace(/\n+$/, '');
		else if (added !== '' && sign !== '-')
			this.#shown = this.#shown.slice(0, before) + (sign === '+' ? '\n' : ' ') + added;
		return length + 1;
	}

	#one(text: string): number {
		const hex = /^x([0-9a-fA-F]{2})/.exec(text)?.[1];
		if (hex !== undefined) return this.#add(String.fromCharCode(Number.parseInt(hex, 16)), 3);
		if (text.startsWith('n')) return this.#add('\n', 1);
		if (text.startsWith('C')) return this.#color(text);
		if (text.startsWith('w')) return this.#wrapping(text);
		if (/^[<>]/.test(text)) return this.#fitting(text);
		const found = this.values.value(text, this.#isAutoColored);
		return found === null ? 0 : this.#add(found.shown, found.length);
	}

	#color(text: string): number {
		const { isColored } = this.room;
		if (text.startsWith('C(auto)')) {
			this.#isAutoColored = isColored;
			return this.#add(isColored && this.#shown !== '' ? COLOR_RESET : '', 7);
		}
		const [whole, when, name = ''] = /^C\((auto,|always,)?([^)]*)\)/.exec(text) ?? [];
		const basic = /^C(red|green|blue|reset)/.exec(text)?.[1];
		if (whole === undefined && basic === undefined) return 0;
		this.#isAutoColored = false;
		if (whole === undefined) return this.#add(isColored ? BASIC_COLORS[basic!]! : '', basic!.length + 1);
		if (!isColored && when !== 'always,') return whole.length;
		const color = ansiColor(name);
		if (color === null) throw fatal('unable to parse --pretty format');
		return this.#add(color, whole.length);
	}

	#wrapping(text: string): number {
		const [whole, width = '0', first = '0', rest = '0'] = /^w\((?:(\d*)(?:,(\d*)(?:,(\d*))?)?)?\)/.exec(text) ?? [];
		if (whole === undefined || [width, first, rest].some((number) => Number(number) > MOST_CELLS)) return 0;
		this.#rewrap(Number(width), Number(first), Number(rest));
		return whole.length;
	}

	/** Wraps the text added since the last `%w`, as that one specified. */
	#rewrap(width: number, first: number, rest: number): void {
		const last = this.#wrap;
		if (last.width === width && last.first === first && last.rest === rest) return;
		const tail = this.#shown.slice(last.start);
		if (tail !== '') this.#shown = this.#shown.slice(0, last.start) + wrapText(tail, last.first, last.rest, last.width);
		this.#wrap = { start: this.#shown.length, width, first, rest };
	}

	#fitting(text: string): number {
		const pattern = /^(<|>><?|><|>)(\|?)\(\s*([+-]?\d+)\s*(?:,(trunc|ltrunc|mtrunc))?\)/;
		const [whole, arrows = '', column = '', digits = '', cut] = pattern.exec(text) ?? [];
		if (whole === undefined || arrows === '>><') return 0;
		let width = Number(digits);
		if (width === 0 || Math.abs(width) > MOST_CELLS) return 0;
		if (width < 0 && column !== '') width += this.room.columns;
		if (width < 0) return 0;
		const flushes: Record<string, Flush> = { '<': 'right', '>': 'left', '>>': 'steal', '><': 'both' };
		const cuts: Record<string, Cut> = { trunc: 'end', ltrunc: 'start', mtrunc: 'middle' };
		this.#fit = { width, isColumn: column !== '', flush: flushes[arrows]!, cut: cuts[cut ?? ''] ?? 'none' };
		return whole.length;
	}

	/** Fits the next placeholder, with the colors before it, to its width. */
	#fitted(text: string): number {
		const { isColumn, flush, cut, ...fit } = this.#fit!;
		let width = isColumn ? fit.width - lastLineWidth(this.#shown) : fit.width;
		const before = this.#shown;
		this.#shown = '';
		this.#fit = null;
		let length = 0;
		for (let rest = text; ; rest = text.slice(length)) {
			const isColor = rest.startsWith('C');
			const taken = this.#one(rest);
			length += taken;
			if (!isColor || taken === 0 || text[length] !== '%') break;
			length++;
		}
		let own = this.#shown;
		this.#shown = before;
		if (flush === 'steal') {
			const { kept, colors, stolen } = stealBlanks(before, lastLineWidth(own) - width);
			this.#shown = kept;
			own = colors + own;
			width += stolen;
		}
		this.#shown += fittedText(own, width, flush, cut);
		return length;
	}
}
