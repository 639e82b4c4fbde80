import { Mode } from '#environment/mode.ts';
import { isWithin, TEMPORARY_ROOTS } from '#computer/abi/paths.ts';
import { isSyscallError } from '#computer/abi/client.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { writeEntry } from './apply.ts';
import { entryAt, linkAt, type Entry } from './changed-files.ts';

/** Limits of the stored files. The oldest files are evicted first, as may happen in any temporary directory. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 5_000;

/**
 * Files that commands on trial left in `/tmp` and `/dev/shm`. The next command on trial sees them, and so do the
 * environment's own reads; programs outside of trials do not before {@link TemporaryFiles.release}. If the computer has
 * a newer file with that name, it takes precedence.
 */
export class TemporaryFiles {
	/** Entries by path, oldest first. Contents are copies. */
	readonly #entries = new Map<string, Entry>();
	#bytes = 0;

	/** Stores what a trial left at the paths that it changed; paths outside of temporary directories are ignored. */
	record(changed: Iterable<{ path: string }>, after: Volume): void {
		for (const { path } of changed) {
			if (!isTemporary(path)) continue;
			this.#forget(path);
			const entry = entryAt(after, path);
			if (entry) this.#remember(path, entry);
		}
	}

	/** Bytes of a file that exists only for commands on trial; `null` if there is none. */
	read(volume: Volume, path: string): Uint8Array | null {
		const entry = this.#entries.get(path);
		if (!entry || entry.mode === Mode.directory || entry.mode === Mode.symlink) return null;
		return this.#isNewer(volume, path, entry) ? entry.bytes.slice() : null;
	}

	/** Writes all stored files into a volume. */
	writeInto(volume: Volume): void {
		for (const [path, entry] of this.#entries) {
			if (!this.#isNewer(volume, path, entry)) continue;
			try {
				writeEntry(volume, path, entry);
			} catch (error) {
				// The computer has something else in the way by now, or no space for it.
				if (!isSyscallError(error)) throw error;
				this.#forget(path);
			}
		}
	}

	/** Moves all stored files into the computer's own temporary directories. */
	release(volume: Volume): void {
		this.writeInto(volume);
		this.#entries.clear();
		this.#bytes = 0;
	}

	#isNewer(volume: Volume, path: string, { modifiedMs }: Entry): boolean {
		const present = linkAt(volume, path)?.getNode().mtime.getTime();
		return present === undefined || present <= modifiedMs;
	}

	#remember(path: string, entry: Entry): void {
		if (entry.bytes.length > MAX_BYTES) return;
		this.#entries.set(path, { ...entry, bytes: entry.bytes.slice() });
		this.#bytes += entry.bytes.length;
		for (const oldest of this.#entries.keys()) {
			if (this.#bytes <= MAX_BYTES && this.#entries.size <= MAX_FILES) return;
			this.#forget(oldest);
		}
	}

	#forget(path: string): void {
		this.#bytes -= this.#entries.get(path)?.bytes.length ?? 0;
		this.#entries.delete(path);
	}
}

const isTemporary = (path: string): boolean => TEMPORARY_ROOTS.some((root) => path !== root && isWithin(path, root));
