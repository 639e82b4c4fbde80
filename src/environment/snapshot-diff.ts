import type { OverlayChange, Snapshot } from './contract.ts';
import { Mode } from './mode.ts';

export type SnapshotEntry = { mode: number; blob: string } | undefined;

const isContent = (entry: SnapshotEntry): boolean => entry !== undefined && entry.mode !== Mode.directory;

export const sameEntry = (a: SnapshotEntry, b: SnapshotEntry): boolean => a?.blob === b?.blob && a?.mode === b?.mode;

/** Files and links that differ, by path. Directories are not listed: they appear and disappear with their contents. */
export function snapshotDifferences(before: Snapshot, after: Snapshot): OverlayChange[] {
	const changes: OverlayChange[] = [];
	for (const path of new Set([...before.entries.keys(), ...after.entries.keys()])) {
		const old = before.entries.get(path);
		const now = after.entries.get(path);
		if (isContent(old) && !isContent(now)) changes.push({ path, kind: 'removed' });
		else if (!isContent(old) && isContent(now)) changes.push({ path, kind: 'added' });
		else if (isContent(now) && !sameEntry(old, now)) changes.push({ path, kind: 'modified' });
	}
	return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}
