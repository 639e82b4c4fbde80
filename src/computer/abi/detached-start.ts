/** Start data of a process without shared memory. */
export interface DetachedStart {
	/** The client as a function body; see `client.ts`. */
	client: string;
	volume: PackedVolume;
	/** command → program, for `spawn` to find what is there. */
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
	/** Depth first, parents before what is in them. */
	entries: PackedEntry[];
	/** The contents of all files, one after the other. */
	bytes: ArrayBuffer;
	used: number;
}

export interface PackedEntry {
	/** Place of its directory among the entries; -1 for the root. */
	parent: number;
	name: string;
	mode: number;
	modifiedMs: number;
	/** Size of a file. */
	size?: number;
	/** Target of a symbolic link. */
	target?: string;
	/** Place of the entry that is the same file by another name. */
	sameAs?: number;
}

/** Descriptors from here on are numbered by the process. */
export const FIRST_OWN_DESCRIPTOR = 512;
export const OWN_DESCRIPTORS = 512;
