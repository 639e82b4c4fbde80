import { blobId } from '#environment/blob-id.ts';
import type { ImportFile } from '../contract.ts';

/** All files of a local folder, with their paths below it. */
export async function* filesOf(folder: FileSystemDirectoryHandle, prefix = ''): AsyncGenerator<ImportFile> {
	for await (const [name, handle] of folder.entries()) {
		if (isFolder(handle)) yield* filesOf(handle, `${prefix}${name}/`);
		else if (isFile(handle))
			yield { path: prefix + name, bytes: new Uint8Array(await (await handle.getFile()).arrayBuffer()) };
	}
}

/** State of a path on disk: the git blob id of a file, `null` for nothing, `folder` for a folder. */
export async function idOnDisk(folder: FileSystemDirectoryHandle, path: string): Promise<string | null> {
	try {
		const file = await (await fileAt(folder, path)).getFile();
		return await blobId(new Uint8Array(await file.arrayBuffer()));
	} catch (error) {
		if (isNamed(error, 'NotFoundError')) return null;
		if (isNamed(error, 'TypeMismatchError')) return 'folder';
		throw error;
	}
}

/**
 * Writes a complete file, creating its parent folders. The previous file remains until the new one is complete.
 */
export async function writeOnDisk(folder: FileSystemDirectoryHandle, path: string, bytes: Uint8Array): Promise<void> {
	const parent = await parentOf(folder, path, true);
	const handle = await parent.getFileHandle(nameOf(path), { create: true });
	const stream = await handle.createWritable();
	try {
		await stream.write(bytes.slice());
	} catch (error) {
		await stream.abort().catch(() => undefined);
		throw error;
	}
	await stream.close();
}

/** Removes a file, and parent folders that become empty. */
export async function removeOnDisk(folder: FileSystemDirectoryHandle, path: string): Promise<void> {
	await (await parentOf(folder, path, false)).removeEntry(nameOf(path));
	for (let above = folderOf(path); above !== ''; above = folderOf(above)) {
		const parent = await parentOf(folder, above, false);
		const emptied = await parent.getDirectoryHandle(nameOf(above));
		for await (const _entry of emptied.keys()) return;
		await parent.removeEntry(nameOf(above));
	}
}

async function fileAt(folder: FileSystemDirectoryHandle, path: string): Promise<FileSystemFileHandle> {
	return (await parentOf(folder, path, false)).getFileHandle(nameOf(path));
}

async function parentOf(
	folder: FileSystemDirectoryHandle,
	path: string,
	create: boolean
): Promise<FileSystemDirectoryHandle> {
	let at = folder;
	for (const part of path.split('/').slice(0, -1)) at = await at.getDirectoryHandle(part, { create });
	return at;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function isNamed(error: unknown, name: string): boolean {
	return error instanceof DOMException && error.name === name;
}

function isFolder(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
	return handle.kind === 'directory';
}

function isFile(handle: FileSystemHandle): handle is FileSystemFileHandle {
	return handle.kind === 'file';
}
