import { TimeSlice } from './time-slice.ts';
import type { Snapshot } from './contract.ts';

type Entries = Snapshot['entries'];
export type SnapshotEntries = [path: string, entry: { mode: number; blob: string }][];

/** Trees of up to this many entries are copied at once, which takes a millisecond or two. */
const COPIED_AT_ONCE = 20_000;

/**
 * Applies changes to a tree, in time slices if it is very large. If both are sorted by path, so is the result.
 *
 * @param removed paths to remove, unless they are also in `arrived`
 */
export async function mergedEntries(
	present: Entries,
	removed: ReadonlySet<string>,
	arrived: SnapshotEntries
): Promise<Entries> {
	const isSmall = present.size <= COPIED_AT_ONCE && arrived.length <= COPIED_AT_ONCE;
	// Every path already has its position, so the order stays.
	if (isSmall && arrived.every(([path]) => present.has(path))) return copied(present, removed, new Map(arrived));
	return walked(present, removed, arrived);
}

function copied(present: Entries, removed: ReadonlySet<string>, arrived: Entries): Entries {
	const entries: Entries = new Map(present);
	for (const path of removed) if (!arrived.has(path)) entries.delete(path);
	for (const [path, entry] of arrived) entries.set(path, entry);
	return entries;
}

async function walked(present: Entries, removed: ReadonlySet<string>, arrived: SnapshotEntries): Promise<Entries> {
	const entries: Entries = new Map();
	const slice = new TimeSlice();
	let next = 0;
	for (const [path, entry] of present) {
		for (let added = arrived[next]; added && added[0] < path; added = arrived[++next]) {
			if (slice.isExpired()) await slice.yieldThread();
			entries.set(added[0], added[1]);
		}
		if (slice.isExpired()) await slice.yieldThread();
		const changed = arrived[next];
		if (changed?.[0] === path) {
			entries.set(path, changed[1]);
			next++;
		} else if (!removed.has(path)) entries.set(path, entry);
	}
	for (const [path, entry] of arrived.slice(next)) {
		if (slice.isExpired()) await slice.yieldThread();
		entries.set(path, entry);
	}
	return entries;
}
