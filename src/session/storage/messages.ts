import type { Damage, RawFile } from './damage.ts';
import type { Tree } from './file-journal.ts';

/**
 * A file change as the store records it. `write` covers symbolic links too: mode `0o120000`, the target as
 * bytes.
 */
export type StoredChange =
	| { kind: 'write'; path: string; mode: number; bytes: Uint8Array }
	| { kind: 'mkdir'; path: string }
	| { kind: 'mode'; path: string; mode: number }
	| { kind: 'remove'; path: string }
	| { kind: 'rename'; path: string; to: string };

/** Initial state of a forked session. */
export interface ForkStart {
	/** Ids of trees of the parent session. */
	trees: string[];
	/** Id of the tree with the fork's files, one of `trees`; everything outside `root` is as in the parent now. */
	files: string;
	/** Absolute path of the directory that trees describe. */
	root: string;
}

/**
 * Calls from the page to the storage worker: each call is one message with an id, answered by one message with the same
 * id.
 */
export interface StorageCalls {
	/** Opens for writing. Fails with code `LOCKED` while another tab has the files. */
	open(sessionId: string): OpenedSession;
	/** Opens read-only, without keeping other tabs from writing. */
	peek(sessionId: string): OpenedSession;
	/** Frees the cached files of a session that was read; later reads still work. */
	endReading(sessionId: string): void;
	/** Creates a session from another one's files, and opens it for writing. Replaces any existing files of that id. */
	fork(sessionId: string, from: string, start: ForkStart): OpenedSession;
	appendEntries(sessionId: string, entries: unknown[]): void;
	appendChanges(sessionId: string, changes: StoredChange[]): void;
	/** Stores a part of a tree; {@link addTree} stores the last one. */
	addTreePart(sessionId: string, id: string, part: Tree): void;
	addTree(sessionId: string, id: string, tree: Tree): void;
	addBlobs(sessionId: string, contents: Uint8Array[]): void;
	/** Returns the current files; `bytes` is `null` if the content is damaged or missing. */
	files(sessionId: string): { path: string; mode: number; bytes: Uint8Array | null }[];
	/** The raw stored files. */
	raw(sessionId: string): RawFile[];
	readTree(sessionId: string, id: string): Tree | null;
	readBlob(sessionId: string, id: string): Uint8Array | null;
	flush(sessionId: string): void;
	close(sessionId: string): void;
	remove(sessionId: string): void;
}

export interface OpenedSession {
	entries: unknown[];
	/** Ids of the stored checkpoint trees; absent if the files were not read. */
	trees?: string[];
	warnings: string[];
	/** Losses found while opening. */
	damage: Damage[];
	/** Storage medium: `memory` means that nothing survives the tab. */
	medium: 'opfs' | 'indexeddb' | 'memory';
}

export type StorageCall = keyof StorageCalls;

export interface StorageRequest {
	id: number;
	call: StorageCall;
	args: unknown[];
}

export type StorageReply =
	/** Part of a result that is a long list or map. More parts may follow, then the result without these items. */
	| { id: number; items: unknown[] }
	| { id: number; result: unknown }
	| { id: number; error: { name: string; message: string } };
