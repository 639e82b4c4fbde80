import type { SessionEntry, SessionLog } from '#agent/session-log.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { Checkpoint, ProjectOrigin } from '#workspace/contract.ts';
import type { Damage, RawFile } from './storage/damage.ts';

export type { Damage, RawFile } from './storage/damage.ts';

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
	/** Makes a session that {@link enlist} puts into the list; one that never gets there is cleared away later. */
	create(options: { origin: ProjectOrigin; title: string; model: string; provider: string }): Promise<StoredSession>;
	/**
	 * Makes a session that parts from another one: with its files as they were at a checkpoint, and the tree that
	 * changes are counted from. It is there at once and stored behind that, once for all: {@link StoredSession.flush} says
	 * when. Not listed until {@link enlist}.
	 */
	fork(from: StoredSession, begin: ForkBeginning): Promise<StoredSession>;
	/** A new session is whole: from now on it is listed. */
	enlist(session: StoredSession): Promise<void>;
	/** A new session came to nothing. Never rejects: what cannot be removed now is cleared away later. */
	discard(session: StoredSession): Promise<void>;
	/** Rejects with `SessionNotFound` and a sentence. */
	open(id: string): Promise<StoredSession>;
	/** What lies in storage of a session, as it is, whether or not it can be opened. */
	readRaw(id: string): Promise<RawFile[]>;
	delete(id: string): Promise<void>;
	rename(id: string, title: string): Promise<void>;
	eraseEverything(): Promise<void>;
	/** Calls back when a list entry changed, in any tab. Returns the unsubscriber. */
	onChange(listener: () => void): () => void;
}

/** What a fork begins with, all of it stored in the session it parts from. */
export interface ForkBeginning {
	title: string;
	/** Its first one: the import. */
	checkpoint: Checkpoint;
	/** Id of the tree that changes are counted from. */
	baseline: string;
	/** Id of the checkpoint's tree that its files are. */
	files: string;
	/** The directory that trees are of, absolute. */
	root: string;
	/** The conversation. */
	entries: SessionEntry[];
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
	/** What is lost of it in storage; files whose contents are damaged are known once they were read. */
	readonly damage: readonly Damage[];
	/** What lies in storage, as it is: for who wants to save what can be saved. */
	readRaw(): Promise<RawFile[]>;
	/** The stored files as they are now; paths are absolute. Those whose contents are lost are not among them. */
	readFiles(): Promise<{ path: string; mode: number; bytes: Uint8Array }[]>;
	/** Puts the stored files into an empty environment. */
	restoreFiles(environment: ExecutionEnvironment): Promise<void>;
	/**
	 * Stores the files of a new session as they are, and every change from now on. Returns the same
	 * computer, whose commands count as done only when what they wrote is stored.
	 */
	attach(environment: ExecutionEnvironment): Promise<ExecutionEnvironment>;
	/**
	 * Gives the computer of {@link attach} away once what happened on it is stored, its processes ended where it can do
	 * that: nothing of what comes is kept here, and who still calls it through this session is refused with `ECLOSED`.
	 * `null` where there is none.
	 */
	release(): Promise<ExecutionEnvironment | null>;
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
	update(
		change: Partial<Pick<SessionSummary, 'title' | 'origin' | 'changedFiles' | 'model' | 'provider'>>
	): Promise<void>;
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
	/** The entry the conversation stands at; absent: the last one. */
	leaf?: string;
	checkpoints: Checkpoint[];
	/** The files at each checkpoint after the import and at last now, where the person added them. */
	history?: ShareStep[];
	/** What *Verify* checks, beside a history. */
	receipt?: ReceiptStep[];
	/** Hides *Continue*; protects nothing. */
	viewOnly: boolean;
}

/** What the files of one checkpoint differ in from those of the step before. */
export interface ShareStep {
	/** `null`: the present. */
	checkpoint: string | null;
	files: Record<string, { mode: number; base64: string }>;
	removed: string[];
	/** Every empty directory there is then: commands see them, though git does not. */
	empty: string[];
}

/** Hashes of one command of the agent: what it ran on, what it was, what came of it. SHA-256 in hex. */
export interface ReceiptStep {
	/** The tool call, in the conversation. */
	callId: string;
	/** Where the files stood before it. */
	checkpoint: string;
	before: string;
	command: string;
	/** What the conversation shows of its output, times and durations aside. */
	output: string;
	exitCode: number;
	/** The files after it; `null` where something else changed files before they were looked at again. */
	after: string | null;
	/**
	 * Binds all that the conversation shows of the command to its session and to the step before it. Absent in receipts
	 * of an older kind.
	 */
	link?: string | undefined;
}
