import { zipSync } from 'fflate';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { shellWord } from '#environment/shell-word.ts';
import { t } from '../../../strings/index.ts';
import { download } from '../../changes/download.ts';

/** Folder of a path; empty at the top level. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Path in a folder; `''` is the top level. */
export const pathIn = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Reason why a name typed by the user cannot be used, or `null`. */
export function problemOf(name: string): string | null {
	const parts = name.split('/');
	const isPath = name !== '' && parts.every((part) => part !== '' && part !== '.' && part !== '..');
	return isPath && !name.includes('\0') ? null : t.code.menu.badName;
}

/** Creates an empty file or a folder. @throws Error if the path exists */
export async function create(environment: ExecutionEnvironment, path: string, kind: 'file' | 'folder'): Promise<void> {
	if (await environment.fileExists(path)) throw new Error(t.code.menu.exists(path));
	if (kind === 'file') await environment.writeFile(path, '');
	else await environment.makeDirectory(path);
}

/** Moves a file or folder. @throws Error if the new path exists */
export async function move(environment: ExecutionEnvironment, from: string, to: string): Promise<void> {
	if (await environment.fileExists(to)) throw new Error(t.code.menu.exists(to));
	if (folderOf(to) !== '') await environment.makeDirectory(folderOf(to));
	await environment.rename(from, to);
}

/** Copies a file or folder beside itself. @returns the copy's path */
export async function duplicate(environment: ExecutionEnvironment, path: string): Promise<string> {
	const to = await freePath(environment, path);
	const { exitCode, stderr } = await environment.exec(`cp -R -- ${shellWord(path)} ${shellWord(to)}`);
	if (exitCode !== 0) throw new Error(stderr.trim());
	return to;
}

/** Writes files from the user's computer to a folder; a file whose name is taken gets a different one. */
export async function upload(environment: ExecutionEnvironment, folder: string, files: Iterable<File>): Promise<void> {
	for (const file of files) {
		const path = pathIn(folder, nameOf(file.name));
		const to = (await environment.fileExists(path)) ? await freePath(environment, path) : path;
		await environment.writeFile(to, new Uint8Array(await file.arrayBuffer()));
	}
}

/** Downloads a file, or a folder as a zip, with the browser's download. */
export async function downloadPath(environment: ExecutionEnvironment, path: string): Promise<void> {
	const { kind } = await environment.stat(path);
	if (kind !== 'directory')
		return download(nameOf(path), await environment.readBytes(path), 'application/octet-stream');
	const files: Record<string, Uint8Array> = {};
	for (const entry of await environment.listDirectory(path, 100))
		if (entry.kind === 'file') files[entry.path] = await environment.readBytes(`${path}/${entry.path}`);
	download(`${nameOf(path)}.zip`, zipSync(files), 'application/zip');
}

/** First unused name of the form `name-copy.ext`, `name-copy-2.ext`, … */
async function freePath(environment: ExecutionEnvironment, path: string): Promise<string> {
	const name = nameOf(path);
	const dot = name.lastIndexOf('.');
	const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
	for (let count = 1; ; count++) {
		const to = pathIn(folderOf(path), `${stem}-copy${count === 1 ? '' : `-${count}`}${extension}`);
		if (!(await environment.fileExists(to))) return to;
	}
}
