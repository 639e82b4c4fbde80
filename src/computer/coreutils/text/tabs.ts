import type { Call } from '#computer/shell/state/host.ts';
import { encode } from '#computer/process/text.ts';
import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { type Options, UsageError, utility } from '../options.ts';

const DEFAULT_WIDTH = 8;

/** The next tab stop after a column; null where there is none. */
type TabStops = (column: number) => number | null;

/** `expand`: tabs become spaces. */
export const expand = utility('i|initial t|tabs=', async (call, options) => {
	const next = tabStops(options.all('t'));
	return eachLine(call, options, (text) => {
		let [out, column, isLeading] = ['', 0, true];
		for (const char of text) {
			if (char === '\t' && (isLeading || !options.has('i'))) {
				const stop = next(column) ?? column + 1;
				out += ' '.repeat(stop - column);
				column = stop;
			} else {
				out += char;
				column = char === '\t' ? (next(column) ?? column + 1) : columnAfter(char, column);
			}
			isLeading &&= char === ' ' || char === '\t';
		}
		return out;
	});
});

/** `unexpand`: blanks become tabs, those that start a line or all of them. */
export const unexpand = utility('a|all first-only t|tabs=', async (call, options) => {
	const next = tabStops(options.all('t'));
	const isWhole = (options.has('a') || options.has('t')) && !options.has('first-only');
	return eachLine(call, options, (text) => {
		let [out, column] = ['', 0];
		for (const [whole, blanks = '', rest = ''] of text.matchAll(/([ \t]*)([^ \t]*)/g)) {
			if (!isWhole && out !== '') {
				out += whole;
				continue;
			}
			const end = [...blanks].reduce((at, char) => (char === '\t' ? (next(at) ?? at + 1) : at + 1), column);
			out += tabsFor(blanks, column, end, next) + rest;
			column = [...rest].reduce((at, char) => columnAfter(char, at), end);
		}
		return out;
	});
});

/** Tabs up to the last stop that blanks reach, and spaces behind it. A lone space at a stop stays one. */
function tabsFor(blanks: string, from: number, to: number, next: TabStops): string {
	if (blanks === ' ') return blanks;
	let [out, column] = ['', from];
	for (let stop = next(column); stop !== null && stop <= to; stop = next(column)) {
		const isLoneSpace = stop - column === 1 && stop === to && !blanks.endsWith('\t');
		out += isLoneSpace ? ' ' : '\t';
		column = stop;
	}
	return out + ' '.repeat(to - column);
}

/** Columns are bytes, as GNU counts them; a backspace goes back. */
function columnAfter(char: string, column: number): number {
	return char === '\b' ? Math.max(0, column - 1) : column + encode(char).length;
}

/** Reads `4`, `3,9` and `3,/8`. @throws UsageError */
function tabStops(lists: readonly string[]): TabStops {
	const entries = lists.flatMap((list) => list.split(/[, ]+/)).filter(Boolean);
	const stops: number[] = [];
	let [width, origin] = [0, 0];
	for (const [index, entry] of entries.entries()) {
		const [, mark, digits] = /^([/+]?)(\d+)$/.exec(entry) ?? [];
		if (digits === undefined) throw new UsageError(`tab size contains invalid character(s): '${entry}'`);
		const value = Number(digits);
		if (value === 0 && !mark) throw new UsageError('tab size cannot be 0');
		if (mark) {
			if (index < entries.length - 1) throw new UsageError(`'${mark}' specifier only allowed with the last value`);
			[width, origin] = [value, mark === '+' ? (stops.at(-1) ?? 0) : 0];
		} else if (value <= (stops.at(-1) ?? 0)) throw new UsageError('tab sizes must be ascending');
		else stops.push(value);
	}
	if (stops.length <= 1 && width === 0) [width, stops.length] = [stops[0] ?? DEFAULT_WIDTH, 0];
	return (column) => {
		const listed = stops.find((stop) => stop > column);
		if (listed !== undefined) return listed;
		return width > 0 ? column + width - ((column - origin) % width) : null;
	};
}

async function eachLine(call: Call, options: Options, change: (text: string) => string): Promise<number> {
	const out = new TextOutput(call);
	const lines = new LineSource(call, options.operands);
	lines.beforeWaiting = () => out.flush();
	for (let line = await lines.next(); line; line = await lines.next()) {
		out.add(change(line.text) + (line.ended ? '\n' : ''));
		if (out.full) await out.flush();
	}
	await out.flush();
	return lines.status;
}
