/** A member of an archive. */
export interface ArchiveEntry {
	/** Path with its prefix; a directory's ends with a slash. */
	path: string;
	/** Mode as trees have it. */
	mode: number;
	/** Id of what it was made of; of an added file that of its content. */
	id: string;
	content: Uint8Array;
	/** Its line ends are no text. */
	isBinary: boolean;
}

/** Facts about a whole archive. */
export interface ArchiveHead {
	/** Commit that it was made of. */
	commit: string | null;
	/** Time of its members, in seconds since 1970. */
	seconds: number;
	/** Level of compression, 0 to 9; null for the usual one. */
	level: number | null;
}
