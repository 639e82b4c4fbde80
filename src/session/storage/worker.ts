import { MemoryFolder } from './memory-file.ts';
import { openIndexedDbFolder, removeIndexedDbFolder } from './indexeddb-file.ts';
import { openOpfsFolder, removeOpfsFolder } from './opfs-file.ts';
import type { AppendFolder } from './append-file.ts';
import type { OpenedSession, StorageCalls, StorageReply, StorageRequest } from './messages.ts';
import { SessionFiles } from './session-files.ts';

/** The storage worker: the only place that touches the disk. Calls are carried out one after the other. */

type Handlers = {
	[Call in keyof StorageCalls]: (...args: Parameters<StorageCalls[Call]>) => Promise<ReturnType<StorageCalls[Call]>>;
};

const FLUSH_AFTER_MS = 50;
const opened = new Map<string, SessionFiles>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const memory = new Map<string, MemoryFolder>();

const handlers: Handlers = {
	async open(sessionId) {
		const { folder, medium } = await folderOf(sessionId);
		const files = opened.get(sessionId) ?? (await SessionFiles.open(folder));
		opened.set(sessionId, files);
		return { entries: files.entries, warnings: files.warnings, medium };
	},
	async peek(sessionId) {
		const { folder, medium } = await folderOf(sessionId);
		return { ...(await SessionFiles.readLog(folder)), medium };
	},
	async appendEntries(sessionId, entries) {
		await filesOf(sessionId).appendEntries(entries);
		flushSoon(sessionId);
	},
	async appendChanges(sessionId, changes) {
		await filesOf(sessionId).appendChanges(changes);
		flushSoon(sessionId);
	},
	async addTree(sessionId, id, tree) {
		await filesOf(sessionId).addTree(id, tree);
		flushSoon(sessionId);
	},
	async addBlobs(sessionId, contents) {
		await filesOf(sessionId).addBlobs(contents);
		flushSoon(sessionId);
	},
	async files(sessionId) {
		const stored = await reader(sessionId);
		const result: { path: string; mode: number; bytes: Uint8Array }[] = [];
		for (const [path, entry] of stored.state.files) {
			const bytes = entry.blob === '' ? new Uint8Array() : await stored.readBlob(entry.blob);
			if (bytes) result.push({ path, mode: entry.mode, bytes });
		}
		return result;
	},
	async readTree(sessionId, id) {
		return (await reader(sessionId)).state.tree(id) ?? null;
	},
	async readBlob(sessionId, id) {
		return (await reader(sessionId)).readBlob(id);
	},
	async flush(sessionId) {
		clearTimeout(timers.get(sessionId));
		timers.delete(sessionId);
		await opened.get(sessionId)?.flush();
	},
	async close(sessionId) {
		clearTimeout(timers.get(sessionId));
		timers.delete(sessionId);
		const files = opened.get(sessionId);
		opened.delete(sessionId);
		await files?.close();
	},
	async remove(sessionId) {
		await handlers.close(sessionId);
		memory.delete(sessionId);
		await Promise.all([
			removeOpfsFolder(sessionId).catch(ignoreMissingStorage),
			removeIndexedDbFolder(sessionId).catch(ignoreMissingStorage)
		]);
	}
};

/** Reads through the open files where this tab has them, else from disk. */
async function reader(sessionId: string): Promise<Pick<SessionFiles, 'state' | 'readBlob'>> {
	return opened.get(sessionId) ?? SessionFiles.readFiles((await folderOf(sessionId)).folder);
}

function filesOf(sessionId: string): SessionFiles {
	const files = opened.get(sessionId);
	if (!files) throw new Error('This session is not open for writing in this tab.');
	return files;
}

function flushSoon(sessionId: string): void {
	if (timers.has(sessionId)) return;
	const flush = () => {
		timers.delete(sessionId);
		opened
			.get(sessionId)
			?.flush()
			.catch((error: unknown) => console.error('Storage could not be flushed.', error));
	};
	timers.set(sessionId, setTimeout(flush, FLUSH_AFTER_MS));
}

/** The best medium this browser has. A locked file is an error, not a reason to fall back. */
async function folderOf(sessionId: string): Promise<{ folder: AppendFolder; medium: OpenedSession['medium'] }> {
	// Some builds of WebKit have no such file system at all.
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
	const folder = memory.get(sessionId) ?? new MemoryFolder();
	memory.set(sessionId, folder);
	return { folder, medium: 'memory' };
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

let last: Promise<void> = Promise.resolve();

self.onmessage = (message: MessageEvent<StorageRequest>) => {
	const { id, call, args } = message.data;
	last = last.then(async () => self.postMessage(await answer(id, call, args)));
};

async function answer(id: number, call: StorageRequest['call'], args: unknown[]): Promise<StorageReply> {
	try {
		// The page and this worker are one build; the call's types are those of StorageCalls.
		const handler = handlers[call] as (...args: unknown[]) => Promise<unknown>;
		return { id, result: await handler(...args) };
	} catch (error) {
		const name = error instanceof Error ? error.name : 'Error';
		return {
			id,
			error: {
				name: name === 'NoModificationAllowedError' ? 'LockedError' : name,
				message: error instanceof Error ? error.message : String(error)
			}
		};
	}
}
