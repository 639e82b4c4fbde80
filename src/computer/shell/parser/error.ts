/**
 * Effect of an error: `text` discards the whole source. `test` does so too, but keeps `$?` (inside `[[ … ]]`). `line`
 * discards the rest of the line. `shell` ends the shell (inside `$(…)`).
 */
export type SyntaxErrorCost = 'text' | 'test' | 'line' | 'shell';

/** Text that is not valid shell syntax. `incomplete`: further lines could complete it. */
export class ShellSyntaxError extends Error {
	override readonly name = 'ShellSyntaxError';
	constructor(
		message: string,
		readonly incomplete: boolean,
		readonly line = 0,
		readonly cost: SyntaxErrorCost = 'text',
		/** Line of the text that a message shows; empty for none. */
		readonly text = ''
	) {
		super(message);
	}

	/** Returns the same error with another effect. One that further lines could complete is unchanged. */
	with(cost: SyntaxErrorCost): ShellSyntaxError {
		return this.incomplete ? this : new ShellSyntaxError(this.message, false, this.line, cost, this.text);
	}
}
