import type { PathDifference } from '../contract.ts';
import { idOnDisk, removeOnDisk, writeOnDisk } from './folder.ts';
import { Mode } from '#environment/mode.ts';

const TYPE_BITS = 0o170000;

/** Preview of writing back to a folder, including conflicts. */
export interface WriteBackPlan {
	write: PathDifference[];
	remove: PathDifference[];
	/** Changes that the folder already has. */
	already: PathDifference[];
	/** Files on disk that match neither the import nor the present: they were changed on disk. */
	conflicts: PathDifference[];
	/** Symbolic links, which a page cannot write. */
	links: PathDifference[];
}

/**
 * Compares a local folder with the changes. Reads only the paths that changed.
 *
 * @param differences from the imported folder, by git blob ids
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

/** Number of files written, removed, and skipped because they changed on disk. */
export interface WrittenBack {
	written: number;
	removed: number;
	left: number;
}

/**
 * Writes the changes into the folder, and nothing else. Each path is compared again first: files that changed
 * on disk are skipped, unless the user chose to overwrite them.
 *
 * @param over paths whose version on disk may be overwritten
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
	// Removals first: a file may be where a folder is needed, or the other way round.
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
