import { decode } from '../bytes.ts';
import { newEntry, type IndexEntry } from '../index/index-file.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import { conversionOf, noteWritten, type WrittenBy } from './conversion.ts';
import { changedFile, modeFor } from './file-state.ts';
import type { TreeFile } from './tree-files.ts';
import { requireWorktreePath } from './verify-path.ts';

/**
 * Writes a file of a tree to the working tree, and returns its index entry.
 *
 * @param attributes source of the conversion attributes: after a switch, the new index
 */
export function writeFile(
	repository: Repository,
	path: string,
	file: TreeFile,
	attributes: WrittenBy = 'index first'
): IndexEntry {
	const { files } = repository;
	const full = repository.absolute(path);
	if (file.mode === Mode.commit) {
		requireWorktreePath(path);
		clearWay(repository, `${path}/`);
		return newEntry(path, file);
	}
	placeFile(repository, path, file.mode, repository.objects.read(file.id, 'blob'), attributes);
	const { size, modifiedMs } = files.lstat(full);
	return { ...newEntry(path, file), size, modifiedMs };
}

/**
 * Writes a file or link to the working tree, replacing what exists there. @throws GitError for a hostile path
 * @param content as it is stored
 */
export function placeFile(
	repository: Repository,
	path: string,
	mode: number,
	content: Uint8Array,
	attributes: WrittenBy = 'files first'
): void {
	requireWorktreePath(path, mode);
	const { files } = repository;
	const full = repository.absolute(path);
	clearWay(repository, path);
	// A link is replaced, not its target.
	const before = lstatOrNull(repository, full);
	if (before || mode === Mode.symlink) files.remove(full, { recursive: true, force: true });
	if (mode === Mode.symlink) files.symlink(decode(content), full);
	else {
		const converted = conversionOf(repository).toWorktree(path, content, attributes);
		files.writeFile(full, converted, { mode: mode === Mode.executable ? 0o755 : 0o644 });
	}
	noteWritten(repository, path);
}

/** Creates the parent directories of `path`, replacing a file if needed. */
function clearWay(repository: Repository, path: string): void {
	const { files } = repository;
	for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
		const directory = repository.absolute(path.slice(0, end));
		const stat = lstatOrNull(repository, directory);
		if (stat?.kind === 'directory') continue;
		if (stat) files.unlink(directory);
		files.mkdir(directory);
	}
}

/** Removes a file and the directories that become empty. */
export function removeFile(repository: Repository, path: string): void {
	requireWorktreePath(path);
	const { files } = repository;
	const stat = lstatOrNull(repository, repository.absolute(path));
	if (stat && stat.kind !== 'directory') files.unlink(repository.absolute(path));
	noteWritten(repository, path);
	for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
		const directory = repository.absolute(path.slice(0, end));
		if (lstatOrNull(repository, directory)?.kind !== 'directory' || files.readdir(directory).length > 0) return;
		files.rmdir(directory);
	}
}

/** Stat of an absolute path in the working tree; null if it does not exist, or only behind a symbolic link. */
export function lstatOrNull(repository: Repository, path: string) {
	const { files } = repository;
	if (path === repository.root) return files.statOrNull(path);
	const parent = path.slice(0, path.lastIndexOf('/'));
	try {
		if (files.realpath(parent) !== repository.realRoot + parent.slice(repository.root.length)) return null;
		return files.lstat(path);
	} catch {
		return files.statOrNull(path);
	}
}

/**
 * Writes a file of a tree unless it is left out of a sparse checkout, and returns its index entry.
 *
 * @param before entry that it replaces, also one in conflict; an untracked file stays
 */
export function placeTracked(
	repository: Repository,
	path: string,
	file: TreeFile,
	before: IndexEntry | undefined
): IndexEntry {
	if (!repository.sparse.has(path)) {
		if (before && !before.skipWorktree && file.mode !== Mode.commit) removeFile(repository, path);
		return { ...newEntry(path, file), skipWorktree: true };
	}
	const made = writeFile(repository, path, file);
	// A mark that no sparse checkout controls is kept.
	return before?.skipWorktree && !repository.sparse.isActive ? { ...made, skipWorktree: true } : made;
}

/** Returns true if a file differs from its entry, or is missing. */
export function isChanged(repository: Repository, path: string, entry: IndexEntry | undefined): boolean {
	if (!entry || entry.mode === Mode.commit) return false;
	const stat = lstatOrNull(repository, repository.absolute(path));
	if (!stat) return !entry.skipWorktree;
	if (stat.kind === 'directory') return true;
	return modeFor(repository.index, stat, entry) !== entry.mode || isFileChanged(repository, entry, stat);
}

/** Checks whether a file differs from its entry even if that is marked skip-worktree: its changes could be lost. */
export const isFileChanged = (repository: Repository, entry: IndexEntry, stat: WireStat): boolean =>
	changedFile(repository, entry.skipWorktree ? { ...entry, skipWorktree: false } : entry, stat) !== null;
