import { TimeSlice } from '#environment/time-slice.ts';
import type { ReadonlyTree } from './checkpoint-store.ts';
import { Mode } from '#environment/mode.ts';

export interface TreeChange {
	path: string;
	kind: 'added' | 'modified' | 'removed';
}

interface DiffOptions {
	/** True if directories count. */
	directories?: boolean;
}

/** Differences between two trees, by path. Directories count only if `directories` is set. */
export function diffTrees(before: ReadonlyTree, after: ReadonlyTree, options: DiffOptions = {}): TreeChange[] {
	const changes: TreeChange[] = [];
	for (const change of walkDifferences(before, after, options)) if (change) changes.push(change);
	return changes.sort(byPath);
}

/**
 * Differences between possibly very large trees, computed in short time slices.
 *
 * @param isWanted filters the result
 */
export async function diffLargeTrees(
	before: ReadonlyTree,
	after: ReadonlyTree,
	isWanted: (change: TreeChange) => boolean,
	options: DiffOptions = {}
): Promise<TreeChange[]> {
	const changes: TreeChange[] = [];
	const slice = new TimeSlice();
	for (const change of walkDifferences(before, after, options)) {
		if (slice.isExpired()) await slice.yieldThread();
		if (change && isWanted(change)) changes.push(change);
	}
	return changes.sort(byPath);
}

/** Yields for each entry of both trees: its change, or `null`. */
function* walkDifferences(
	before: ReadonlyTree,
	after: ReadonlyTree,
	options: DiffOptions
): Generator<TreeChange | null> {
	const counts = (mode: number) => options.directories || mode !== Mode.directory;
	for (const [path, entry] of after) {
		const old = before.get(path);
		if (!counts(entry.mode)) yield null;
		else if (!old || !counts(old.mode)) yield { path, kind: 'added' };
		else yield old.blob !== entry.blob || old.mode !== entry.mode ? { path, kind: 'modified' } : null;
	}
	for (const [path, entry] of before) {
		const now = after.get(path);
		yield counts(entry.mode) && (!now || !counts(now.mode)) ? { path, kind: 'removed' } : null;
	}
}

/** No path is in the list twice. */
const byPath = (a: TreeChange, b: TreeChange): number => (a.path < b.path ? -1 : 1);
