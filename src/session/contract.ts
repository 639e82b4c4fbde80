import type { MachineChange } from '#agent/events.ts';
import type { SessionEntry, SessionLog } from '#agent/session-log.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { Checkpoint, ProjectOrigin } from '#workspace/contract.ts';
import type { Damage, RawFile } from './storage/damage.ts';

export type { Damage, RawFile } from './storage/damage.ts';

/** One entry of *Recent sessions*. */
export interface SessionSummary {
	id: string;
	title: string;
	origin: ProjectOrigin;
	createdMs: number;
	updatedMs: number;
	changedFiles: number;
	model: string;
	provider: string;
}

/** All sessions stored in this browser, behind one storage worker; see `storage/`. */
export interface SessionStore {
	list(): Promise<SessionSummary[]>;
	/** Creates a session that {@link enlist} adds to the list; one that is never enlisted is removed later. */
	create(options: { origin: ProjectOrigin; title: string; model: string; provider: string }): Promise<StoredSession>;
	/**
	 * Creates a session as a fork of another one, with its files at a checkpoint and the tree that changes are
	 * counted from. Returns immediately and stores the files in the background; {@link StoredSession.flush} waits
	 * for it. Not listed until {@link enlist}.
	 */
	fork(from: StoredSession, begin: ForkBeginning): Promise<StoredSession>;
	/** Lists a new session, now that it is complete. */
	enlist(session: StoredSession): Promise<void>;
	/**
	 * Removes a new session that could not be completed. Never rejects: what cannot be removed now is removed
	 * later.
	 */
	discard(session: StoredSession): Promise<void>;
	/** Rejects with `SessionNotFound` and a readable message. */
	open(id: string): Promise<StoredSession>;
	/**
	 * Opens a session only to read it, as it was stored last: it is not writable, and another tab that opens
	 * it meanwhile can write it. Rejects as {@link open} does.
	 */
	read(id: string): Promise<StoredSession>;
	/** Raw stored files of a session, whether or not it can be opened. */
	readRaw(id: string): Promise<RawFile[]>;
	delete(id: string): Promise<void>;
	rename(id: string, title: string): Promise<void>;
	eraseEverything(): Promise<void>;
	/** Calls back when a list entry changed, in any tab. Returns the unsubscriber. */
	onChange(listener: () => void): () => void;
}

/** Initial state of a fork, all of it stored in the parent session. */
export interface ForkBeginning {
	title: string;
	/** The fork's first checkpoint: the import. */
	checkpoint: Checkpoint;
	/** Id of the tree that changes are counted from. */
	baseline: string;
	/** Tree of the checkpoint that the fork's files start from. */
	files: string;
	/** Absolute path of the directory that trees describe. */
	root: string;
	/** The conversation. */
	entries: SessionEntry[];
}

