import type { FileEffect, TrialMerge } from '#environment/contract.ts';
import { Mode } from '#environment/mode.ts';
import { dirname, WRITABLE_ROOTS } from '#computer/abi/paths.ts';
import { FIFO_TYPE, SOCKET_TYPE } from '#computer/abi/file-types.ts';
import { isDirectory } from '#computer/volume/inode.ts';
import { loadEntries } from '#computer/volume/load.ts';
import { realTarget, removeTree } from '#computer/volume/tree.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { entryAt, isSame, linkAt, type Entry } from './changed-files.ts';

/**
 * Applies the effects of a trial to `target`. A path that was changed there to something else since the trial began is
 * a conflict and is left alone.
 */
export function applyEffects(
	effects: readonly FileEffect[],
	{ before, after, target }: { before: Volume; after: Volume; target: Volume }
): TrialMerge {
	const result: TrialMerge = { merged: [], conflicts: [] };
	for (const effect of effects) {
		const now = entryAt(target, effect.path);
		const isMoved = realTarget(target, effect.path, false) !== effect.path;
		const isFree = !isMoved && (isSame(now, entryAt(before, effect.path)) || isSame(now, entryAt(after, effect.path)));
		result[isFree ? 'merged' : 'conflicts'].push(effect);
	}
	// Added entries may replace removed ones.
	for (const { path, kind } of result.merged) if (kind === 'removed') remove(target, after, path);
	for (const { path, kind } of result.merged) if (kind !== 'removed') write(target, after, path);
	return result;
}

function remove(target: Volume, after: Volume, path: string): void {
	if (entryAt(target, path)) removeTree(target, path, { recursive: true });
	// Directories that disappeared with the last of their entries.
	for (let parent = dirname(path); !WRITABLE_ROOTS.includes(parent); parent = dirname(parent)) {
		if (isDirectory(linkAt(after, parent)) || linkAt(target, parent)?.length !== 0) return;
		removeTree(target, parent, { recursive: true });
	}
}

function write(target: Volume, after: Volume, path: string): void {
	const entry = entryAt(after, path);
	if (entry) writeEntry(target, path, entry);
}

/**
 * Writes an entry at a real path, with its permissions and times, replacing the existing one. Throws the errors of a
 * write.
 */
export function writeEntry(
	target: Volume,
	path: string,
	{ mode, permissions, accessedMs, modifiedMs, bytes }: Entry
): void {
	if (mode === Mode.directory) {
		// A file may have become a directory.
		if (!isDirectory(linkAt(target, path))) removeTree(target, path, { force: true });
		return target.mkdir(path, { recursive: true });
	}
	if (mode === FIFO_TYPE) {
		removeTree(target, path, { force: true });
		return target.mkfifo(path, permissions);
	}
	// The process listening at it has ended with the trial.
	if (mode === SOCKET_TYPE) return removeTree(target, path, { force: true });
	// These are files of the project itself: an import would refuse some of their names.
	loadEntries(target, '/', [{ path: path.slice(1), mode, bytes: bytes.slice() }], { restored: true });
	if (mode === Mode.symlink) return;
	target.chmod(path, permissions);
	target.utimes(path, accessedMs, modifiedMs);
}
