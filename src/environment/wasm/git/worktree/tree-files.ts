import type { ObjectStore } from '../objects/store.ts';
import { isDirectory, type TreeEntry } from '../objects/tree.ts';

/** What a path is in a tree or the index. */
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

export function findInTree(objects: ObjectStore, tree: string, path: string): TreeEntry | null {
	let found: TreeEntry | null = null;
	for (const part of path.split('/')) {
		if (found && !isDirectory(found.mode)) return null;
		found = objects.tree(found?.id ?? tree).find((entry) => entry.name === part) ?? null;
		if (!found) return null;
	}
	return found;
}
