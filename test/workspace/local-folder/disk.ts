/** A folder of the user's disk as browsers provide it to a page, in memory. */
export class Folder {
	readonly kind = 'directory';
	readonly inside = new Map<string, Folder | File>();

	constructor(readonly name = '') {}

	/** The same, as seen by pages. */
	get handle(): FileSystemDirectoryHandle {
		return this as unknown as FileSystemDirectoryHandle;
	}

	/** All files below, by path. */
	get files(): Record<string, string> {
		return Object.fromEntries(
			[...this.inside].flatMap(([name, each]) =>
				each instanceof File
					? [[name, new TextDecoder().decode(each.bytes)]]
					: Object.entries(each.files).map(([path, text]) => [`${name}/${path}`, text])
			)
		);
	}

	async getDirectoryHandle(name: string, { create = false } = {}): Promise<Folder> {
		const found = this.inside.get(name) ?? (create ? new Folder(name) : undefined);
		if (!found) throw new DOMException(name, 'NotFoundError');
		if (!(found instanceof Folder)) throw new DOMException(name, 'TypeMismatchError');
		this.inside.set(name, found);
		return found;
	}

	async getFileHandle(name: string, { create = false } = {}): Promise<File> {
		const found = this.inside.get(name) ?? (create ? new File(name) : undefined);
		if (!found) throw new DOMException(name, 'NotFoundError');
		if (!(found instanceof File)) throw new DOMException(name, 'TypeMismatchError');
		this.inside.set(name, found);
		return found;
	}

	async removeEntry(name: string): Promise<void> {
		const found = this.inside.get(name);
		if (!found) throw new DOMException(name, 'NotFoundError');
		if (found instanceof Folder && found.inside.size > 0) throw new DOMException(name, 'InvalidModificationError');
		this.inside.delete(name);
	}

	async *entries(): AsyncGenerator<[string, Folder | File]> {
		yield* this.inside;
	}

	async *keys(): AsyncGenerator<string> {
		yield* this.inside.keys();
	}
}

export class File {
	readonly kind = 'file';
	bytes = new Uint8Array();
	/** Set: writing fails as on a full disk. */
	isFull = false;

	constructor(readonly name: string) {}

	async getFile(): Promise<Blob> {
		return new Blob([this.bytes]);
	}

	async createWritable() {
		const written: Uint8Array[] = [];
		return {
			write: async (bytes: Uint8Array) => {
				if (bytes.buffer instanceof SharedArrayBuffer) throw new TypeError('The memory is shared.');
				if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
				written.push(bytes);
			},
			// The old content stays until the stream is closed.
			close: async () => void (this.bytes = new Uint8Array(Buffer.concat(written))),
			abort: async () => undefined
		};
	}
}

/** A folder with these files. */
export async function folderWith(files: Record<string, string>): Promise<Folder> {
	const root = new Folder('project');
	for (const [path, text] of Object.entries(files)) {
		const parts = path.split('/');
		let at = root;
		for (const part of parts.slice(0, -1)) at = await at.getDirectoryHandle(part, { create: true });
		(await at.getFileHandle(parts.at(-1) ?? '', { create: true })).bytes = new TextEncoder().encode(text);
	}
	return root;
}
