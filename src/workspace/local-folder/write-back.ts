import type { PathDifference } from '../contract.ts';
import { idOnDisk, removeOnDisk, writeOnDisk } from './folder.ts';
import { Mode } from '#environment/mode.ts';

const TYPE_BITS = 0o170000;

/** What writing back to a folder would do, and what stands in its way. */
export interface WriteBackPlan {
	write: PathDifference[];
	remove: PathDifference[];
	/** The folder has these as the project does. */
	already: PathDifference[];
	/** On disk they are neither as they were imported nor as they are now: somebody changed them there. */
	conflicts: PathDifference[];
	/** Symbolic links, which a page cannot write. */
	links: PathDifference[];
}

/**
 * Compares a folder of this machine with what changed. Reads only the paths that changed.
 *
 * @param differences from what the folder had, by git blob ids
 */
export async function planWriteBack(
	folder: FileSystemDirectoryHandle,
	differences: readonly PathDifference[]
): Promise<WriteBackPlan> {
	const plan: WriteBackPlan = { write: [], remove: [], already: [], conflicts: [], links: [] };
	for (const difference of differences) {
		const { path, before, after } = difference;
		const now = await idOnDisk(folder, path);
		if (after && (after.mode & TYPE_BITS) === Mode.symlink) plan.links.push(difference);
		else if (now === (after?.blob ?? null)) plan.already.push(difference);
		else if (now === (before?.blob ?? null)) plan[after ? 'write' : 'remove'].push(difference);
		else plan.conflicts.push(difference);
	}
	return plan;
}

/** How many files were written, removed, and left because they changed on disk. */
export interface WrittenBack {
	written: number;
	removed: number;
	left: number;
}

/**
 * Writes what changed into the folder, and nothing else. Each path is compared again first: what changed on disk is left,
 * unless the person said that it is to be written over.
 *
 * @param over paths whose version on disk the person gives up
 */
export async function writeBack(
	folder: FileSystemDirectoryHandle,
	differences: readonly PathDifference[],
	over: ReadonlySet<string>,
	readBlob: (id: string) => Promise<Uint8Array>
): Promise<WrittenBack> {
	const { write, remove, conflicts } = await planWriteBack(folder, differences);
	const given = conflicts.filter(({ path }) => over.has(path));
	const result: WrittenBack = { written: 0, removed: 0, left: conflicts.length - given.length };
	// Removed first: a file may stand where a folder is to be, or the other way round.
	for (const { path, after } of [...remove, ...given]) {
		if (after !== null || (await idOnDisk(folder, path)) === null) continue;
		await removeOnDisk(folder, path);
		result.removed++;
	}
	for (const { path, after } of [...write, ...given]) {
		if (!after) continue;
		await writeOnDisk(folder, path, await readBlob(after.blob));
		result.written++;
	}
	return result;
}
