import { StorageFullError, type AppendFile, type AppendFolder } from './append-file.ts';

/**
 * A file of the origin private file system through a synchronous access handle, which exists in
 * workers only and locks the file for other tabs.
 */
class OpfsFile implements AppendFile {
	readonly #handle: FileSystemSyncAccessHandle;
	#size: number;

	constructor(handle: FileSystemSyncAccessHandle) {
		this.#handle = handle;
		this.#size = handle.getSize();
	}

	size(): number {
		return this.#size;
	}

	async append(bytes: Uint8Array): Promise<void> {
		try {
			const written = this.#handle.write(bytes, { at: this.#size });
			if (written < bytes.length) throw new DOMException('short write', 'QuotaExceededError');
			this.#size += bytes.length;
		} catch (error) {
			if (!isQuota(error)) throw error;
			this.#handle.truncate(this.#size);
			throw new StorageFullError();
		}
	}

	async read(offset: number, length: number): Promise<Uint8Array> {
		const bytes = new Uint8Array(Math.max(0, Math.min(length, this.#size - offset)));
		const read = this.#handle.read(bytes, { at: offset });
		return bytes.subarray(0, read);
	}

	async truncate(size: number): Promise<void> {
		this.#handle.truncate(size);
		this.#size = size;
	}

	async flush(): Promise<void> {
		this.#handle.flush();
	}

	async close(): Promise<void> {
		this.#handle.close();
	}
}

export class OpfsFolder implements AppendFolder {
	readonly #directory: FileSystemDirectoryHandle;

	constructor(directory: FileSystemDirectoryHandle) {
		this.#directory = directory;
	}

	/** Rejects with `NoModificationAllowedError` while another tab holds the file. */
	async open(name: string): Promise<AppendFile> {
		const file = await this.#directory.getFileHandle(name, { create: true });
		return new OpfsFile(await file.createSyncAccessHandle());
	}

	async readWhole(name: string): Promise<Uint8Array | null> {
		try {
			const handle = await this.#directory.getFileHandle(name);
			return new Uint8Array(await (await handle.getFile()).arrayBuffer());
		} catch (error) {
			if (error instanceof DOMException && error.name === 'NotFoundError') return null;
			throw error;
		}
	}
}

/** The directory of one session below `sessions/`, made when missing. Rejects where the browser has no such file system. */
export async function openOpfsFolder(sessionId: string): Promise<AppendFolder> {
	return new OpfsFolder(await (await sessionsDirectory()).getDirectoryHandle(sessionId, { create: true }));
}

export async function removeOpfsFolder(sessionId: string): Promise<void> {
	try {
		await (await sessionsDirectory()).removeEntry(sessionId, { recursive: true });
	} catch (error) {
		if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
	}
}

async function sessionsDirectory(): Promise<FileSystemDirectoryHandle> {
	if (typeof navigator.storage?.getDirectory !== 'function') {
		throw new DOMException('This browser has no file system of the origin.', 'NotSupportedError');
	}
	const root = await navigator.storage.getDirectory();
	return root.getDirectoryHandle('sessions', { create: true });
}

function isQuota(error: unknown): boolean {
	return error instanceof DOMException && error.name === 'QuotaExceededError';
}
