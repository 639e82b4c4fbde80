/** Exit codes of all commands. */
export const ExitCode = {
	ok: 0,
	/** The work failed, or a share differs from its receipts. */
	failed: 1,
	usage: 2,
	/** A limit or a denied permission ended the work early. */
	stopped: 3,
	/** Ctrl-C: 128 plus the number of SIGINT. */
	interrupted: 130
} as const;
