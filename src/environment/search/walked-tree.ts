import type { TreeEntry } from '../tree/entry.ts';
import { walkUnignored, type SearchTree } from './ignore-walk.ts';

/**
 * Files below a directory of a tree that was walked before, except those that ignore files exclude.
 *
 * @param all everything below the root, by path relative to it
 * @param below the directory, relative to the root; `''` for the root
 * @param text text of an ignore file, by path relative to the root; `undefined` if unreadable
 * @returns paths relative to `below`
 */
export async function* filesOf(
	all: ReadonlyMap<string, TreeEntry>,
	below: string,
	text: (path: string) => Promise<string | undefined>
): AsyncGenerator<string> {
	const directories = byDirectory(all);
	const tree: SearchTree = {
		list: async (directory) => directories.get(directory) ?? [],
		text: async (path) => (all.get(path)?.kind === 'file' ? text(path) : undefined)
	};
	for await (const path of walkUnignored(tree, below)) yield below === '' ? path : path.slice(below.length + 1);
}

function byDirectory(entries: ReadonlyMap<string, TreeEntry>): Map<string, { name: string; isDirectory: boolean }[]> {
	const directories = new Map<string, { name: string; isDirectory: boolean }[]>();
	for (const [path, { kind }] of entries) {
		const slash = path.lastIndexOf('/');
		const directory = path.slice(0, Math.max(0, slash));
		const siblings = directories.get(directory) ?? [];
		siblings.push({ name: path.slice(slash + 1), isDirectory: kind === 'directory' });
		directories.set(directory, siblings);
	}
	return directories;
}
