/** Error of an `eval` function: the statement is incomplete, and the prompt asks for its next line. */
export class Recoverable extends SyntaxError {
	/** @param err error to report if no more lines come */
	constructor(readonly err: unknown) {
		super();
	}
}
