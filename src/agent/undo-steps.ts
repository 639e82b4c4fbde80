import type { Snapshot } from '#environment/contract.ts';
import { foldersAbove, foldersOf } from '#environment/folders.ts';
import { mergedEntries, type SnapshotEntries } from '#environment/merged-entries.ts';
import { TimeSlice } from '#environment/time-slice.ts';
import { sameEntry, type SnapshotEntry } from '#environment/snapshot-diff.ts';
import { Mode } from '#environment/mode.ts';

const MAX_STEPS = 50;
const GIT = '.git';
const INDEX = '.git/index';

/** Relative paths that the journal has reported since a certain time. */
export class TouchedPaths {
	readonly #paths = new Set<string>();
	readonly #files = new Set<string>();
	/** Parent directories of the paths: one that became empty is an entry of a snapshot too. */
	readonly #above = new Set<string>();

	/** @param isFile true for a file of the project: neither a directory nor one of git's own files */
	add(path: string, isFile: boolean): void {
		this.#paths.add(path);
		if (isFile) this.#files.add(path);
		for (const directory of foldersAbove(path)) this.#above.add(directory);
	}

	get isEmpty(): boolean {
		return this.#paths.size === 0;
	}

	get hasFiles(): boolean {
		return this.#files.size > 0;
	}

	/** Reported files, for callers without two trees to compare. */
	get files(): string[] {
		return [...this.#files].sort();
	}

	/**
	 * Removes differing paths, and folders above them, if another call reported them too: that call takes them over.
	 */
	leave(other: TouchedPaths, differing: readonly string[]): void {
		const others = other.#paths;
		for (const path of differing)
			for (const place of [path, ...foldersAbove(path)]) {
				if (!others.has(place)) continue;
				this.#paths.delete(place);
				this.#files.delete(place);
			}
	}

	/** Returns a new set with these paths and others. */
	with(others: TouchedPaths): TouchedPaths {
		const both = new TouchedPaths();
		for (const one of [this, others]) {
			for (const path of one.#paths) both.#paths.add(path);
			for (const path of one.#files) both.#files.add(path);
			for (const path of one.#above) both.#above.add(path);
		}
		return both;
	}

	/**
	 * Returns the differences between two trees at and below these paths: a directory is created or removed with its
	 * contents.
	 */
	async differences(before: Snapshot, after: Snapshot): Promise<string[]> {
		const found: string[] = [];
		const slice = new TimeSlice();
		for (const [path, entry] of after.entries) {
			if (slice.isExpired()) await slice.yieldThread();
			if (!sameEntry(before.entries.get(path), entry) && this.#has(path)) found.push(path);
		}
		for (const path of before.entries.keys()) {
			if (slice.isExpired()) await slice.yieldThread();
			if (!after.entries.has(path) && this.#has(path)) found.push(path);
		}
		return found.sort();
	}

	#has(path: string): boolean {
		return this.#paths.has(path) || this.#above.has(path) || foldersAbove(path).some((one) => this.#paths.has(one));
	}
}

interface UndoStep {
	/** Changes of a call, before and after; sorted by path. */
	changed: { path: string; was: SnapshotEntry; is: SnapshotEntry }[];
	/** Paths shown to the user. */
	paths: string[];
}

/** Stack of undo steps, one per call that changed files. */
export class UndoSteps {
	#steps: UndoStep[] = [];

	/** @param differing all paths that a call changed, sorted; including git's own files */
	async push(before: Snapshot, after: Snapshot, differing: readonly string[], paths: string[]): Promise<void> {
		const step: UndoStep = { changed: [], paths };
		const slice = new TimeSlice();
		for (const path of differing) {
			if (slice.isExpired()) await slice.yieldThread();
			step.changed.push({ path, was: before.entries.get(path), is: after.entries.get(path) });
		}
		this.#steps.push(step);
		if (this.#steps.length > MAX_STEPS) this.#steps.shift();
	}

	pop(): UndoStep | undefined {
		return this.#steps.pop();
	}

	clear(): void {
		this.#steps = [];
	}
}

/**
 * Returns the tree without the changes of a call: the call's paths as they were before it, all others unchanged. Git's
 * own files are restored together, and only if git has not been used since.
 */
export async function withoutStep(now: Snapshot, { changed }: UndoStep): Promise<Snapshot> {
	// Read-only commands write the index too.
	const isGitUsed = changed.some(
		({ path, is }) => isOfGit(path) && path !== INDEX && !sameEntry(now.entries.get(path), is)
	);
	const back = isGitUsed ? changed.filter(({ path }) => !isOfGit(path)) : changed;
	const removed = new Set<string>();
	const slice = new TimeSlice();
	for (const { path } of back) {
		if (slice.isExpired()) await slice.yieldThread();
		removed.add(path);
	}
	const folders = await foldersOf(staying(now, removed));
	const restored: SnapshotEntries = [];
	for (const { path, was } of back) {
		if (slice.isExpired()) await slice.yieldThread();
		if (!was) continue;
		// Conflicting entries are removed: a file where a directory is needed, or entries below a file.
		for (const directory of foldersAbove(path)) removed.add(directory);
		const below = folders.has(path) ? pathsBelow(path, now, removed) : [];
		// Files have been added to the directory since.
		if (was.mode === Mode.directory && below.length > 0) continue;
		for (const other of below) removed.add(other);
		restored.push([path, was]);
	}
	return { id: crypto.randomUUID(), entries: await mergedEntries(now.entries, removed, restored) };
}

function* staying(tree: Snapshot, removed: ReadonlySet<string>): Generator<string> {
	for (const path of tree.entries.keys()) if (!removed.has(path)) yield path;
}

function pathsBelow(path: string, tree: Snapshot, removed: ReadonlySet<string>): string[] {
	return [...tree.entries.keys()].filter((other) => other.startsWith(`${path}/`) && !removed.has(other));
}

/** Returns true for git's own files, which do not belong to the project. */
export const isOfGit = (path: string): boolean => path === GIT || path.startsWith(`${GIT}/`);
