import type { ImportFile, ImportSource } from '#workspace/contract.ts';

/** Import source for a folder input: every file with its path below the chosen folder. */
export function sourceFromFolder(files: FileList): ImportSource | null {
	const list = [...files];
	const [first] = list;
	if (!first) return null;
	const name = first.webkitRelativePath.split('/')[0] || first.name;
	return { kind: 'folder', name, files: read(list) };
}

async function* read(files: File[]): AsyncGenerator<ImportFile> {
	for (const file of files) {
		const path = file.webkitRelativePath.split('/').slice(1).join('/') || file.name;
		yield { path, bytes: new Uint8Array(await file.arrayBuffer()) };
	}
}

export function sourceFromZip(file: File): ImportSource {
	return { kind: 'zip', name: file.name.replace(/\.zip$/i, ''), data: file };
}

/** Dropped session file; `null` for anything else. */
export function sessionFromDrop(data: DataTransfer): File | null {
	const [file, ...more] = data.files;
	return file && more.length === 0 && /\.sandglass$/i.test(file.name) ? file : null;
}

/**
 * Returns true for dropped files to attach to the message: none of them is a folder, zip or session, which would be
 * opened.
 */
export function isForMessage(data: DataTransfer): boolean {
	const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
	const files = [...data.files];
	return files.length > 0 && !entries.some(isDirectory) && !files.some(({ name }) => /\.(zip|sandglass)$/i.test(name));
}

/** Import source for dropped content: one folder, one zip, or single files. `null` if none of it can be opened. */
export function sourceFromDrop(data: DataTransfer): ImportSource | null {
	const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
	const [first] = entries;
	if (!first) return sourceFromFiles([...data.files]);
	if (entries.length === 1 && isDirectory(first)) return { kind: 'folder', name: first.name, files: walk(first, '') };
	const file = data.files[0];
	if (entries.length === 1 && file && /\.zip$/i.test(file.name)) return sourceFromZip(file);
	return { kind: 'folder', name: first.name, files: all(entries) };
}

/** Used for drops without paths. */
function sourceFromFiles(files: File[]): ImportSource | null {
	const [first] = files;
	if (!first) return null;
	if (files.length === 1 && /\.zip$/i.test(first.name)) return sourceFromZip(first);
	return { kind: 'folder', name: first.name, files: read(files) };
}

async function* all(entries: FileSystemEntry[]): AsyncGenerator<ImportFile> {
	for (const entry of entries) yield* walk(entry, entry.name);
}

async function* walk(entry: FileSystemEntry, path: string): AsyncGenerator<ImportFile> {
	if (isFile(entry)) {
		const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
		yield { path, bytes: new Uint8Array(await file.arrayBuffer()) };
	} else if (isDirectory(entry)) {
		const reader = entry.createReader();
		// A reader returns at most a hundred entries at a time, and none at the end.
		for (;;) {
			const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
			if (batch.length === 0) break;
			for (const child of batch) yield* walk(child, path === '' ? child.name : `${path}/${child.name}`);
		}
	}
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
	return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
	return entry.isDirectory;
}
