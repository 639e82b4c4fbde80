import { sameEntry, type SnapshotEntry } from '#environment/snapshot-diff.ts';
import { TimeSlice } from '#environment/time-slice.ts';
import { ContentLost, type ReadonlyTree } from './checkpoint-store.ts';
import type { ChangedFile } from './contract.ts';
import type { IsIgnored } from '#environment/ignore-rules.ts';
import { lineCounts } from './text.ts';
import { diffLargeTrees, type TreeChange } from './tree-diff.ts';

interface Compared {
	before: SnapshotEntry;
	now: SnapshotEntry;
	file: ChangedFile;
}

/** Number of contents requested at once: reading one that is not cached takes a message to the worker. */
const AT_ONCE = 32;

/**
 * Finds the changed files to display; if a tree hardly differs from the previous one, only the differences are
 * compared.
 */
export class ChangedFiles {
	/**
	 * Previous results by path, so that a file is compared once as long as neither side changes. Keys are the
	 * trees' own strings: garbage collection slows down with the number of distinct key strings.
	 */
	#last: ReadonlyMap<string, Compared> = new Map();
	/** Ignore rules used for the new files in `#last`. */
	#lastRules: IsIgnored | null = null;

	constructor(private readonly readBlob: (id: string) => Promise<Uint8Array>) {}

	/** Differences by path, without new files that are ignored. Rejects as `readBlob` does. */
	async between(before: ReadonlyTree, now: ReadonlyTree, isIgnored: IsIgnored): Promise<ChangedFile[]> {
		const isAsBefore = isIgnored === this.#lastRules;
		const wasNew = (path: string): boolean => isAsBefore && this.#last.has(path) && !this.#last.get(path)?.before;
		const changes = await diffLargeTrees(before, now, ({ path }) =>
			before.has(path) ? !path.startsWith('.git/') : wasNew(path) || !isIgnored(path)
		);
		const found = new Map<string, Compared>();
		const slice = new TimeSlice();
		for (let at = 0; at < changes.length; at += AT_ONCE) {
			const compared = changes.slice(at, at + AT_ONCE).map((change) => this.#compare(change, before, now));
			for (const each of await Promise.all(compared)) found.set(each.file.path, each);
			if (slice.isExpired(AT_ONCE)) await slice.yieldThread();
		}
		this.#last = found;
		this.#lastRules = isIgnored;
		return Array.from(found.values(), ({ file }) => file);
	}

	async #compare(change: TreeChange, beforeTree: ReadonlyTree, nowTree: ReadonlyTree): Promise<Compared> {
		const [before, now] = [beforeTree.get(change.path), nowTree.get(change.path)];
		const last = this.#last.get(change.path);
		if (last && sameEntry(last.before, before) && sameEntry(last.now, now)) return last;
		const version = [before, now].map((entry) => (entry ? `${entry.mode.toString(8)} ${entry.blob}` : '-')).join(' ');
		return { before, now, file: { ...change, ...(await this.#count(before, now)), version } };
	}

	async #count(before: SnapshotEntry, now: SnapshotEntry): Promise<Pick<ChangedFile, 'added' | 'removed' | 'binary'>> {
		const read = async (entry: SnapshotEntry) => (entry?.blob ? await this.readBlob(entry.blob) : new Uint8Array());
		try {
			return lineCounts(...(await Promise.all([read(before), read(now)])));
		} catch (error) {
			// The file is still listed as changed; only its lines cannot be counted.
			if (error instanceof ContentLost) return { added: 0, removed: 0, binary: true };
			throw error;
		}
	}
}
