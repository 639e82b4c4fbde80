/** Text that is not shell. `incomplete`: more lines could make it right. */
export class ShellSyntaxError extends Error {
	override readonly name = 'ShellSyntaxError';
	constructor(
		message: string,
		readonly incomplete: boolean,
		readonly line = 0,
		/** An error inside `[[ … ]]`, which bash does not report in `$?`. */
		readonly keepsStatus = false
	) {
		super(message);
	}
}
