import { foldersAbove } from '../folders.ts';
import type { IsIgnored } from '../ignore-rules.ts';
import { TimeSlice } from '../time-slice.ts';

/** An ignored directory with more entries than this is left out: installed packages, build results. */
export const MAX_IGNORED_ENTRIES = 1_000;

/** Finds the outermost ignored directories of a tree, with the number of entries below each. `.git` is not one. */
export async function ignoredDirectories(
	tree: ReadonlyMap<string, unknown>,
	isIgnored: IsIgnored
): Promise<Map<string, number>> {
	const counts = new Map<string, number>();
	const counted = new Set<string>();
	const slice = new TimeSlice();
	for (const path of tree.keys()) {
		if (slice.isExpired()) await slice.yieldThread();
		if (path.startsWith('.git/')) continue;
		const folders = foldersAbove(path);
		const top = folders.findLast((folder) => isIgnored(`${folder}/`));
		if (top === undefined) continue;
		const added = folders.filter((folder) => folder.length > top.length && !counted.has(folder));
		for (const folder of added) counted.add(folder);
		counts.set(top, (counts.get(top) ?? 0) + 1 + added.length);
	}
	return counts;
}

/**
 * Returns a predicate for paths that are these directories or lie in them. It also covers the folders above them: a
 * tree lists a folder only if it is empty, and these are empty on one side only.
 */
export function isInOneOf(directories: ReadonlySet<string>): (path: string) => boolean {
	if (directories.size === 0) return () => false;
	const above = new Set([...directories].flatMap(foldersAbove));
	return (path) =>
		directories.has(path) || above.has(path) || foldersAbove(path).some((folder) => directories.has(folder));
}