/** One stored session, open in this tab. */
export interface StoredSession {
	readonly summary: SessionSummary;
	/** False while another tab has the session open; nothing is written until `takeOver`. */
	readonly writable: boolean;
	takeOver(): Promise<void>;
	onWritableChange(listener: (writable: boolean) => void): () => void;
	readonly log: SessionLog;
	/** Copies the whole entry tree of another session (a share, a fork); this session's must be empty. */
	adopt(entries: SessionEntry[]): void;
	/** Lines that could not be read, each a sentence. */
	readonly warnings: string[];
	/** Known data loss in storage; damaged file contents are found when they are read. */
	readonly damage: readonly Damage[];
	/** The raw stored files, so that users can rescue their data. */
	readRaw(): Promise<RawFile[]>;
	/** The stored files as they are now; paths are absolute. Files whose contents are lost are omitted. */
	readFiles(): Promise<{ path: string; mode: number; bytes: Uint8Array }[]>;
	/** Writes the stored files into an empty environment. */
	restoreFiles(environment: ExecutionEnvironment): Promise<void>;
	/**
	 * Stores the files of a new session, and every later change. Returns the same computer, with commands that
	 * complete only after their writes are stored.
	 */
	attach(environment: ExecutionEnvironment): Promise<ExecutionEnvironment>;
	/**
	 * Detaches the computer of {@link attach} once its changes are stored, ending its processes if possible:
	 * later changes are not stored here, and calls through this session are refused with `ECLOSED`. `null` if
	 * there is none.
	 */
	release(): Promise<ExecutionEnvironment | null>;
	checkpoints(): Checkpoint[];
	addCheckpoint(checkpoint: Checkpoint, entries: Map<string, { mode: number; blob: string }>): Promise<void>;
	/**
	 * Stores a tree that is not a checkpoint: a fork's files. Rejects if it could not be written to disk.
	 *
	 * @param blobs contents that no file of this session has had
	 */
	keepTree(
		id: string,
		entries: Map<string, { mode: number; blob: string }>,
		blobs: readonly string[],
		readBlob: (blob: string) => Promise<Uint8Array>
	): Promise<void>;
	/** The tree of a checkpoint or another stored tree; and the bytes of a blob in it. */
	readTree(tree: string): Promise<Map<string, { mode: number; blob: string }>>;
	readBlob(blob: string): Promise<Uint8Array>;
	update(
		change: Partial<Pick<SessionSummary, 'title' | 'origin' | 'changedFiles' | 'model' | 'provider'>>
	): Promise<void>;
	/** Small per-session values of the page (terminal scrollback, drafts, open files), JSON. */
	readPageState<T>(key: string): Promise<T | undefined>;
	writePageState(key: string, value: unknown): Promise<void>;
	/**
	 * Error that currently prevents storing, `null` if there is none. Failed writes stay in memory and are
	 * retried.
	 */
	readonly trouble: Error | null;
	/** Calls back when `trouble` changes. Returns the unsubscriber. */
	onTrouble(listener: (trouble: Error | null) => void): () => void;
	/**
	 * Resolves when everything so far is on disk. Rejects if it cannot be stored; nothing is lost as long as the
	 * tab is open.
	 */
	flush(): Promise<void>;
	close(): Promise<void>;
}

/** Contents of a share, before compression and encryption. */
export interface ShareBundle {
	version: 1;
	origin: ProjectOrigin;
	title: string;
	/** If absent, `files` is the whole tree. */
	base?: { url: string; commit: string };
	/** Path relative to the working directory → mode and base64 bytes. */
	files: Record<string, { mode: number; base64: string }>;
	/** Paths of the base that the session removed. */
	removed: string[];
	/** Without `base`: the baseline's version of each file that differs; `null` if the baseline has none. */
	before: Record<string, { mode: number; base64: string } | null>;
	entries: SessionEntry[];
	/** Current entry of the conversation; defaults to the last one. */
	leaf?: string;
	checkpoints: Checkpoint[];
	/** Files at each checkpoint after the import and at the end, if the user included them. */
	history?: ShareStep[];
	/** Receipts for *Verify*, together with a history. */
	receipt?: ReceiptStep[];
	/** Hides *Continue*; does not protect anything. */
	viewOnly: boolean;
}

/** Differences between the files of one checkpoint and those of the previous step. */
export interface ShareStep {
	/** `null` for the current files. */
	checkpoint: string | null;
	files: Record<string, { mode: number; base64: string }>;
	removed: string[];
	/** All empty directories at that time: commands see them, although git does not. */
	empty: string[];
}

/** Hashes of one command of the agent: its input files, the command and its outcome. SHA-256 in hex. */
export interface ReceiptStep {
	/** The tool call in the conversation. */
	callId: string;
	/** Checkpoint before the command. */
	checkpoint: string;
	before: string;
	command: string;
	/** Hash of its displayed output with durations and timestamps removed. */
	output: string;
	exitCode: number;
	/** Hash of the files after it; `null` if something else changed files before the next checkpoint. */
	after: string | null;
	/** Kind of machine it ran on; absent for the tab, and in receipts of an older version. */
	machine?: MachineChange['kind'] | undefined;
	/**
	 * Binds everything that the conversation shows of the command to its session and to the previous step. Absent
	 * in receipts of an older version.
	 */
	link?: string | undefined;
}
