/** Error in the script; the message is sed's. */
export class SedError extends Error {
	/** @param status exit status of `sed` */
	constructor(
		message: string,
		readonly status = 1
	) {
		super(message);
	}
}

export type Address =
	| { kind: 'line'; line: number }
	| { kind: 'last' }
	| { kind: 'step'; first: number; step: number }
	| { kind: 'pattern'; pattern: RegExp | null }
	| { kind: 'count'; lines: number }
	| { kind: 'multiple'; of: number };

export interface Substitution {
	pattern: RegExp | null;
	replacement: Piece[];
	global: boolean;
	nth: number;
	/** Set to print before or after evaluating the result. */
	print: 'before' | 'after' | null;
	file: string | null;
	evaluate: boolean;
}

/** Part of a replacement: text, a group (0 is `&`), or a change of case. */
export type Piece = { text: string } | { group: number } | { letters: 'U' | 'L' | 'u' | 'l' | 'E' };

export interface SedCommand {
	name: string;
	from: Address | null;
	to: Address | null;
	negated: boolean;
	/** Set while the range is open, with the line number of its end. */
	active: boolean;
	endLine: number;
	/** Set once a range that starts at a line number has started: it only does so once. */
	started: boolean;
	/** Text of `a i c`, label or file name. */
	text: string;
	number: number | null;
	substitution: Substitution | null;
	map: Map<string, string> | null;
	/** For `{`: index of the matching `}`. */
	end: number;
}
