/**
 * Consequence of an error: `text` discards all of the source. `test` as well, but keeps `$?` (inside `[[ …
 * ]]`). `line` discards the rest of the line. `shell` ends the shell (inside `$(…)`).
 */
export type SyntaxErrorCost = 'text' | 'test' | 'line' | 'shell';

/** Text that is not shell. `incomplete`: more lines could make it right. */
export class ShellSyntaxError extends Error {
	override readonly name = 'ShellSyntaxError';
	constructor(
		message: string,
		readonly incomplete: boolean,
		readonly line = 0,
		readonly cost: SyntaxErrorCost = 'text',
		/** The line of the text that a message shows; empty for none. */
		readonly text = ''
	) {
		super(message);
	}

	/** Returns the same error with another consequence. One that more lines could complete is unchanged. */
	with(cost: SyntaxErrorCost): ShellSyntaxError {
		return this.incomplete ? this : new ShellSyntaxError(this.message, false, this.line, cost, this.text);
	}
}
