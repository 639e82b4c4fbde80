export interface Token {
	kind: 'number' | 'name' | 'string' | 'sign' | 'line' | 'end';
	text: string;
	line: number;
}

/** A syntax error. */
export class SyntaxProblem extends Error {
	constructor(readonly line: number) {
		super('syntax error');
	}
}

const PATTERN =
	/(\/\*[^]*?\*\/|#[^\n]*|\\\n|[ \t\r]+)|(\n)|((?:[0-9A-Z]+(?:\\\n)?)+\.?[0-9A-Z]*|\.[0-9A-Z]+)|([a-z][a-z0-9_]*)|"([^"]*)"|(\|\||&&|<=|>=|==|!=|\+\+|--|[-+*/%^]=|[-+*/%^=<>!;(){}[\],.])|([^])/gy;

/** Splits a program into tokens. */
export function tokensOf(source: string): Token[] {
	const tokens: Token[] = [];
	let line = 1;
	for (const match of source.matchAll(PATTERN)) {
		const [all, , newline, number, name, string, sign, strange] = match;
		if (newline !== undefined) tokens.push({ kind: 'line', text: '\n', line });
		else if (number !== undefined) tokens.push({ kind: 'number', text: number.replaceAll('\\\n', ''), line });
		else if (name !== undefined) tokens.push({ kind: 'name', text: name, line });
		else if (string !== undefined) tokens.push({ kind: 'string', text: string, line });
		else if (sign !== undefined || strange !== undefined) tokens.push({ kind: 'sign', text: all, line });
		line += all.split('\n').length - 1;
	}
	tokens.push({ kind: 'end', text: '', line });
	return tokens;
}
