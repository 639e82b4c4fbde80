import { nodeError } from '../../runtime/errors.ts';
import type { Dirent } from './stats.ts';

/** `fs.Dir`: returns entries one at a time. */
export class Directory {
	#entries: Dirent[];
	#closed = false;

	constructor(
		readonly path: string,
		list: () => Dirent[]
	) {
		this.#entries = list();
	}

	readSync(): Dirent | null {
		if (this.#closed) throw nodeError(Error, 'ERR_DIR_CLOSED', 'Directory handle was closed');
		return this.#entries.shift() ?? null;
	}

	read(callback?: (error: null, entry: Dirent | null) => void): Promise<Dirent | null> | void {
		const entry = this.readSync();
		if (!callback) return Promise.resolve(entry);
		queueMicrotask(() => callback(null, entry));
	}

	closeSync(): void {
		this.#closed = true;
	}

	close(callback?: (error: null) => void): Promise<void> | void {
		this.closeSync();
		if (!callback) return Promise.resolve();
		queueMicrotask(() => callback(null));
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Dirent> {
		for (let entry = this.readSync(); entry; entry = this.readSync()) yield entry;
		this.closeSync();
	}
}
