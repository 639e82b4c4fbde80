import path from 'path';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { nodeError } from '../../runtime/errors.ts';

export interface CopyOptions {
	recursive?: boolean;
	force?: boolean;
	errorOnExist?: boolean;
	filter?: (source: string, destination: string) => boolean;
}

/** `fs.cpSync`, on absolute paths. */
export function copyTree(sys: SyncSyscalls, from: string, to: string, options: CopyOptions): void {
	if (options.filter && !options.filter(from, to)) return;
	const stat = sys.lstat(from);
	if (stat.kind === 'directory') {
		if (!options.recursive) {
			const words = `Recursive option not enabled, cannot copy a directory: cp returned EISDIR (${from} is a directory (not copied)) ${from}`;
			throw nodeError(Error, 'ERR_FS_EISDIR', words);
		}
		if (to === from || to.startsWith(`${from}/`)) {
			const words = `Cannot copy a directory to a subdirectory of itself: cp returned EINVAL (cannot copy ${from} to a subdirectory of self ${to}) ${to}`;
			throw nodeError(Error, 'ERR_FS_CP_EINVAL', words);
		}
		sys.mkdir(to, { recursive: true });
		for (const { name } of sys.readdir(from)) copyTree(sys, path.join(from, name), path.join(to, name), options);
		return;
	}
	if (sys.statOrNull(to)) {
		if (options.force === false) {
			if (options.errorOnExist)
				throw nodeError(
					Error,
					'ERR_FS_CP_EEXIST',
					`Target already exists: cp returned EEXIST (${to} already exists) ${to}`
				);
			return;
		}
		sys.remove(to, { force: true });
	}
	sys.mkdir(path.dirname(to), { recursive: true });
	if (stat.kind === 'symlink') sys.symlink(sys.readlink(from), to);
	else sys.copy(from, to);
}
