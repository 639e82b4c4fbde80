import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionEnvironment, MergeResult, OverlayChange, OverlayEnvironment, Snapshot } from '../contract.ts';
import { DelegatingEnvironment } from '../wrappers/delegating.ts';
import type { LocalEnvironmentOptions } from './environment.ts';
import { copyTree } from './files.ts';

/**
 * A view of a local directory that shares nothing with it: a copy in a temporary directory.
 * Limit: its working directory is another path than the base's, and a command that names the
 * base's path reaches the base.
 */
export class LocalOverlayEnvironment extends DelegatingEnvironment implements OverlayEnvironment {
	/** What both sides had when they were last the same. */
	#common: Snapshot;

	private constructor(
		private readonly base: ExecutionEnvironment,
		copy: ExecutionEnvironment,
		private readonly directory: string,
		common: Snapshot
	) {
		super(copy);
		this.#common = common;
	}

	/** @param make builds the environment of the copy */
	static async over(
		base: ExecutionEnvironment,
		options: LocalEnvironmentOptions,
		make: (options: LocalEnvironmentOptions) => ExecutionEnvironment
	): Promise<LocalOverlayEnvironment> {
		const directory = await mkdtemp(join(tmpdir(), 'sandglass-overlay-'));
		const workingDirectory = join(directory, 'workspace');
		await copyTree(options.workingDirectory, workingDirectory);
		const closed = [...(options.closed ?? []), options.workingDirectory];
		const copy = make({ ...options, workingDirectory, roots: [workingDirectory, tmpdir(), '/tmp'], closed });
		await copy.initialize();
		return new LocalOverlayEnvironment(base, copy, directory, await copy.snapshot());
	}

	override async cleanup(): Promise<void> {
		await super.cleanup();
		await rm(this.directory, { recursive: true, force: true });
	}

	async changes(): Promise<OverlayChange[]> {
		return differences(this.#common, await this.inner.snapshot());
	}

	async merge(): Promise<MergeResult> {
		const here = await this.inner.snapshot();
		const there = await this.base.snapshot();
		const result: MergeResult = { merged: [], conflicts: [] };
		const common = new Map(this.#common.entries);
		for (const change of differences(this.#common, here)) {
			const ours = here.entries.get(change.path);
			const theirs = there.entries.get(change.path);
			if (!same(theirs, ours) && !same(theirs, this.#common.entries.get(change.path))) {
				result.conflicts.push(change);
				continue;
			}
			if (!same(theirs, ours)) await this.#apply(change.path, ours);
			result.merged.push(change);
			if (ours) common.set(change.path, ours);
			else common.delete(change.path);
		}
		for (const [path, { mode }] of here.entries)
			if (mode === 0o40000 && !this.#common.entries.has(path)) await this.base.makeDirectory(path);
		this.#common = { id: '', entries: common };
		return result;
	}

	async #apply(path: string, entry: { mode: number; blob: string } | undefined): Promise<void> {
		if (!entry) return this.base.remove(path);
		const bytes = await this.inner.readBlob(entry.blob);
		await this.base.load(
			(async function* () {
				yield { path, mode: entry.mode, bytes };
			})()
		);
	}
}

type Entry = { mode: number; blob: string } | undefined;

const same = (a: Entry, b: Entry): boolean => a?.blob === b?.blob && a?.mode === b?.mode;

/** Files and links that differ; directories come and go with what they hold. */
function differences(before: Snapshot, after: Snapshot): OverlayChange[] {
	const isContent = (entry: Entry): boolean => entry !== undefined && entry.mode !== 0o40000;
	const changes: OverlayChange[] = [];
	for (const path of [...new Set([...before.entries.keys(), ...after.entries.keys()])].sort()) {
		const old = before.entries.get(path);
		const now = after.entries.get(path);
		if (isContent(old) && !isContent(now)) changes.push({ path, kind: 'removed' });
		else if (!isContent(old) && isContent(now)) changes.push({ path, kind: 'added' });
		else if (isContent(now) && !same(old, now)) changes.push({ path, kind: 'modified' });
	}
	return changes;
}
