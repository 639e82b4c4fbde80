import { entryPathFault, isGitDirectoryName } from '#environment/entry-path.ts';
import { Mode } from '#environment/mode.ts';
import { GitError } from '../errors.ts';
import { treeFiles, type TreeFile } from './tree-files.ts';
import type { ObjectStore } from '../objects/store.ts';

const GITMODULES = /^(\.gitmodules|gitmod~\d+)[ .]*(:.*)?$/i;

/**
 * Returns true if a path may be written in a working tree: git's rule for index entries, with HFS+ and NTFS
 * protection, and additionally no path that would escape if backslashes were separators.
 */
export function isWorktreePath(path: string, mode: number = Mode.file): boolean {
	if (entryPathFault(path) !== null) return false;
	const names = path.split('/');
	return !names.some(isGitDirectoryName) && !(mode === Mode.symlink && names.some((name) => GITMODULES.test(name)));
}

/** @throws GitError with git's message for such a path */
export function requireWorktreePath(path: string, mode?: number): void {
	if (!isWorktreePath(path, mode)) throw new GitError(`error: invalid path '${path}'`, 128);
}

/**
 * All files of a tree by path, for a checkout. A tree can have any names, even a link and a directory of the same name.
 *
 * @throws GitError before anything is written, if one of the paths is not allowed
 */
export function worktreeFiles(objects: ObjectStore, tree: string): Map<string, TreeFile> {
	const files = treeFiles(objects, tree);
	for (const [path, { mode }] of files) {
		requireWorktreePath(path, mode);
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
			if (files.has(path.slice(0, end))) throw new GitError(`error: invalid path '${path}'`, 128);
	}
	return files;
}
