import { encode } from '../bytes.ts';
import type { GitIndex } from '../index/index.ts';
import type { IndexEntry } from '../index/index-file.ts';
import { objectId } from '../objects/object.ts';
import { fileMode, Mode } from '#environment/mode.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { Repository } from '../repository.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { conversionOf, type StorePurpose } from './conversion.ts';
import type { TreeFile } from './tree-files.ts';

/** Mode that git gives a file of the working tree. */
export function modeOf(stat: WireStat): number {
	if (stat.kind === 'symlink') return Mode.symlink;
	return fileMode(stat.mode);
}

/** Same for the index, which may ignore permissions. @param before the index entry at the path, if any */
export function modeFor(
	{ trustsModes }: Pick<GitIndex, 'trustsModes'>,
	stat: WireStat,
	before: Pick<IndexEntry, 'mode'> | undefined
): number {
	const mode = modeOf(stat);
	const isRegular = (one: number) => one === Mode.file || one === Mode.executable;
	if (trustsModes || !isRegular(mode)) return mode;
	return before && isRegular(before.mode) ? before.mode : Mode.file;
}

/** Bytes of a file as they are, or the target of a link. */
export function contentOf(files: SyncSyscalls, path: string, stat: WireStat): Uint8Array {
	return stat.kind === 'symlink' ? encode(files.readlink(path)) : files.readFile(path);
}

/** Bytes of a file in the form that is stored, or the target of a link. */
export function storedContent(
	repository: Repository,
	path: string,
	stat: WireStat,
	purpose: StorePurpose = 'compare'
): Uint8Array {
	const content = contentOf(repository.files, repository.absolute(path), stat);
	return stat.kind === 'file' ? conversionOf(repository).toStore(path, content, purpose) : content;
}

/** A file of the working tree as it would be stored. */
export const worktreeFile = (repository: Repository, path: string, stat: WireStat): TreeFile => ({
	mode: modeOf(stat),
	id: objectId('blob', storedContent(repository, path, stat))
});

/** Returns whether a file has the size and time that the index has for it. */
export const hasStatOf = (entry: IndexEntry, stat: WireStat): boolean =>
	stat.size === entry.size && Math.abs(stat.modifiedMs - entry.modifiedMs) < 0.001;

/**
 * Current state of a tracked file, or null if it equals the index. Reads the file only if size and time do not
 * decide, and then refreshes the index entry if it is unchanged.
 */
export function changedFile(repository: Repository, entry: IndexEntry, stat: WireStat): TreeFile | null {
	const { index } = repository;
	if (entry.assumeUnchanged || entry.skipWorktree) return null;
	const mode = modeFor(index, stat, entry);
	// A file written in the same millisecond as the index may have changed after it was read.
	if (hasStatOf(entry, stat) && mode === entry.mode && stat.modifiedMs < index.writtenMs) return null;
	const id = objectId('blob', storedContent(repository, entry.path, stat));
	if (id !== entry.id || mode !== entry.mode) return { mode, id };
	index.refresh(entry, stat.size, stat.modifiedMs);
	return null;
}
