import type { ExecutionEnvironment, MergeResult, OverlayChange, OverlayEnvironment, Snapshot } from '../../contract.ts';
import { sameEntry, snapshotDifferences, type SnapshotEntry } from '../../snapshot-diff.ts';
import { DelegatingEnvironment } from '../../wrappers/delegating.ts';

const EMPTY_DIRECTORY = 0o40000;

/** A second machine in the same kernel, whose files share their bytes with the base until one side writes. */
export class WasmOverlay extends DelegatingEnvironment implements OverlayEnvironment {
	/** @param common what both sides had when they were last the same */
	constructor(
		private readonly base: ExecutionEnvironment,
		machine: ExecutionEnvironment,
		private common: Snapshot
	) {
		super(machine);
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
