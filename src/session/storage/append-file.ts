/**
 * The only thing the store needs of a disk: a file that grows at its end. Implemented over the
 * origin private file system, over IndexedDB, and in memory (tests and their faults).
 *
 * What was appended is readable at once; it lasts only once `flush` has resolved. After a crash
 * the file holds some prefix of the appended bytes that is no shorter than at the last flush.
 */
export interface AppendFile {
	/** Bytes. */
	size(): number;
	/** Rejects with `StorageFullError` when the quota is used up; then nothing was appended. */
	append(bytes: Uint8Array): Promise<void>;
	/** Up to `length` bytes from `offset`; fewer only at the end. */
	read(offset: number, length: number): Promise<Uint8Array>;
	/** Cuts the end off, after a torn write was found there. */
	truncate(size: number): Promise<void>;
	flush(): Promise<void>;
	close(): Promise<void>;
}

/** A folder of such files, one a session. */
export interface AppendFolder {
	open(name: string): Promise<AppendFile>;
	/** Reads a file that another tab may have open for writing; `null` when it does not exist. */
	readWhole(name: string): Promise<Uint8Array | null>;
}

/** The browser gives no more room. What is stored stays; new steps are kept in memory only. */
export class StorageFullError extends Error {
	override readonly name = 'StorageFullError';
	constructor() {
		super('The browser has no room left for this session. Delete old sessions, or export this one.');
	}
}
