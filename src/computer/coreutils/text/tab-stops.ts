import type { Call } from '#computer/shell/state/host.ts';
import { encode } from '#computer/process/text.ts';
import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { type Options, UsageError } from '../options.ts';

const DEFAULT_WIDTH = 8;

/** Returns the next tab stop after a column; null if there is none. */
export type TabStops = (column: number) => number | null;

/** Column after a character. Columns are bytes, as in GNU; a backspace moves back. */
export function columnAfter(char: string, column: number): number {
	return char === '\b' ? Math.max(0, column - 1) : column + encode(char).length;
}

/** Parses `4`, `3,9` and `3,/8`. @throws UsageError */
export function tabStops(lists: readonly string[]): TabStops {
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

export async function eachLine(call: Call, options: Options, change: (text: string) => string): Promise<number> {
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
