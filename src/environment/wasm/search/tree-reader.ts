import type { SyncSyscalls } from '../process/client.ts';

const SMALL_BYTES = 256 * 1024;
const BATCH_BYTES = 16 * 1_048_576;

/** Reads files for a program that walks a tree: the small files of a directory come with one call. */
export class TreeReader {
	#directory = '';
	#files = new Map<string, Uint8Array>();

	constructor(private readonly files: SyncSyscalls) {}

	/** The content of a file. @throws SyscallError */
	read(path: string): Uint8Array {
		const slash = path.lastIndexOf('/');
		const directory = path.slice(0, slash) || '/';
		if (this.#directory !== directory) this.#load(directory);
		return this.#files.get(path.slice(slash + 1)) ?? this.files.readFile(path);
	}

	#load(directory: string): void {
		this.#directory = directory;
		this.#files = new Map(Object.entries(this.files.readSmallFiles(directory, SMALL_BYTES, BATCH_BYTES)));
	}
}
