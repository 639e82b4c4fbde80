import { Stretches } from './stretches.ts';
import type { Snapshot } from './contract.ts';

type Entries = Snapshot['entries'];
export type SnapshotEntries = [path: string, entry: { mode: number; blob: string }][];

/**
 * A tree with changes, made in stretches since it may be very large. Where both are sorted by path, so is the result.
 *
 * @param removed paths of it that go, unless they are among those that arrive
 */
export async function mergedEntries(
	present: Entries,
	removed: ReadonlySet<string>,
	arrived: SnapshotEntries
): Promise<Entries> {
	const entries: Entries = new Map();
	const stretches = new Stretches();
	for (const each of merged(present, removed, arrived)) {
		if (stretches.areOver()) await stretches.pause();
		if (each) entries.set(...each);
	}
	return entries;
}

/** `null` in the place of what was removed. */
function* merged(
	present: Entries,
	removed: ReadonlySet<string>,
	arrived: SnapshotEntries
): Generator<SnapshotEntries[number] | null> {
	let next = 0;
	for (const [path, entry] of present) {
		for (let added = arrived[next]; added && added[0] < path; added = arrived[++next]) yield added;
		const changed = arrived[next];
		if (changed?.[0] === path) {
			yield changed;
			next++;
		} else yield removed.has(path) ? null : [path, entry];
	}
	for (; next < arrived.length; next++) yield arrived[next]!;
}
