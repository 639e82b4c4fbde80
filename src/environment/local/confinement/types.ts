/** Rights as the operating system enforces them. Less than all rights always means: signals only its own processes. */
export interface EnforcedRights {
	/** Real paths that exist and are no links. */
	write: 'all' | readonly string[];
	network: boolean;
}

/** Something of the operating system that holds a command to less than all rights. */
export interface Confinement {
	/** The program that starts these words so; `undefined` where it cannot on this machine. */
	wrap(
		words: readonly string[],
		rights: EnforcedRights,
		cwd: string
	): { program: string; args: string[]; filter?: Uint8Array } | undefined;
}
