import type { AppendFolder } from './append-file.ts';
import { openIndexedDbFolder, removeIndexedDbFolder } from './indexeddb-file.ts';
import { MemoryFolder } from './memory-file.ts';
import type { OpenedSession } from './messages.ts';
import { openOpfsFolder, removeOpfsFolder } from './opfs-file.ts';

/** Storage media for sessions. */
export interface Media {
	/** The folder of one session, created when missing. */
	folderOf(sessionId: string): Promise<{ folder: AppendFolder; medium: OpenedSession['medium'] }>;
	remove(sessionId: string): Promise<void>;
}

/**
 * Uses the best medium of the browser: its file system, else IndexedDB, else memory. A locked file is an error,
 * not a reason to fall back.
 */
export class BrowserMedia implements Media {
	readonly #memory = new Map<string, MemoryFolder>();

	async folderOf(sessionId: string): Promise<{ folder: AppendFolder; medium: OpenedSession['medium'] }> {
		// Some builds of WebKit have no origin private file system.
		if ('FileSystemFileHandle' in self && 'createSyncAccessHandle' in FileSystemFileHandle.prototype) {
			try {
				return { folder: await openOpfsFolder(sessionId), medium: 'opfs' };
			} catch (error) {
				if (!isMissingStorage(error)) throw error;
			}
		}
		try {
			return { folder: await openIndexedDbFolder(sessionId), medium: 'indexeddb' };
		} catch (error) {
			if (!isMissingStorage(error)) throw error;
		}
		const folder = this.#memory.get(sessionId) ?? new MemoryFolder();
		this.#memory.set(sessionId, folder);
		return { folder, medium: 'memory' };
	}

	async remove(sessionId: string): Promise<void> {
		this.#memory.delete(sessionId);
		await Promise.all([
			removeOpfsFolder(sessionId).catch(ignoreMissingStorage),
			removeIndexedDbFolder(sessionId).catch(ignoreMissingStorage)
		]);
	}
}

function isMissingStorage(error: unknown): boolean {
	return (
		error instanceof DOMException &&
		['SecurityError', 'InvalidStateError', 'NotSupportedError', 'UnknownError'].includes(error.name)
	);
}

function ignoreMissingStorage(error: unknown): void {
	if (!isMissingStorage(error)) throw error;
}
