/** A member of an archive. */
export interface ArchiveEntry {
	/** Path with the prefix; that of a directory ends with a slash. */
	path: string;
	/** Mode as in a tree. */
	mode: number;
	/** Id of the object; for an added file, that of its content. */
	id: string;
	content: Uint8Array;
	/** The content is not text, so line endings are not converted. */
	isBinary: boolean;
}

/** Metadata of the whole archive. */
export interface ArchiveHead {
	/** Commit that the archive was made from. */
	commit: string | null;
	/** Modification time of all members, in seconds since 1970. */
	seconds: number;
	/** Compression level, 0 to 9; null for the default. */
	level: number | null;
}
