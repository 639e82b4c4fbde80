import type { ExecutionEnvironment, MergeResult, OverlayChange, OverlayEnvironment, Snapshot } from '../contract.ts';
import { sameEntry, snapshotDifferences, type SnapshotEntry } from '../snapshot-diff.ts';
import { DelegatingEnvironment } from './delegating.ts';

const EMPTY_DIRECTORY = 0o40000;

/** An environment that began with the files of another, and gives back what it made of them. */
export class MergingOverlay extends DelegatingEnvironment implements OverlayEnvironment {
	/**
	 * @param copy where writes and commands go
	 * @param common what both sides had when they were last the same
	 * @param dispose frees what the copy lay in, after its cleanup
	 */
	constructor(
		private readonly base: ExecutionEnvironment,
		copy: ExecutionEnvironment,
		private common: Snapshot,
		private readonly dispose: () => Promise<void> = async () => {}
	) {
		super(copy);
	}

	override async cleanup(): Promise<void> {
		await super.cleanup();
		await this.dispose();
	}

	async changes(): Promise<OverlayChange[]> {
		return snapshotDifferences(this.common, await this.inner.snapshot());
	}

	async merge(): Promise<MergeResult> {
		const here = await this.inner.snapshot();
		const there = await this.base.snapshot();
		const result: MergeResult = { merged: [], conflicts: [] };
		const common = new Map(this.common.entries);
		for (const change of snapshotDifferences(this.common, here)) {
			const ours = here.entries.get(change.path);
			const theirs = there.entries.get(change.path);
			if (!sameEntry(theirs, ours)) {
				if (!sameEntry(theirs, this.common.entries.get(change.path))) {
					result.conflicts.push(change);
					continue;
				}
				await this.#apply(change.path, ours);
			}
			result.merged.push(change);
			if (ours) common.set(change.path, ours);
			else common.delete(change.path);
		}
		for (const [path, entry] of here.entries) {
			if (entry.mode === EMPTY_DIRECTORY && !this.common.entries.has(path)) await this.base.makeDirectory(path);
		}
		this.common = { id: '', entries: common };
		return result;
	}

	async #apply(path: string, entry: SnapshotEntry): Promise<void> {
		if (!entry || entry.mode === EMPTY_DIRECTORY) return this.base.remove(path);
		const bytes = await this.inner.readBlob(entry.blob);
		await this.base.load(one({ path, mode: entry.mode, bytes }));
	}
}

async function* one<Value>(value: Value): AsyncGenerator<Value> {
	yield value;
}
