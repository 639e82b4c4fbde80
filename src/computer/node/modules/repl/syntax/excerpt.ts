import { parse, tokenizer } from 'acorn';
import { isParseError } from './parse-error.ts';

/**
 * Shows where a script is invalid: its line, and carets below the token.
 * @param message the engine's, which may mark another token than the parser
 * @returns text that ends with an empty line; null if the parser finds nothing wrong
 */
export function excerpt(code: string, message: string): string | null {
	try {
		parse(code, { ecmaVersion: 'latest' });
		return null;
	} catch (error) {
		if (!isParseError(error)) throw error;
		const [start, width] = tokenAt(code, error.pos, message);
		const lineStart = code.lastIndexOf('\n', start - 1) + 1;
		const [text = ''] = code.slice(lineStart).split(/[\r\n]/, 1);
		const column = start - lineStart;
		return `${text}\n${' '.repeat(column)}${'^'.repeat(Math.max(1, Math.min(width, text.length - column)))}\n\n`;
	}
}

/**
 * Token that an engine marks for an error at an index.
 * @returns its start and length
 */
function tokenAt(code: string, at: number, message: string): [start: number, length: number] {
	// The parser names the place behind the slash.
	if (message.startsWith('Invalid regular expression')) return [at - 1, 1];
	const isBefore = message.startsWith('Missing initializer');
	let last: [number, number] = [at, 1];
	try {
		for (const { start, end } of tokenizer(code, { ecmaVersion: 'latest' })) {
			if (start >= at) return start > at || isBefore ? last : [start, end - start];
			if (isBefore) last = [start, end - start];
		}
	} catch (error) {
		if (!isParseError(error)) throw error;
		// A string without an end, or a word or number that is not valid.
		return [at, /^(?:["'][^]*|[\w$]+|)/.exec(code.slice(at))?.[0].length ?? 1];
	}
	return last;
}
