import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { Author } from './repository/author.ts';

/** Origin of a project. */
export interface ProjectOrigin {
	kind: 'git' | 'folder' | 'zip' | 'files' | 'sample';
	/** Display name, e.g. `owner/repo` or the folder's name. */
	name: string;
	url?: string;
	ref?: string;
	/** Commit of the import, if the origin has one. */
	commit?: string;
}

/** Sources that users can import. */
export type ImportSource =
	/** `folders`: only these folders, and the files in their parent folders. */
	| { kind: 'git'; url: string; ref?: string; token?: string; folders?: readonly string[] }
	| { kind: 'folder'; name: string; files: AsyncIterable<ImportFile> }
	| { kind: 'zip'; name: string; data: Blob | Uint8Array; folders?: readonly string[] }
	| { kind: 'files'; name: string; files: Record<string, string | Uint8Array> }
	| { kind: 'sample'; name: string };

export interface ImportFile {
	/** Relative, with `/` as separator. */
	path: string;
	bytes: Uint8Array;
	/** Defaults to `0o644`. */
	mode?: number;
}

/** A folder of a source that is too large as a whole. */
export interface FolderSize {
	/** Relative, without a trailing slash. */
	path: string;
	files: number;
	bytes: number;
}

export interface ImportProgress {
	phase: 'connecting' | 'downloading' | 'unpacking' | 'baseline' | 'done';
	receivedBytes: number;
	/** If the sender announced it. */
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

/**
 * Imports a repository.
 * @param environment may still be starting: the download starts meanwhile
 */
export type ImportRepository = (
	source: ImportSource,
	environment: ExecutionEnvironment | Promise<ExecutionEnvironment>,
	options?: {
		onProgress?: (progress: ImportProgress) => void;
		signal?: AbortSignal;
		fetch?: typeof fetch;
		serverUrl?: string;
		/** Maximum size of an import; 400 MiB when absent. */
		maxBytes?: number;
		/** Awaited once, before the first program runs in the environment; if it rejects, so does the import. */
		beforePrograms?: () => Promise<void>;
	}
) => Promise<ImportResult>;

export interface ImportResult {
	origin: ProjectOrigin;
	files: number;
	bytes: number;
	/** Parts that are missing or differ, one sentence each (submodules, LFS pointers, skipped files). */
	notices: string[];
}

export interface ChangedFile {
	/** Relative to the working directory. */
	path: string;
	kind: 'added' | 'modified' | 'removed';
	added: number;
	removed: number;
	binary: boolean;
	/** Identifies both sides: unchanged as long as the difference is. */
	version: string;
}

export interface Comparison {
	before: Uint8Array | null;
	after: Uint8Array | null;
	/** Mode with type bits; `null` if there is no such file. */
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
	/** The session entry that was current at that time; `null` before the conversation started. */
	entryId: string | null;
}

/**
 * One file that differs between an earlier tree and now; `null` on the side where it does not exist. Modes have
 * type bits.
 */
export interface PathDifference {
	path: string;
	before: { mode: number; blob: string } | null;
	after: { mode: number; blob: string } | null;
}

export interface CommitOptions {
	/** Replaces the last commit by one with its changes and these. */
	amend?: boolean;
	/** Defaults to the author in git's settings. */
	author?: Author | undefined;
}

/** A project in an environment: its changes, checkpoints and exports. One per open session. */
export interface WorkspaceApi {
	readonly environment: ExecutionEnvironment;
	readonly origin: ProjectOrigin;
	/** Differences from the baseline: the import, or the last commit made here that git's HEAD is based on. */
	changes(): Promise<ChangedFile[]>;
	/** Contents for a diff; `null` on the side where the file does not exist. */
	compare(path: string): Promise<Comparison>;
	/** All files that git tracks or would add, relative to the working directory, sorted. */
	files(): Promise<string[]>;
	/**
	 * Changes from an earlier tree to the current files, without files that git ignores.
	 *
	 * @param tree id of a checkpoint's tree, or the tree itself; `null` for the import's tree, even if commits were
	 * made since
	 */
	differencesFrom(tree: string | ReadonlyMap<string, { mode: number; blob: string }> | null): Promise<PathDifference[]>;
	/** Content of a blob of these files or of a checkpoint. */
	readBlob(id: string): Promise<Uint8Array>;
	/** Restores a file to its baseline version. */
	revertFile(path: string): Promise<void>;
	/** Reverts one hunk of the unified diff, counted from 0. */
	revertHunk(path: string, hunk: number): Promise<void>;
	/**
	 * Commits all files that git does not ignore.
	 *
	 * @returns the commit's id. Rejects with an EnvironmentError with git's error message
	 */
	commit(message: string, options?: CommitOptions): Promise<string>;
	/**
	 * Subject of git's HEAD if someone else, such as the agent, has committed all changes; `null` while there are
	 * uncommitted changes.
	 */
	committedElsewhere(): Promise<string | null>;
	/**
	 * Takes a checkpoint of the current files and counts changes from there.
	 * @param subject of the commit that contains them
	 */
	countFromHere(subject: string): Promise<void>;
	readonly checkpoints: readonly Checkpoint[];
	takeCheckpoint(label: string, entryId: string | null): Promise<Checkpoint>;
	/** Id of the tree that changes would be counted from at a checkpoint, given the checkpoint's tree. */
	baselineOf(tree: string): Promise<string>;
	/** Restores the files of a checkpoint; takes a checkpoint of the present first, so that it can be undone. */
	goTo(checkpointId: string): Promise<void>;
	exportPatch(): Promise<string>;
	exportZip(): Promise<Uint8Array>;
	/** Called after each batch of file changes or a new checkpoint. Returns the unsubscriber. */
	onUpdate(listener: () => void): () => void;
}
