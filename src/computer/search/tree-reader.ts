import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { Memory } from './memory.ts';

const SMALL_BYTES = 256 * 1024;
const MIN_BATCH_BYTES = 64 * 1024;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Reads files for a program that walks a tree: each read prefetches the following files, more and more while most of
 * them are used, so that a search of thousands of files makes a dozen calls.
 */
export class TreeReader {
	#ahead = new Map<string, Uint8Array>();
	#batchBytes = MIN_BATCH_BYTES;
	#brought = 0;
	#wanted = 0;

	constructor(
		private readonly files: SyncSyscalls,
		private readonly memory: Memory
	) {}

	/** Returns the content of a file. @throws SyscallError */
	read(path: string): Uint8Array {
		let bytes = this.#ahead.get(path);
		if (bytes) {
			this.#wanted++;
			this.#ahead.delete(path);
			return bytes;
		}
		const known = this.memory.contents.get(path);
		if (known) return known;
		const paths = this.memory.tree.filesFrom(path, SMALL_BYTES, this.#adapted());
		if (paths.length < 2) return this.files.readFile(path);
		const batch = this.files.readSmallFiles(paths, MAX_BATCH_BYTES);
		if (!this.memory.tree.isLinked) this.memory.contents.keep(batch);
		this.#ahead = new Map(Object.entries(batch));
		this.#brought = this.#ahead.size;
		this.#wanted = 1;
		bytes = this.#ahead.get(path);
		this.#ahead.delete(path);
		return bytes ?? this.files.readFile(path);
	}

	/** Size of the next batch, depending on how much of the last one was used. */
	#adapted(): number {
		const larger = this.#wanted * 2 >= this.#brought;
		const size = this.#batchBytes;
		this.#batchBytes = Math.min(MAX_BATCH_BYTES, Math.max(MIN_BATCH_BYTES, larger ? size * 4 : size / 4));
		return size;
	}
}
