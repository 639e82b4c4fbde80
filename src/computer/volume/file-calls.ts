import { SyscallError } from '#computer/abi/client.ts';
import { fileSystemUsage } from './file-systems.ts';
import { loadEntries, withContents } from './load.ts';
import { copyTree, removeTree, renameEntry, walkTree } from './tree.ts';
import { readSmallFiles } from './small-files.ts';
import type { Syscalls } from '#computer/abi/syscalls.ts';
import type { Volume } from './volume.ts';

type FileCall =
	| (
			| 'stat'
			| 'lstat'
			| 'statOrNull'
			| 'readdir'
			| 'readFile'
			| 'load'
			| 'writeFile'
			| 'appendFile'
			| 'writeAt'
			| 'truncate'
	  )
	| (
			| 'mkdir'
			| 'rmdir'
			| 'unlink'
			| 'remove'
			| 'rename'
			| 'copy'
			| 'readlink'
			| 'symlink'
			| 'mkfifo'
			| 'link'
			| 'realpath'
	  )
	| ('chmod' | 'utimes' | 'walk' | 'readSmallFiles' | 'changedSince' | 'fileSystems');

/** Handlers of calls on files. The first argument, the calling process, is not used. */
type FileCalls = {
	[Name in FileCall]: (process: unknown, ...args: Parameters<Syscalls[Name]>) => ReturnType<Syscalls[Name]>;
};

/** Errors for a path that does not exist, or that the process may not access. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG']);

/** Creates handlers for a volume; each call checks the permissions of directories. */
export function fileCalls({ volume }: { readonly volume: Volume }): FileCalls {
	const calls = answers(volume);
	const guarded = Object.entries(calls).map(([name, call]) => [
		name,
		(...args: unknown[]) => volume.asUser(() => (call as (...args: unknown[]) => unknown)(...args))
	]);
	return Object.fromEntries(guarded) as FileCalls;
}

function answers(volume: Volume): FileCalls {
	return {
		stat: (_, path) => volume.stat(path),
		lstat: (_, path) => volume.lstat(path),
		statOrNull: (_, path) => {
			try {
				return volume.stat(path);
			} catch (error) {
				if (error instanceof SyscallError && NOT_THERE.has(error.code)) return null;
				throw error;
			}
		},
		readdir: (_, path) => volume.readdir(path),
		readFile: (_, path, position, length) => volume.readForReply(path, position, length),
		load: (_, root, files, contents) => loadEntries(volume, root, [...withContents(files, contents)]),
		writeFile: (_, path, bytes, options) => volume.writeFile(path, bytes, options),
		appendFile: (_, path, bytes, mode) => volume.appendFile(path, bytes, mode),
		writeAt: (_, path, bytes, position) => volume.writeAt(path, bytes, position),
		truncate: (_, path, size) => volume.truncate(path, size),
		mkdir: (_, path, options) => volume.mkdir(path, options),
		rmdir: (_, path) => volume.rmdir(path),
		unlink: (_, path) => volume.unlink(path),
		remove: (_, path, options) => removeTree(volume, path, options),
		rename: (_, from, to) => renameEntry(volume, from, to),
		copy: (_, from, to, options) => copyTree(volume, from, to, options),
		readlink: (_, path) => volume.readlink(path),
		symlink: (_, target, path) => volume.symlink(target, path),
		mkfifo: (_, path, mode) => volume.mkfifo(path, mode),
		link: (_, existing, path) => volume.link(existing, path),
		realpath: (_, path) => volume.realpath(path),
		chmod: (_, path, mode) => volume.chmod(path, mode),
		utimes: (_, path, accessedMs, modifiedMs, follow) => volume.utimes(path, accessedMs, modifiedMs, follow),
		readSmallFiles: (_, paths, maxBytes) => readSmallFiles(volume, paths, maxBytes),
		changedSince: (_, generation) => volume.recent.since(generation),
		walk: (_, path, options) => walkTree(volume, path, options),
		fileSystems: () => fileSystemUsage(volume)
	};
}
