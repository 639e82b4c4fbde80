import type { ReadonlyTree } from './checkpoint-store.ts';

const DIRECTORY = 0o40000;

export interface TreeChange {
	path: string;
	kind: 'added' | 'modified' | 'removed';
}

/** What turns one tree into the other, by path. Directories count only where `directories` asks for them. */
export function diffTrees(
	before: ReadonlyTree,
	after: ReadonlyTree,
	options: { directories?: boolean } = {}
): TreeChange[] {
	const counts = (mode: number) => options.directories || mode !== DIRECTORY;
	const changes: TreeChange[] = [];
	for (const [path, entry] of after) {
		const old = before.get(path);
		if (!old || (!counts(old.mode) && counts(entry.mode))) {
			if (counts(entry.mode)) changes.push({ path, kind: 'added' });
		} else if (counts(entry.mode) && (old.blob !== entry.blob || old.mode !== entry.mode)) {
			changes.push({ path, kind: 'modified' });
		}
	}
	for (const [path, entry] of before) {
		const now = after.get(path);
		if (counts(entry.mode) && (!now || (!counts(now.mode) && counts(entry.mode))))
			changes.push({ path, kind: 'removed' });
	}
	return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
