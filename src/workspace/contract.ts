import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Where a project came from. */
export interface ProjectOrigin {
	kind: 'git' | 'folder' | 'zip' | 'files' | 'sample';
	/** What the page calls it, e.g. `owner/repo` or the folder's name. */
	name: string;
	url?: string;
	ref?: string;
	/** Commit the import stands on, where the origin has one. */
	commit?: string;
}

/** What a person can import. */
export type ImportSource =
	/** `folders`: only these of it, and the files on the way to them. */
	| { kind: 'git'; url: string; ref?: string; token?: string; folders?: readonly string[] }
	| { kind: 'folder'; name: string; files: AsyncIterable<ImportFile> }
	| { kind: 'zip'; name: string; data: Blob | Uint8Array; folders?: readonly string[] }
	| { kind: 'files'; name: string; files: Record<string, string | Uint8Array> }
	| { kind: 'sample'; name: string };

export interface ImportFile {
	/** Relative, `/` between parts. */
	path: string;
	bytes: Uint8Array;
	/** Absent: `0o644`. */
	mode?: number;
}

/** A folder of a source that is too large as a whole. */
export interface FolderSize {
	/** Relative, without a slash at its end. */
	path: string;
	files: number;
	bytes: number;
}

export interface ImportProgress {
	phase: 'connecting' | 'downloading' | 'unpacking' | 'baseline' | 'done';
	receivedBytes: number;
	/** Where the sender told. */
	totalBytes?: number;
	files: number;
	elapsedMs: number;
}

export type ImportErrorCode =
	| 'invalid_url'
	| 'not_found'
	| 'private'
	| 'too_large'
	| 'no_network'
	| 'not_a_zip'
	| 'damaged'
	| 'empty'
	| 'unsupported'
	| 'cancelled'
	| 'server_error';

/** @param environment may still be starting: what is imported is asked for meanwhile */
export type ImportRepository = (
	source: ImportSource,
	environment: ExecutionEnvironment | Promise<ExecutionEnvironment>,
	options?: {
		onProgress?: (progress: ImportProgress) => void;
		signal?: AbortSignal;
		fetch?: typeof fetch;
		serverUrl?: string;
		/** What may be imported at once; 400 MiB when absent. */
		maxBytes?: number;
		/** Waited for once, before the first program runs in the environment; where it rejects, so does the import. */
		beforePrograms?: () => Promise<void>;
	}
) => Promise<ImportResult>;

export interface ImportResult {
	origin: ProjectOrigin;
	files: number;
	bytes: number;
	/** What is missing or different, each a sentence (submodules, LFS pointers, skipped files). */
	notices: string[];
}

export interface ChangedFile {
	/** Relative to the working directory. */
	path: string;
	kind: 'added' | 'modified' | 'removed';
	added: number;
	removed: number;
	binary: boolean;
	/** Names both sides: the same as long as the difference is. */
	version: string;
}

export interface Comparison {
	before: Uint8Array | null;
	after: Uint8Array | null;
	/** With type bits; `null` where there is no such file. */
	beforeMode: number | null;
	afterMode: number | null;
}

export interface Checkpoint {
	id: string;
	/** Snapshot id. */
	tree: string;
	label: string;
	/** Milliseconds since the epoch. */
	timestamp: number;
	/** The session entry that was the leaf then; `null` before the conversation began. */
	entryId: string | null;
}

/** One file that differs between an earlier tree and now; `null` where it is not there. Modes have type bits. */
export interface PathDifference {
	path: string;
	before: { mode: number; blob: string } | null;
	after: { mode: number; blob: string } | null;
}

/** A project in an environment: what changed, checkpoints, ways out. One per open session. */
export interface WorkspaceApi {
	readonly environment: ExecutionEnvironment;
	readonly origin: ProjectOrigin;
	/** What differs from the baseline: the import, or the last commit made here that git's HEAD stands on. */
	changes(): Promise<ChangedFile[]>;
	/** Contents for a diff; `null` where the file does not exist on that side. */
	compare(path: string): Promise<Comparison>;
	/** Every file of the project that git would look at, relative to the working directory, sorted. */
	files(): Promise<string[]>;
	/**
	 * What turns an earlier tree into the files now, without what git ignores.
	 *
	 * @param tree of a checkpoint, or itself; `null`: of the import, also where commits were made since
	 */
	differencesFrom(tree: string | ReadonlyMap<string, { mode: number; blob: string }> | null): Promise<PathDifference[]>;
	/** The content behind a blob id of these files or of a checkpoint. */
	readBlob(id: string): Promise<Uint8Array>;
	/** Puts a file back as the baseline has it. */
	revertFile(path: string): Promise<void>;
	/** Puts back one hunk of the unified diff, counted from 0. */
	revertHunk(path: string, hunk: number): Promise<void>;
	commit(message: string): Promise<string>;
	readonly checkpoints: readonly Checkpoint[];
	takeCheckpoint(label: string, entryId: string | null): Promise<Checkpoint>;
	/** Id of the tree that changes would be counted from at a checkpoint, by the checkpoint's tree. */
	baselineOf(tree: string): Promise<string>;
	/** Puts the files back; takes a checkpoint of the present first, so that going back is undoable. */
	goTo(checkpointId: string): Promise<void>;
	exportPatch(): Promise<string>;
	exportZip(): Promise<Uint8Array>;
	/** Called after each batch of file changes or a new checkpoint. Returns the unsubscriber. */
	onUpdate(listener: () => void): () => void;
}
