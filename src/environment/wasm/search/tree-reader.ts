import type { SyncSyscalls } from '../process/client.ts';
import type { KnownTree } from './known-tree.ts';

const SMALL_BYTES = 256 * 1024;
const BATCH_BYTES = 16 * 1_048_576;

/** Reads files for a program that walks a tree: from the second of a directory on, its small files come with one call. */
export class TreeReader {
	#directory = '';
	#files: Map<string, Uint8Array> | null = null;

	constructor(
		private readonly files: SyncSyscalls,
		private readonly tree: KnownTree
	) {}

	/** The content of a file. @throws SyscallError */
	read(path: string): Uint8Array {
		const slash = path.lastIndexOf('/');
		const directory = path.slice(0, slash) || '/';
		if (this.#directory !== directory) {
			this.#directory = directory;
			this.#files = null;
			return this.files.readFile(path);
		}
		if (!this.#files && this.tree.filesBeside(path) > 2) this.#load(directory);
		return this.#files?.get(path.slice(slash + 1)) ?? this.files.readFile(path);
	}

	#load(directory: string): void {
		this.#files = new Map(Object.entries(this.files.readSmallFiles(directory, SMALL_BYTES, BATCH_BYTES)));
	}
}
