/** One thing that is lost of a session in storage. What is not told here is there. */
export type Damage =
	/** Lines of the conversation that cannot be read: at least so many. */
	| { kind: 'conversation_lines'; count: number }
	/** There are files, and nothing of the conversation. */
	| { kind: 'conversation_missing' }
	/** Changes to files that cannot be read: at least so many. Files may be older than they were. */
	| { kind: 'change_lines'; count: number }
	/** The list of files is gone; so many contents are there without names. */
	| { kind: 'changes_missing'; contents: number }
	/** The last changes to files, whose contents are not there: the files are as they were before them. */
	| { kind: 'last_changes'; count: number; paths: readonly string[] }
	/** Files whose contents are damaged or missing, by absolute path. */
	| { kind: 'files'; paths: readonly string[] }
	/** Checkpoints whose files cannot be told any more. */
	| { kind: 'checkpoints'; count: number };

/** A file as it lies in storage. */
export interface RawFile {
	name: string;
	bytes: Uint8Array;
}
