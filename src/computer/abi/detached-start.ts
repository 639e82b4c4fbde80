/** Start data of a process without shared memory. */
export interface DetachedStart {
	/** The client as a function body; see `client.ts`. */
	client: string;
	volume: PackedVolume;
	/** Command → program, so that `spawn` can look programs up. */
	programs: [command: string, program: string][];
	/** For descriptors 0, 1 and 2: true if it is a terminal. */
	terminals: boolean[];
	/** Set if standard input is empty from the start. */
	hasNoInput: boolean;
	/** Size of the terminal, if there is one. */
	size: { columns: number; rows: number } | null;
	/** Pids this process may give to its children. */
	pids: { from: number; count: number };
}

/** A whole volume in one message. */
export interface PackedVolume {
	/** Depth first, parents before their entries. */
	entries: PackedEntry[];
	/** Contents of all files, concatenated. */
	bytes: ArrayBuffer;
	used: number;
	limit: number;
}

export interface PackedEntry {
	/** Index of the parent directory among the entries; -1 for the root. */
	parent: number;
	name: string;
	mode: number;
	modifiedMs: number;
	/** Size of a file. */
	size?: number;
	/** Target of a symbolic link. */
	target?: string;
	/** Index of an earlier entry that is the same file (a hard link). */
	sameAs?: number;
}

/** Descriptors from this number on are numbered by the process. */
export const FIRST_OWN_DESCRIPTOR = 512;
export const OWN_DESCRIPTORS = 512;
