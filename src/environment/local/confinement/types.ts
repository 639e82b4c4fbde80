/**
 * Rights as the operating system enforces them. Less than all rights always means that signals reach only the command's
 * own processes.
 */
export interface EnforcedRights {
	/** Real paths that exist and are not links. */
	write: 'all' | readonly string[];
	network: boolean;
}

/** Mechanism of the operating system that enforces less than all rights. */
export interface Confinement {
	/** Builds the program that starts these words with the rights; `undefined` if that is impossible on this machine. */
	wrap(
		words: readonly string[],
		rights: EnforcedRights,
		cwd: string
	): { program: string; args: string[]; filter?: Uint8Array } | undefined;
}
