import { deleteDB, openDB, type DBSchema } from 'idb';

const DATABASE = 'sandglass-folders';
const STORE = 'folders';

interface Folders extends DBSchema {
	[STORE]: { key: string; value: FileSystemDirectoryHandle };
}

async function withFolders<T>(work: (database: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
	const database = await open();
	try {
		return await work(database);
	} finally {
		database.close();
	}
}

function open() {
	return openDB<Folders>(DATABASE, 1, { upgrade: (database) => void database.createObjectStore(STORE) });
}

/**
 * Folder that a session was opened from, or last written to. Only the browser can store a folder handle, so it is not
 * part of the page state.
 */
export function storedFolder(sessionId: string): Promise<FileSystemDirectoryHandle | undefined> {
	return withFolders((database) => database.get(STORE, sessionId));
}

export async function storeFolder(sessionId: string, folder: FileSystemDirectoryHandle): Promise<void> {
	await withFolders((database) => database.put(STORE, folder, sessionId));
}

export function forgetFolder(sessionId: string): Promise<void> {
	return withFolders((database) => database.delete(STORE, sessionId));
}

export function forgetFolders(): Promise<void> {
	return deleteDB(DATABASE);
}
