import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { decode, encode } from '../bytes.ts';

/** The volume as isomorphic-git wants it: Node's `fs.promises`, the part of it that is used. */
export function promisedFiles(files: SyncSyscalls) {
	const promises = {
		readFile: async (path: string, options?: string | { encoding?: string }) => {
			const bytes = files.readFile(path);
			const encoding = typeof options === 'string' ? options : options?.encoding;
			return encoding === 'utf8' ? decode(bytes) : bytes;
		},
		writeFile: async (path: string, content: string | Uint8Array, options?: { mode?: number }) =>
			files.writeFile(path, typeof content === 'string' ? encode(content) : content, { mode: options?.mode }),
		unlink: async (path: string) => files.unlink(path),
		readdir: async (path: string) => files.readdir(path).map(({ name }) => name),
		mkdir: async (path: string) => files.mkdir(path),
		rmdir: async (path: string) => files.rmdir(path),
		rm: async (path: string, options?: { recursive?: boolean; force?: boolean }) => files.remove(path, options),
		stat: async (path: string) => asStats(files.stat(path)),
		lstat: async (path: string) => asStats(files.lstat(path)),
		readlink: async (path: string) => files.readlink(path),
		symlink: async (target: string, path: string) => files.symlink(target, path),
		chmod: async (path: string, mode: number) => files.chmod(path, mode)
	};
	return { promises };
}

function asStats(stat: WireStat) {
	return {
		...stat,
		ino: stat.inode,
		dev: 0,
		uid: 0,
		gid: 0,
		mtimeMs: stat.modifiedMs,
		ctimeMs: stat.modifiedMs,
		isFile: () => stat.kind === 'file',
		isDirectory: () => stat.kind === 'directory',
		isSymbolicLink: () => stat.kind === 'symlink'
	};
}
