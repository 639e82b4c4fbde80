import { foldersAbove } from '../folders.ts';
import type { IsIgnored } from '../ignore-rules.ts';
import { TimeSlice } from '../time-slice.ts';

/** An ignored directory with more entries than this is left out: installed packages, build results. */
export const MAX_IGNORED_ENTRIES = 1_000;

/**
 * Directories of a tree that stay where they are when a session moves: ignored ones with more than
 * {@link MAX_IGNORED_ENTRIES} entries. What is in them was built for one machine and can be built again.
 */
export async function leftBehind(tree: ReadonlyMap<string, unknown>, isIgnored: IsIgnored): Promise<string[]> {
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
	return [...counts].flatMap(([folder, entries]) => (entries > MAX_IGNORED_ENTRIES ? [folder] : []));
}

/** Returns the test for paths that are or lie in one of these directories. */
export function isInOneOf(directories: ReadonlySet<string>): (path: string) => boolean {
	if (directories.size === 0) return () => false;
	return (path) => directories.has(path) || foldersAbove(path).some((folder) => directories.has(folder));
}
