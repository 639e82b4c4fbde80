import type { LockMode } from '#computer/abi/syscalls.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { isSyscallError } from '../../runtime/errors.ts';
import { SQLITE } from './codes.ts';

/** Bytes of a database file that SQLite locks, beyond its first gigabyte: in every program that uses the file. */
const PENDING = 0x4000_0000;
const RESERVED = PENDING + 1;
const SHARED = PENDING + 2;
const SHARED_BYTES = 510;

/** Levels of a lock, in order. */
const LEVEL = { none: 0, shared: 1, reserved: 2, pending: 3, exclusive: 4 } as const;

/** Codes of failures that mean something more special than that the call failed. */
const MEANT: Record<string, number> = {
	ENOSPC: SQLITE.FULL,
	EFBIG: SQLITE.FULL,
	EACCES: SQLITE.READONLY,
	EPERM: SQLITE.READONLY
};

/** Runs a method and returns SQLite's code for its failure: no exception may pass through the module. */
export function guarded(failure: number, run: () => number): number {
	try {
		return run();
	} catch (error) {
		if (isSyscallError(error)) return MEANT[error.code] ?? failure;
		if (error instanceof RangeError) return SQLITE.NOMEM;
		return failure;
	}
}

/** File that SQLite has opened: a database, a journal or a temporary file. */
export class OpenFile {
	#level: number = LEVEL.none;
	/** The kernel's descriptor, to which locks belong; `null` until the first. */
	#descriptor: number | null = null;

	constructor(
		private readonly sys: Runtime['sys'],
		readonly path: string,
		private readonly isDeletedOnClose: boolean
	) {}

	close(): void {
		if (this.#descriptor !== null) this.sys.close(this.#descriptor);
		if (this.isDeletedOnClose) this.sys.remove(this.path, { force: true });
	}

	/** Reads up to the end of the file. */
	read(position: number, length: number): Uint8Array {
		return this.sys.readFile(this.path, position, length);
	}

	write(bytes: Uint8Array, position: number): void {
		this.sys.writeAt(this.path, bytes, position);
	}

	truncate(size: number): void {
		this.sys.truncate(this.path, size);
	}

	size(): number {
		return this.sys.stat(this.path).size;
	}

	/** Raises the lock in the steps that all programs with SQLite take. @returns false if another holds one */
	lock(level: number): boolean {
		if (this.#level >= level) return true;
		if (level === LEVEL.shared) {
			// A writer that waits for the last reader holds this byte, so that no new one comes.
			if (!this.#set(PENDING, 1, 'shared')) return false;
			const isFree = this.#set(SHARED, SHARED_BYTES, 'shared');
			this.#set(PENDING, 1, 'none');
			if (!isFree) return false;
		} else if (level === LEVEL.reserved) {
			if (!this.#set(RESERVED, 1, 'exclusive')) return false;
		} else {
			if (this.#level < LEVEL.pending) {
				if (!this.#set(PENDING, 1, 'exclusive')) return false;
				this.#level = LEVEL.pending;
			}
			if (level === LEVEL.exclusive && !this.#set(SHARED, SHARED_BYTES, 'exclusive')) return false;
		}
		this.#level = level;
		return true;
	}

	/** Lowers the lock to a shared one or to none. */
	unlock(level: number): void {
		if (this.#level <= level) return;
		if (level === LEVEL.shared) {
			this.#set(SHARED, SHARED_BYTES, 'shared');
			this.#set(PENDING, 2, 'none');
		} else this.#set(PENDING, 2 + SHARED_BYTES, 'none');
		this.#level = level;
	}

	/** Returns whether this or any other connection is about to write. */
	isReserved(): boolean {
		return this.#level >= LEVEL.reserved || !this.#set(RESERVED, 1, 'test');
	}

	#set(start: number, length: number, mode: LockMode): boolean {
		this.#descriptor ??= this.sys.openFile(this.path, 'read');
		return this.sys.lockRange(this.#descriptor, start, length, mode);
	}
}
