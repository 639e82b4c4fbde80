/** Ends the command: `message` goes to stderr as it is, `code` is the exit code. */
export class GitError extends Error {
	override readonly name = 'GitError';
	constructor(
		message: string,
		readonly code: number,
		/** For whoever catches it and can say more. */
		readonly reason = ''
	) {
		super(message);
	}
}

/** What git says when it cannot go on. */
export const fatal = (message: string): GitError => new GitError(`fatal: ${message}`, 128);

/** A command that was understood and could not be done. */
export const failure = (message: string, code = 1): GitError => new GitError(`error: ${message}`, code);
