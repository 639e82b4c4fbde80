import type { SessionEntry, SessionLog } from '../agent/session-log.ts';
import type { ExecutionEnvironment } from '../environment/contract.ts';
import type { Checkpoint, ProjectOrigin } from '../workspace/contract.ts';

/** One line of *Recent sessions*. */
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

/** Everything this browser keeps. One storage worker behind it; see `storage/`. */
export interface SessionStore {
	list(): Promise<SessionSummary[]>;
	/** The files are those of the environment now. */
	create(options: { origin: ProjectOrigin; title: string; model: string; provider: string }): Promise<StoredSession>;
	/** Rejects with `SessionNotFound` and a sentence. */
	open(id: string): Promise<StoredSession>;
	delete(id: string): Promise<void>;
	rename(id: string, title: string): Promise<void>;
	eraseEverything(): Promise<void>;
	/** Calls back when a list entry changed, in any tab. Returns the unsubscriber. */
	onChange(listener: () => void): () => void;
}

/** One session in storage, open in this tab. */
export interface StoredSession {
	readonly summary: SessionSummary;
	/** False while another tab has the session; then nothing is written until `takeOver`. */
	readonly writable: boolean;
	takeOver(): Promise<void>;
	onWritableChange(listener: (writable: boolean) => void): () => void;
	readonly log: SessionLog;
	/** Takes over the whole tree of another session (a share, a fork); this one's must be empty. */
	adopt(entries: SessionEntry[]): void;
	/** Lines that could not be read, each a sentence. */
	readonly warnings: string[];
	/** Puts the stored files into an empty environment. */
	restoreFiles(environment: ExecutionEnvironment): Promise<void>;
	/**
	 * Stores the files of a new session as they are, and every change from now on. Returns the same
	 * computer, whose commands count as done only when what they wrote is stored.
	 */
	attach(environment: ExecutionEnvironment): Promise<ExecutionEnvironment>;
	checkpoints(): Checkpoint[];
	addCheckpoint(checkpoint: Checkpoint, entries: Map<string, { mode: number; blob: string }>): Promise<void>;
	/**
	 * Keeps a tree that is no checkpoint: a fork's files. Rejects when it is not on disk.
	 *
	 * @param blobs those in it that no file of this session has had
	 */
	keepTree(
		id: string,
		entries: Map<string, { mode: number; blob: string }>,
		blobs: readonly string[],
		readBlob: (blob: string) => Promise<Uint8Array>
	): Promise<void>;
	/** The tree of a checkpoint or one that is kept, and the bytes of a blob in it. */
	readTree(tree: string): Promise<Map<string, { mode: number; blob: string }>>;
	readBlob(blob: string): Promise<Uint8Array>;
	update(change: Partial<Pick<SessionSummary, 'title' | 'changedFiles' | 'model' | 'provider'>>): Promise<void>;
	/** Small per-session values of the page (terminal scrollback, drafts, open files), JSON. */
	readPageState<T>(key: string): Promise<T | undefined>;
	writePageState(key: string, value: unknown): Promise<void>;
	/** Why what happens now is not being stored, `null` when it is. What failed is kept in memory and tried again. */
	readonly trouble: Error | null;
	/** Calls back when `trouble` changes. Returns the unsubscriber. */
	onTrouble(listener: (trouble: Error | null) => void): () => void;
	/** Everything so far is on disk. Rejects where it cannot be; nothing is lost as long as the tab is open. */
	flush(): Promise<void>;
	close(): Promise<void>;
}

/** What a share holds, before compression and encryption. */
export interface ShareBundle {
	version: 1;
	origin: ProjectOrigin;
	title: string;
	/** Absent: `files` is the whole tree. */
	base?: { url: string; commit: string };
	/** Path relative to the working directory → mode and base64 bytes. */
	files: Record<string, { mode: number; base64: string }>;
	/** Paths the base has and the session removed. */
	removed: string[];
	/** Without `base`: what the baseline has where the files differ from it; `null` where it has nothing. */
	before: Record<string, { mode: number; base64: string } | null>;
	entries: SessionEntry[];
	checkpoints: Checkpoint[];
	/** Hides *Continue*; protects nothing. */
	viewOnly: boolean;
}
