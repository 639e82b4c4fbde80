import { StorageFullError, type AppendFile, type AppendFolder } from './append-file.ts';

/**
 * A file of the origin private file system through a synchronous access handle, which exists in workers only
 * and locks the file for other tabs.
 *
 * All results of the handle are checked: in a private window Chromium's `write` and `read` return an error code
 * as an unsigned number (4294967288 is -8, no space) instead of throwing.
 */
export class OpfsFile implements AppendFile {
	readonly #handle: FileSystemSyncAccessHandle;
	#size: number;

	constructor(handle: FileSystemSyncAccessHandle) {
		this.#handle = handle;
		this.#size = checkedSize(handle);
	}

	size(): number {
		return this.#size;
	}

	async append(bytes: Uint8Array): Promise<void> {
		try {
			const written = this.#handle.write(bytes, { at: this.#size });
			if (written !== bytes.length) throw refusal('write', written, bytes.length);
			const size = checkedSize(this.#handle);
			if (size < this.#size + bytes.length) throw refusal('keep', size, this.#size + bytes.length);
			this.#size += bytes.length;
		} catch (error) {
			this.#undo();
			throw isQuota(error) ? new StorageFullError() : error;
		}
	}

	async read(offset: number, length: number): Promise<Uint8Array> {
		const bytes = new Uint8Array(Math.max(0, Math.min(length, this.#size - offset)));
		if (bytes.length === 0) return bytes;
		const read = this.#handle.read(bytes, { at: offset });
		if (read !== bytes.length) throw refusal('read', read, bytes.length);
		return bytes;
	}

	async truncate(size: number): Promise<void> {
		this.#handle.truncate(size);
		const now = checkedSize(this.#handle);
		if (now !== size) throw refusal('cut', now, size);
		this.#size = size;
	}

	async flush(): Promise<void> {
		this.#handle.flush();
		const size = checkedSize(this.#handle);
		if (size < this.#size) throw refusal('keep', size, this.#size);
	}

	async close(): Promise<void> {
		this.#handle.close();
	}

	/** Removes the partial bytes of a failed append; if that fails too, the next append overwrites them. */
	#undo(): void {
		try {
			this.#handle.truncate(this.#size);
		} catch (error) {
			console.warn('What was written of a failed append could not be cut off.', error);
		}
	}
}

/** Unsigned form of Chromium's file error codes for a full disk. */
const NO_SPACE = -8 >>> 0;

function refusal(what: string, got: number, wanted: number): DOMException {
	const isShort = got >= 0 && got < wanted;
	const name = got === NO_SPACE || (isShort && what !== 'read') ? 'QuotaExceededError' : 'InvalidStateError';
	return new DOMException(`The browser did not ${what} ${wanted} bytes but answered ${got}.`, name);
}

function checkedSize(handle: FileSystemSyncAccessHandle): number {
	const size = handle.getSize();
	// No file is this large: it is an error code.
	if (!Number.isSafeInteger(size) || size < 0 || size >= LARGEST_FILE)
		throw new DOMException(`The browser answered ${size} when asked for the size of a file.`, 'InvalidStateError');
	return size;
}

/** Error codes of 32 and of 64 bits are above this. */
const LARGEST_FILE = 0xffff_0000;

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

/**
 * Directory of one session below `sessions/`, created when missing. Rejects if the browser has no such file
 * system.
 */
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
