/** A loss in the storage of a session. Everything not listed is intact. */
export type Damage =
	/** Minimum number of unreadable lines of the conversation. */
	| { kind: 'conversation_lines'; count: number }
	/** There are files, but no conversation. */
	| { kind: 'conversation_missing' }
	/** Minimum number of unreadable file changes. Files may be older than they were. */
	| { kind: 'change_lines'; count: number }
	/** The list of files is lost; this many contents exist without names. */
	| { kind: 'changes_missing'; contents: number }
	/** The last changes to files, whose contents are missing: the files are as they were before. */
	| { kind: 'last_changes'; count: number; paths: readonly string[] }
	/** Files whose contents are damaged or missing, by absolute path. */
	| { kind: 'files'; paths: readonly string[] }
	/** Checkpoints whose files are unknown. */
	| { kind: 'checkpoints'; count: number };

/** A file as it is stored. */
export interface RawFile {
	name: string;
	bytes: Uint8Array;
}
