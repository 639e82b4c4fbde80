import type { ObjectStore } from '../objects/store.ts';
import { isDirectory, serializeTree, type TreeEntry } from '../objects/tree.ts';
import { findInTree } from '../worktree/tree-files.ts';

/** Maximum depth of directories that are searched, below the first level. */
const DEPTH = 2;

/**
 * Shifts a tree so that it lines up with another: into a directory, or up from one.
 *
 * @param path the directory; '' to find the one whose entries are most similar
 */
export function shiftedTree(objects: ObjectStore, place: string, moved: string, path: string): string {
	return path === '' ? shiftedByLikeness(objects, place, moved) : shiftedBy(objects, place, moved, path);
}

const directoryAt = (objects: ObjectStore, tree: string, path: string): string | null => {
	const entry = findInTree(objects, tree, path);
	return entry && isDirectory(entry.mode) ? entry.id : null;
};

function shiftedBy(objects: ObjectStore, place: string, moved: string, path: string): string {
	const [there, inMoved] = [directoryAt(objects, place, path), directoryAt(objects, moved, path)];
	const likeness = (one: string, other: string) => likenessOf(objects, one, other);
	if (there !== null && (inMoved === null || likeness(there, moved) >= likeness(place, inMoved)))
		return replaced(objects, place, path.split('/'), moved);
	return inMoved ?? moved;
}

function shiftedByLikeness(objects: ObjectStore, place: string, moved: string): string {
	const as = likenessOf(objects, place, moved);
	const down = bestDirectory(objects, place, (tree) => likenessOf(objects, tree, moved));
	const up = bestDirectory(objects, moved, (tree) => likenessOf(objects, place, tree));
	if (down && down.likeness > as && down.likeness >= (up?.likeness ?? -Infinity))
		return replaced(objects, place, down.path.split('/'), moved);
	return up && up.likeness > as ? up.id : moved;
}

interface Found {
	path: string;
	id: string;
	likeness: number;
}

function bestDirectory(
	objects: ObjectStore,
	tree: string,
	likeness: (tree: string) => number,
	prefix = '',
	depth = DEPTH
): Found | null {
	let best: Found | null = null;
	for (const { mode, name, id } of objects.tree(tree)) {
		if (!isDirectory(mode)) continue;
		const path = prefix + name;
		const own: Found = { path, id, likeness: likeness(id) };
		const below = depth > 0 ? bestDirectory(objects, id, likeness, `${path}/`, depth - 1) : null;
		for (const found of [own, below]) if (found && (!best || found.likeness > best.likeness)) best = found;
	}
	return best;
}

/** Similarity score of two trees: entries that only one has lower it, directories most. */
function likenessOf(objects: ObjectStore, one: string, other: string): number {
	const weight = ({ mode }: TreeEntry) => (isDirectory(mode) ? 4 : 1);
	const others = new Map(objects.tree(other).map((entry) => [entry.name, entry]));
	let likeness = 0;
	for (const entry of objects.tree(one)) {
		const same = others.get(entry.name);
		others.delete(entry.name);
		if (!same) likeness -= weight(entry);
		else if (same.id === entry.id && same.mode === entry.mode) likeness += 4 * weight(entry);
		else if (isDirectory(same.mode) !== isDirectory(entry.mode)) likeness -= weight(entry);
	}
	for (const entry of others.values()) likeness -= weight(entry);
	return likeness;
}

/** Returns a tree with a directory replaced by another tree. */
function replaced(objects: ObjectStore, tree: string, [name = '', ...rest]: readonly string[], by: string): string {
	const entries = objects
		.tree(tree)
		.map((entry) =>
			entry.name !== name ? entry : { ...entry, id: rest.length === 0 ? by : replaced(objects, entry.id, rest, by) }
		);
	return objects.write('tree', serializeTree(entries));
}
