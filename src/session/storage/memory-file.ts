import type { AppendFile, AppendFolder } from './append-file.ts';

/** In-memory file: for a browser without any storage (reported on the page) and for tests. */
export class MemoryFile implements AppendFile {
	#bytes = new Uint8Array(0);
	#size = 0;

	size(): number {
		return this.#size;
	}

	async append(bytes: Uint8Array): Promise<void> {
		const needed = this.#size + bytes.length;
		if (needed > this.#bytes.length) {
			const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2, 1024));
			grown.set(this.#bytes.subarray(0, this.#size));
			this.#bytes = grown;
		}
		this.#bytes.set(bytes, this.#size);
		this.#size = needed;
	}

	async read(offset: number, length: number): Promise<Uint8Array> {
		return this.#bytes.slice(offset, Math.min(offset + length, this.#size));
	}

	async truncate(size: number): Promise<void> {
		this.#size = Math.min(size, this.#size);
	}

	async flush(): Promise<void> {}
	async close(): Promise<void> {}
}

export class MemoryFolder implements AppendFolder {
	readonly files = new Map<string, MemoryFile>();

	async open(name: string): Promise<AppendFile> {
		const file = this.files.get(name) ?? new MemoryFile();
		this.files.set(name, file);
		return file;
	}

	async readWhole(name: string): Promise<Uint8Array | null> {
		const file = this.files.get(name);
		return file ? file.read(0, file.size()) : null;
	}
}
