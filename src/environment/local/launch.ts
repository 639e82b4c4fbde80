/** Program to start in its own process group, with its arguments. */
export interface Launch {
	program: string;
	args: readonly string[];
	cwd: string;
	env: Record<string, string>;
	/** Written to file descriptor 3, from which a sandbox program reads its system call filter. */
	filter?: Uint8Array | undefined;
	/**
	 * Opens file descriptor 4 in both directions, to talk to the process that supervises the command; requires a filter.
	 */
	isSupervised?: boolean;
}
