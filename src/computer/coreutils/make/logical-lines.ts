import { findUnquoted } from './names.ts';

/** Lines of a makefile joined by backslashes. */
export interface LogicalLine {
	/** As written, with line ends. */
	text: string;
	/** Number of its first line; 1-based. */
	number: number;
}

/** Splits a makefile into lines; one that ends in a backslash is joined with the next. */
export function logicalLines(source: string): LogicalLine[] {
	const raw = source.replaceAll('\r\n', '\n').split('\n');
	if (raw.at(-1) === '') raw.pop();
	const lines: LogicalLine[] = [];
	for (let index = 0; index < raw.length; index++) {
		const number = index + 1;
		let text = raw[index] ?? '';
		while (/(?:^|[^\\])(?:\\\\)*\\$/.test(text) && index + 1 < raw.length) text += `\n${raw[++index]}`;
		// At the end of the file nothing follows to be joined.
		lines.push({ text: index + 1 === raw.length ? text.replace(/((?:^|[^\\])(?:\\\\)*)\\$/, '$1') : text, number });
	}
	return lines;
}

/**
 * Joins lines at backslashes: the surrounding blanks become one, and two backslashes become a literal one.
 * @param keepsBlanks whether blanks before the backslash stay, as in POSIX
 */
export function joined(text: string, keepsBlanks = false): string {
	let result = '';
	let rest = text;
	for (;;) {
		const found = /(\\+)\n/.exec(rest);
		if (!found) return result + rest;
		const [whole, slashes = ''] = found;
		const kept = slashes.slice(0, slashes.length >> 1);
		const isJoined = slashes.length % 2 === 1;
		result += rest.slice(0, found.index) + kept;
		rest = rest.slice(found.index + whole.length);
		if (!isJoined) result += '\n';
		else {
			if (kept === '' && !keepsBlanks) result = result.replace(/[ \t]+$/, '');
			result += ' ';
			rest = rest.replace(/^[ \t]+/, '');
		}
	}
}

/** Removes the comment from a line. `\#` is a plain `#`, and one inside a reference starts no comment. */
export const withoutComment = (text: string): string => findUnquoted(text, '#').before;
