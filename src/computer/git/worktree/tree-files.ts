import { comparePaths } from '../bytes.ts';
import { newEntry, type IndexEntry } from '../index/index-file.ts';
import type { ObjectStore } from '../objects/store.ts';
import { isDirectory, type TreeEntry } from '../objects/tree.ts';

/** Mode and id of a path in a tree or the index. */
export interface TreeFile {
	mode: number;
	id: string;
}

/** All files of a tree by path. */
export function treeFiles(objects: ObjectStore, tree: string): Map<string, TreeFile> {
	const files = new Map<string, TreeFile>();
	const visit = (id: string, prefix: string): void => {
		for (const entry of objects.tree(id)) {
			if (isDirectory(entry.mode)) visit(entry.id, `${prefix}${entry.name}/`);
			else files.set(prefix + entry.name, { mode: entry.mode, id: entry.id });
		}
	};
	visit(tree, '');
	return files;
}

/** Sorted index entries of the files, without stat data. */
export const entriesOf = (files: ReadonlyMap<string, TreeFile>): IndexEntry[] =>
	[...files].sort(([a], [b]) => comparePaths(a, b)).map(([path, file]) => newEntry(path, file));

export function findInTree(objects: ObjectStore, tree: string, path: string): TreeEntry | null {
	const slash = path.indexOf('/');
	const name = slash < 0 ? path : path.slice(0, slash);
	const found = objects.tree(tree).find((entry) => entry.name === name) ?? null;
	if (!found || slash < 0) return found;
	return isDirectory(found.mode) ? findInTree(objects, found.id, path.slice(slash + 1)) : null;
}
