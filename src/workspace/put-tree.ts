import type { ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import type { ReadonlyTree, Tree } from './checkpoint-store.ts';
import { belowWorkingDirectory, foldersAbove } from '#environment/folders.ts';
import { Mode } from '#environment/mode.ts';
import { removeIfThere } from './remove-if-there.ts';

/**
 * Makes the given paths equal to a tree: writes those it contains, removes the others.
 *
 * @param paths relative to the working directory
 * @param readBlob reads the content of a blob id
 */
export async function putTree(
	environment: ExecutionEnvironment,
	tree: Tree,
	paths: string[],
	readBlob: (id: string) => Promise<Uint8Array>
): Promise<void> {
	const gone = paths.filter((path) => !tree.has(path));
	for (const path of gone) await removeIfThere(environment, path);
	await removeEmptied(environment, tree, gone);
	const present = paths.filter((path) => tree.has(path));
	for (const path of present) {
		// If a file or a link replaces a directory, or the other way round, the old one is removed first.
		const isWanted = tree.get(path)?.mode === Mode.directory;
		const isThere =
			(await environment.fileExists(belowWorkingDirectory(path))) &&
			(await environment.stat(belowWorkingDirectory(path))).kind === 'directory';
		if (isThere !== isWanted) await removeIfThere(environment, path);
		if (isWanted) await environment.makeDirectory(belowWorkingDirectory(path));
	}
	await environment.load(contentsOf(tree, present, readBlob), { restored: true });
}

/** Contents of paths of a tree as input for `load`; directories are skipped. */
export async function* contentsOf(
	tree: ReadonlyTree,
	paths: readonly string[],
	readBlob: (id: string) => Promise<Uint8Array>
): AsyncIterable<LoadEntry> {
	for (const path of paths) {
		const entry = tree.get(path);
		if (!entry || entry.mode === Mode.directory) continue;
		yield { path, mode: entry.mode, bytes: await readBlob(entry.blob) };
	}
}

/**
 * A tree lists only empty directories, so a directory that lost its last file is removed unless the tree lists
 * it.
 */
async function removeEmptied(environment: ExecutionEnvironment, tree: Tree, gone: string[]): Promise<void> {
	const parents = new Set(gone.flatMap(foldersAbove));
	for (const parent of [...parents].sort((a, b) => b.length - a.length)) {
		if (tree.has(parent) || !(await environment.fileExists(belowWorkingDirectory(parent)))) continue;
		if ((await environment.listDirectory(belowWorkingDirectory(parent), 1)).length === 0)
			await environment.remove(belowWorkingDirectory(parent), { recursive: true });
	}
}
