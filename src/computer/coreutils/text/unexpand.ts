import { utility } from '../options.ts';
import { tabStops, eachLine, columnAfter, type TabStops } from './tab-stops.ts';

/** `unexpand`: converts blanks to tabs, at the start of each line or everywhere. */
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

/** Tabs up to the last stop that the blanks reach, then spaces. A single space at a stop is not converted. */
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
