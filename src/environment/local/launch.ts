/** Program to start in its own process group, with its parameters. */
export interface Launch {
	program: string;
	args: readonly string[];
	cwd: string;
	env: Record<string, string>;
	/** Written to file descriptor 3, which a sandbox program reads its system call filter from. */
	filter?: Uint8Array | undefined;
	/** Opens file descriptor 4, both ways, to talk to the process that supervises the command; the filter has to be there. */
	isSupervised?: boolean;
}
