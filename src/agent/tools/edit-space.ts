/**
 * A text in a form that is easier to match, mapped to positions in the original. It is never longer: line ends become
 * `\n`, and in the fuzzy form trailing spaces are removed and typographic characters become ASCII (003 §A).
 */
export interface MatchSpace {
	text: string;
	/** Start of the character at `index` in the original; a carriage return before a line feed belongs to it. */
	start(index: number): number;
	/** End of the character at `index` in the original. */
	end(index: number): number;
}

const SPECIAL = /[ \t\f\v](?=\r?\n|$)|[\r\u00a0\u2002-\u2015\u2018-\u201f\u202f\u205f\u2212\u3000]/;

/** Converts line ends to `\n`; everything else is unchanged. */
export function exactSpace(original: string): MatchSpace {
	return original.includes('\r') ? mapped(original, (text) => text, false) : identity(original);
}

/** Removes trailing spaces and converts quotes, dashes and spaces to ASCII. */
export function fuzzySpace(original: string): MatchSpace {
	return SPECIAL.test(original) ? mapped(original, asciiForm, true) : identity(original);
}

/** Fuzzy form of the search text. Its trailing spaces are kept: more text may follow on the line. */
export function fuzzyText(text: string): string {
	const lines = asciiForm(lineFeeds(text)).split('\n');
	return lines.map((line, index) => (index < lines.length - 1 ? trimSpaces(line) : line)).join('\n');
}

/** Removes trailing spaces and tabs. */
export function trimSpaces(line: string): string {
	let end = line.length;
	while (end > 0 && isSpace(line.charCodeAt(end - 1))) end--;
	return line.slice(0, end);
}

export function lineFeeds(text: string): string {
	return text.replace(/\r\n?/g, '\n');
}

export function asciiForm(text: string): string {
	return text
		.replace(/[\u2018-\u201b]/g, "'")
		.replace(/[\u201c-\u201f]/g, '"')
		.replace(/[\u2010-\u2015\u2212]/g, '-')
		.replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}

function identity(text: string): MatchSpace {
	return { text, start: (index) => index, end: (index) => index + 1 };
}

/** Builds the form of a text. `form` must keep the length. */
function mapped(original: string, form: (text: string) => string, trimEnds: boolean): MatchSpace {
	const positions = new Int32Array(original.length);
	const formed = form(original);
	const pieces: string[] = [];
	let length = 0;
	let at = 0;
	const line = /\r\n|\r|\n/g;
	while (at <= formed.length) {
		line.lastIndex = at;
		const found = line.exec(formed);
		const stop = found?.index ?? formed.length;
		let kept = stop;
		if (trimEnds) while (kept > at && isSpace(formed.charCodeAt(kept - 1))) kept--;
		pieces.push(formed.slice(at, kept));
		for (let index = at; index < kept; index++) positions[length++] = index;
		if (!found) break;
		pieces.push('\n');
		// A line end is mapped to its last character.
		positions[length++] = stop + found[0].length - 1;
		at = stop + found[0].length;
	}
	return {
		text: pieces.join(''),
		start: (index) => {
			const position = positions[index] ?? original.length;
			return original[position] === '\n' && original[position - 1] === '\r' ? position - 1 : position;
		},
		end: (index) => (positions[index] ?? original.length) + 1
	};
}

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 11 || code === 12;
