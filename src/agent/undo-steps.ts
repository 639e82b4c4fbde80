import type { Snapshot } from '../environment/contract.ts';
import { Stretches } from '../environment/stretches.ts';
import { sameEntry, type SnapshotEntry } from '../environment/snapshot-diff.ts';
import { Mode } from '../environment/mode.ts';

const MOST_STEPS = 50;
const GIT = '.git';
const INDEX = '.git/index';

/** The paths of a tree, relative, that the journal told of since some moment. */
export class TouchedPaths {
	readonly #paths = new Set<string>();
	readonly #files = new Set<string>();
	/** Directories above them: one with nothing left in it is an entry of a snapshot too. */
	readonly #above = new Set<string>();

	/** @param isFile of the project: no directory, and none of git's own */
	add(path: string, isFile: boolean): void {
		this.#paths.add(path);
		if (isFile) this.#files.add(path);
		for (const directory of directoriesAbove(path)) this.#above.add(directory);
	}

	get isEmpty(): boolean {
		return this.#paths.size === 0;
	}

	get hasFiles(): boolean {
		return this.#files.size > 0;
	}

	/** Those told of themselves, for who has no two trees to compare. */
	get files(): string[] {
		return [...this.#files].sort();
	}

	/** What differs between two trees at these paths and below them: a directory comes and goes with what it holds. */
	async differences(before: Snapshot, after: Snapshot): Promise<string[]> {
		const found: string[] = [];
		const stretches = new Stretches();
		for (const [path, entry] of after.entries) {
			if (stretches.areOver()) await stretches.pause();
			if (!sameEntry(before.entries.get(path), entry) && this.#has(path)) found.push(path);
		}
		for (const path of before.entries.keys()) {
			if (stretches.areOver()) await stretches.pause();
			if (!after.entries.has(path) && this.#has(path)) found.push(path);
		}
		return found.sort();
	}

	#has(path: string): boolean {
		return this.#paths.has(path) || this.#above.has(path) || directoriesAbove(path).some((one) => this.#paths.has(one));
	}
}

interface UndoStep {
	/** What a call changed, as it was before and after it. */
	was: Map<string, SnapshotEntry>;
	is: Map<string, SnapshotEntry>;
	/** What the person is told. */
	paths: string[];
}

/** The way back over the calls that changed files, the last first. */
export class UndoSteps {
	#steps: UndoStep[] = [];

	/** @param differing all paths that a call changed, git's own among them */
	push(before: Snapshot, after: Snapshot, differing: readonly string[], paths: string[]): void {
		const entriesOf = ({ entries }: Snapshot): UndoStep['was'] =>
			new Map(differing.map((path) => [path, entries.get(path)]));
		this.#steps.push({ was: entriesOf(before), is: entriesOf(after), paths });
		if (this.#steps.length > MOST_STEPS) this.#steps.shift();
	}

	pop(): UndoStep | undefined {
		return this.#steps.pop();
	}

	clear(): void {
		this.#steps = [];
	}
}

/**
 * The tree without what a call did: its paths as they were before it, all others as they are now. Git's own files
 * go back together, and only where nobody has used git since.
 */
export function withoutStep(now: Snapshot, { was, is }: UndoStep): Snapshot {
	const paths = [...was.keys()];
	const ofGit = paths.filter(isOfGit);
	// The index is written by whoever only looks, too.
	const isGitUsed = ofGit.some((path) => path !== INDEX && !sameEntry(now.entries.get(path), is.get(path)));
	const entries = new Map(now.entries);
	const back = isGitUsed ? paths.filter((path) => !isOfGit(path)) : paths;
	for (const path of back) entries.delete(path);
	for (const path of back) {
		const entry = was.get(path);
		if (entry) put(entries, path, entry);
	}
	return { id: crypto.randomUUID(), entries: new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** What stands in the way of an entry goes: a file where its directory is to be, or whatever lies below a file. */
function put(entries: Snapshot['entries'], path: string, entry: NonNullable<SnapshotEntry>): void {
	for (const directory of directoriesAbove(path)) entries.delete(directory);
	if (entry.mode === Mode.directory) {
		// Somebody has put something into it since.
		for (const other of entries.keys()) if (other.startsWith(`${path}/`)) return;
	} else for (const other of [...entries.keys()]) if (other.startsWith(`${path}/`)) entries.delete(other);
	entries.set(path, entry);
}

/** Git's own files are no files of the project. */
export const isOfGit = (path: string): boolean => path === GIT || path.startsWith(`${GIT}/`);

function directoriesAbove(path: string): string[] {
	const above: string[] = [];
	for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) above.push(path.slice(0, end));
	return above;
}
