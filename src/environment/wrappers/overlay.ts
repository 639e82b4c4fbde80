import type {
	ExecutionEnvironment,
	MergeOptions,
	MergeResult,
	OverlayChange,
	OverlayEnvironment,
	Snapshot
} from '../contract.ts';
import { sameEntry, snapshotDifferences, type SnapshotEntry } from '../snapshot-diff.ts';
import { DelegatingEnvironment } from './delegating.ts';
import { Mode } from '../mode.ts';

/** An environment that starts with a copy of another one's files and can merge its changes back. */
export class MergingOverlay extends DelegatingEnvironment implements OverlayEnvironment {
	#common: Snapshot;

	/**
	 * @param copy where writes and commands go
	 * @param common last common state of both sides
	 * @param dispose frees the storage of the copy, after its cleanup
	 */
	constructor(
		private readonly base: ExecutionEnvironment,
		copy: ExecutionEnvironment,
		common: Snapshot,
		private readonly dispose: () => Promise<void> = async () => {}
	) {
		super(copy);
		this.#common = common;
	}

	override async cleanup(): Promise<void> {
		await super.cleanup();
		await this.dispose();
	}

	get common(): Snapshot {
		return this.#common;
	}

	async changes(): Promise<OverlayChange[]> {
		return snapshotDifferences(this.#common, await this.inner.snapshot());
	}

	async conflicts(): Promise<OverlayChange[]> {
		const here = await this.inner.snapshot();
		const there = await this.base.snapshot();
		return snapshotDifferences(this.#common, here).filter(({ path }) => this.#isConflict(path, here, there));
	}

	async merge({ paths, overwrite = false }: MergeOptions = {}): Promise<MergeResult> {
		const here = await this.inner.snapshot();
		const there = await this.base.snapshot();
		const wanted = paths && new Set(paths);
		const result: MergeResult = { merged: [], conflicts: [] };
		const common = new Map(this.#common.entries);
		for (const change of snapshotDifferences(this.#common, here)) {
			if (wanted && !wanted.has(change.path)) continue;
			if (!overwrite && this.#isConflict(change.path, here, there)) {
				result.conflicts.push(change);
				continue;
			}
			const ours = here.entries.get(change.path);
			if (!sameEntry(there.entries.get(change.path), ours)) await this.#apply(change.path, ours);
			result.merged.push(change);
			keep(common, change.path, ours);
		}
		if (!wanted)
			for (const [path, entry] of here.entries) {
				if (entry.mode === Mode.directory && !this.#common.entries.has(path)) await this.base.makeDirectory(path);
			}
		this.#move(common);
		return result;
	}

	async drop(paths: readonly string[]): Promise<void> {
		const there = await this.base.snapshot();
		const common = new Map(this.#common.entries);
		for (const path of paths) {
			const theirs = there.entries.get(path);
			if (theirs && theirs.mode !== Mode.directory) {
				const bytes = await this.base.readBlob(theirs.blob);
				await this.inner.load(one({ path, mode: theirs.mode, bytes }), { restored: true });
			} else if (await this.inner.fileExists(path)) await this.inner.remove(path);
			keep(common, path, theirs);
		}
		this.#move(common);
	}

	#isConflict(path: string, here: Snapshot, there: Snapshot): boolean {
		const theirs = there.entries.get(path);
		return !sameEntry(theirs, here.entries.get(path)) && !sameEntry(theirs, this.#common.entries.get(path));
	}

	#move(entries: Snapshot['entries']): void {
		this.#common = { id: crypto.randomUUID(), entries };
	}

	async #apply(path: string, entry: SnapshotEntry): Promise<void> {
		if (!entry || entry.mode === Mode.directory) {
			if (await this.base.fileExists(path)) await this.base.remove(path);
			return;
		}
		const bytes = await this.inner.readBlob(entry.blob);
		await this.base.load(one({ path, mode: entry.mode, bytes }), { restored: true });
	}
}

async function* one<Value>(value: Value): AsyncGenerator<Value> {
	yield value;
}

function keep(entries: Snapshot['entries'], path: string, entry: SnapshotEntry): void {
	if (entry) entries.set(path, entry);
	else entries.delete(path);
}
