/**
 * The only storage primitive that the store needs: a file that grows at its end. Implemented over the origin
 * private file system, over IndexedDB, and in memory (for tests with injected faults).
 *
 * Appended bytes are readable immediately, but durable only after `flush` has resolved. After a crash the file
 * contains a prefix of the appended bytes that is at least as long as at the last flush.
 */
export interface AppendFile {
	/** Bytes. */
	size(): number;
	/** Rejects with `StorageFullError` when the quota is used up; then nothing was appended. */
	append(bytes: Uint8Array): Promise<void>;
	/** Up to `length` bytes from `offset`; fewer only at the end. */
	read(offset: number, length: number): Promise<Uint8Array>;
	/** Cuts off the end, after a torn write was found there. */
	truncate(size: number): Promise<void>;
	flush(): Promise<void>;
	close(): Promise<void>;
}

/** A folder of such files, one per session. */
export interface AppendFolder {
	open(name: string): Promise<AppendFile>;
	/** Reads a file that another tab may have open for writing; `null` when it does not exist. */
	readWhole(name: string): Promise<Uint8Array | null>;
}

/** The browser's storage quota is used up. Stored data remains; new steps are only in memory. */
export class StorageFullError extends Error {
	override readonly name = 'StorageFullError';
	constructor() {
		super('The browser has no room left for this session. Delete old sessions, or export this one.');
	}
}
