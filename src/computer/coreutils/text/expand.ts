import { utility } from '../options.ts';
import { tabStops, eachLine, columnAfter } from './tab-stops.ts';

/** `expand`: converts tabs to spaces. */
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
