/** Error of the parser. */
export interface ParseError extends SyntaxError {
	/** Index of the token that it does not expect. */
	pos: number;
	/** Index up to which it has read. */
	raisedAt: number;
	loc: { line: number; column: number };
}

export function isParseError(error: unknown): error is ParseError {
	return error instanceof SyntaxError && 'raisedAt' in error && 'pos' in error;
}
