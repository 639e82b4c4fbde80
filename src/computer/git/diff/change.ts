import { Mode } from '#environment/mode.ts';
import { comparePaths } from '../bytes.ts';
import type { ObjectStore } from '../objects/store.ts';
import { isDirectory, type TreeEntry } from '../objects/tree.ts';
import type { TreeFile } from '../worktree/tree-files.ts';

/** Uncommitted changes in a submodule's repository. */
interface SubmoduleDirt {
	isModified: boolean;
	hasUntracked: boolean;
}

export interface ChangeSide extends TreeFile {
	path: string;
	/** The content is in the working tree and has not been written as an object. */
	inWorktree: boolean;
	/** Content, if it is neither in an object nor in the working tree. */
	content?: Uint8Array;
	/** Uncommitted changes in a submodule. */
	dirt?: SubmoduleDirt;
	/** Real path of the file, if `path` is only for display. */
	source?: string;
}

/** One file that differs between two sides. */
export interface Change {
	status: 'A' | 'D' | 'M' | 'T' | 'R' | 'C' | 'U';
	before: ChangeSide | null;
	after: ChangeSide | null;
	/** Similarity of renames and copies in percent; for a rewrite, its dissimilarity. */
	similarity: number;
	/** Little of the old content is left: shown as a deletion and an addition. */
	isRewrite?: boolean;
	/** Lines to show in the header of its patch; an unmerged path that has some has no other change. */
	remarks?: readonly string[];
}

/** The path a change is listed under. */
export const pathOf = (change: Change): string => (change.after ?? change.before)?.path ?? '';

/** Returns whether all existing sides of a change are submodules. */
export const isSubmodule = ({ before, after }: Change): boolean =>
	[before, after].every((side) => side === null || side.mode === Mode.commit);

const TYPE = 0o170000;

export function makeChange(path: string, before: TreeFile | null, after: TreeFile | null, inWorktree = false): Change {
	const status = !before ? 'A' : !after ? 'D' : (before.mode & TYPE) !== (after.mode & TYPE) ? 'T' : 'M';
	return {
		status,
		before: before && { ...before, path, inWorktree: false },
		after: after && { ...after, path, inWorktree },
		similarity: 0
	};
}

const same = (a: TreeFile, b: TreeFile) => a.id === b.id && a.mode === b.mode;

export const sortChanges = (changes: Change[]): Change[] => changes.sort((a, b) => comparePaths(pathOf(a), pathOf(b)));

/** Differences between two lists of files. */
export function compareFiles(before: ReadonlyMap<string, TreeFile>, after: ReadonlyMap<string, TreeFile>): Change[] {
	const changes: Change[] = [];
	for (const [path, file] of before) {
		const now = after.get(path) ?? null;
		if (!now || !same(file, now)) changes.push(makeChange(path, file, now));
	}
	for (const [path, file] of after) if (!before.has(path)) changes.push(makeChange(path, null, file));
	return sortChanges(changes);
}

/**
 * Differences between two trees, without reading subtrees that they share.
 *
 * @param depth `files` in all directories; `top`, which treats a directory as one entry; or `both`
 */
export function compareTrees(
	objects: ObjectStore,
	before: string | null,
	after: string | null,
	depth: 'files' | 'top' | 'both' = 'files'
): Change[] {
	const changes: Change[] = [];
	const visit = (a: string | null, b: string | null, prefix: string): void => {
		if (a === b) return;
		const left = byName(a === null ? [] : objects.tree(a));
		const right = byName(b === null ? [] : objects.tree(b));
		for (const name of new Set([...left.keys(), ...right.keys()])) {
			const from = left.get(name) ?? null;
			const to = right.get(name) ?? null;
			if (from && to && same(from, to)) continue;
			if (depth === 'top') {
				// If a file replaces a directory, or vice versa, they are separate entries.
				const isOtherKind = from && to && isDirectory(from.mode) !== isDirectory(to.mode);
				if (isOtherKind) {
					const entries = [makeChange(name, null, plain(to)), makeChange(name, plain(from), null)];
					// The file comes first, because directory names sort with a trailing slash.
					changes.push(...(isDirectory(to.mode) ? entries.reverse() : entries));
				} else changes.push(makeChange(name, from && plain(from), to && plain(to)));
				continue;
			}
			const fromTree = from && isDirectory(from.mode) ? from.id : null;
			const toTree = to && isDirectory(to.mode) ? to.id : null;
			if (depth === 'both' && (fromTree ?? toTree) !== null)
				changes.push(
					makeChange(prefix + name, fromTree === null ? null : plain(from!), toTree === null ? null : plain(to!))
				);
			const fromFile = from && fromTree === null ? from : null;
			const toFile = to && toTree === null ? to : null;
			if (fromFile || toFile)
				changes.push(makeChange(prefix + name, fromFile && plain(fromFile), toFile && plain(toFile)));
			if (fromTree !== null || toTree !== null) visit(fromTree, toTree, `${prefix}${name}/`);
		}
	};
	visit(before, after, '');
	return sortChanges(changes);
}

const plain = ({ mode, id }: TreeEntry): TreeFile => ({ mode, id });
const byName = (entries: TreeEntry[]) => new Map(entries.map((entry) => [entry.name, entry]));
