/**
 * What an error costs: `text`: all of the source. `test`: that too, but `$?` stays (inside `[[ … ]]`).
 * `line`: the rest of the line. `shell`: the shell ends (inside `$(…)`).
 */
export type SyntaxErrorCost = 'text' | 'test' | 'line' | 'shell';

/** Text that is not shell. `incomplete`: more lines could make it right. */
export class ShellSyntaxError extends Error {
	override readonly name = 'ShellSyntaxError';
	constructor(
		message: string,
		readonly incomplete: boolean,
		readonly line = 0,
		readonly cost: SyntaxErrorCost = 'text'
	) {
		super(message);
	}

	/** The same error at another cost. One that more lines could mend stays as it is. */
	with(cost: SyntaxErrorCost): ShellSyntaxError {
		return this.incomplete ? this : new ShellSyntaxError(this.message, false, this.line, cost);
	}
}
