/** Error that ends the command: `message` goes to stderr as it is, `code` is the exit code. */
export class GitError extends Error {
	override readonly name = 'GitError';
	constructor(
		message: string,
		readonly code: number,
		/** Details for callers that can explain more. */
		readonly reason = ''
	) {
		super(message);
	}
}

/** Creates git's error for a failure that ends the command. */
export const fatal = (message: string): GitError => new GitError(`fatal: ${message}`, 128);

/** Creates git's error for a valid command that could not be completed. */
export const failure = (message: string, code = 1): GitError => new GitError(`error: ${message}`, code);
