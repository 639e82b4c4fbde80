import { parse } from 'acorn';
import { isParseError } from './parse-error.ts';

/** A string goes on in the next line behind a backslash. */
const CONTINUED = /\\(?:\r\n?|\n|\u2028|\u2029)$/;

/**
 * Detects an invalid script that more lines can make valid.
 * @param code script that the engine does not compile, with a newline at its end
 */
export function isIncomplete(code: string): boolean {
	if (/^\s*\{/.test(code) && isIncomplete(`(${code}`)) return true;
	try {
		parse(code, { ecmaVersion: 'latest' });
		// The engine refuses it for another reason.
		return false;
	} catch (error) {
		if (!isParseError(error)) throw error;
		const message = error.message.replace(/ \(\d+:\d+\)$/, '');
		if (message === 'Unterminated template' || message === 'Unterminated comment') return true;
		if (message === 'Unterminated string constant') return CONTINUED.test(code.slice(0, error.raisedAt));
		// Behind the newline, only the end of the text can have been read.
		return error.raisedAt >= code.length;
	}
}

/** Detects a statement or an expression, which may await. */
export function isValidSyntax(code: string): boolean {
	return [code, `_=${code}`].some((text) => {
		try {
			parse(text, { ecmaVersion: 'latest', allowAwaitOutsideFunction: true });
			return true;
		} catch (error) {
			if (!isParseError(error)) throw error;
			return false;
		}
	});
}
