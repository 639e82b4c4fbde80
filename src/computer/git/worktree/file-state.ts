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

/** The mode git gives a file of the working tree. */
export function modeOf(stat: WireStat): number {
	if (stat.kind === 'symlink') return Mode.symlink;
	return fileMode(stat.mode);
}

/** The same for the index, where permissions may not count. @param before what the index has at the path, if anything */
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

/** A file's bytes as they are, or where a link leads. */
export function contentOf(files: SyncSyscalls, path: string, stat: WireStat): Uint8Array {
	return stat.kind === 'symlink' ? encode(files.readlink(path)) : files.readFile(path);
}

/** A file's bytes in the form in which they are stored, or where a link leads. */
export function storedContent(
	repository: Repository,
	path: string,
	stat: WireStat,
	purpose: StorePurpose = 'compare'
): Uint8Array {
	const content = contentOf(repository.files, repository.absolute(path), stat);
	return stat.kind === 'file' ? conversionOf(repository).toStore(path, content, purpose) : content;
}

/**
 * Current state of a tracked file, or null if it equals the index. Reads it only if size and time do not
 * decide, and records in the index if it is unchanged.
 */
export function changedFile(repository: Repository, entry: IndexEntry, stat: WireStat): TreeFile | null {
	const { index } = repository;
	if (entry.assumeUnchanged || entry.skipWorktree) return null;
	const mode = modeFor(index, stat, entry);
	const sameStat = stat.size === entry.size && Math.abs(stat.modifiedMs - entry.modifiedMs) < 0.001;
	// A file written in the same millisecond as the index may have changed after it was looked at.
	if (sameStat && mode === entry.mode && stat.modifiedMs < index.writtenMs) return null;
	const id = objectId('blob', storedContent(repository, entry.path, stat));
	if (id !== entry.id || mode !== entry.mode) return { mode, id };
	index.refresh(entry, stat.size, stat.modifiedMs);
	return null;
}
