import type { Damage, RawFile } from './damage.ts';
import type { Tree } from './file-journal.ts';

/** A file change as the store keeps it. `write` covers symbolic links too: mode `0o120000`, the target as bytes. */
export type StoredChange =
	| { kind: 'write'; path: string; mode: number; bytes: Uint8Array }
	| { kind: 'mkdir'; path: string }
	| { kind: 'mode'; path: string; mode: number }
	| { kind: 'remove'; path: string }
	| { kind: 'rename'; path: string; to: string };

/** What a session begins with that parts from another one. */
export interface ForkStart {
	/** Ids of trees of the other session. */
	trees: string[];
	/** The one of them that its files are; what is outside `root` is as in the other one now. */
	files: string;
	/** The directory that trees are of, absolute. */
	root: string;
}

/** What the page asks of the storage worker: each call is one message with an id, answered by one with the same id. */
export interface StorageCalls {
	/** Opens for writing. Fails with code `LOCKED` while another tab has the files. */
	open(sessionId: string): OpenedSession;
	/** Reads without the right to write. */
	peek(sessionId: string): OpenedSession;
	/** Makes a session out of another one's files, and opens it for writing. What there was of it before goes. */
	fork(sessionId: string, from: string, start: ForkStart): OpenedSession;
	appendEntries(sessionId: string, entries: unknown[]): void;
	appendChanges(sessionId: string, changes: StoredChange[]): void;
	/** A part of a tree that {@link addTree} stores with its last one. */
	addTreePart(sessionId: string, id: string, part: Tree): void;
	addTree(sessionId: string, id: string, tree: Tree): void;
	addBlobs(sessionId: string, contents: Uint8Array[]): void;
	/** Without bytes where its content is damaged or missing. */
	files(sessionId: string): { path: string; mode: number; bytes: Uint8Array | null }[];
	/** What lies in storage, as it is. */
	raw(sessionId: string): RawFile[];
	readTree(sessionId: string, id: string): Tree | null;
	readBlob(sessionId: string, id: string): Uint8Array | null;
	flush(sessionId: string): void;
	close(sessionId: string): void;
	remove(sessionId: string): void;
}

export interface OpenedSession {
	entries: unknown[];
	/** Ids of the checkpoints' trees that are stored; absent where the files were not read. */
	trees?: string[];
	warnings: string[];
	/** What is lost, as far as opening shows it. */
	damage: Damage[];
	/** Where it lives: `memory` means that nothing will survive the tab. */
	medium: 'opfs' | 'indexeddb' | 'memory';
}

export type StorageCall = keyof StorageCalls;

export interface StorageRequest {
	id: number;
	call: StorageCall;
	args: unknown[];
}

export type StorageReply =
	/** A part of a result that is a long list or map; more follow, then the result without any. */
	| { id: number; items: unknown[] }
	| { id: number; result: unknown }
	| { id: number; error: { name: string; message: string } };
