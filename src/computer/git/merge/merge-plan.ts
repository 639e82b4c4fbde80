import { comparePaths } from '../bytes.ts';
import type { Invocation } from '../invocation.ts';
import { Attributes } from '../worktree/attributes.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { worktreeFiles } from '../worktree/verify-path.ts';
import type { Labels } from './merge-text.ts';
import type { StrategyOptions } from './strategy.ts';

/** Values for base, ours and theirs, in the order of their stages. */
export type OfSides<T> = [base: T, ours: T, theirs: T];

/** Position of a side in {@link OfSides}. */
export type Side = 1 | 2;

export const otherSide = (side: Side): Side => (side === 1 ? 2 : 1);

/** Names of the sides, and options for merging trees. */
export interface TreeMergeHow extends Pick<Labels, 'ours' | 'theirs' | 'base' | 'style'> {
	options?: StrategyOptions | undefined;
	/** Files that were added to a directory stay there even if the other side renamed it. */
	ignoresDirectoryRenames?: boolean;
}

/** A path that differs between the sides. */
export interface PathState {
	files: OfSides<TreeFile | null>;
	/** Path of the file in each tree; it differs if the file was renamed. */
	names: OfSides<string>;
	/** Two of the versions are equal, and there was no rename. */
	isMatched: boolean;
	/** The path itself is in conflict. */
	isDisputed: boolean;
	/** All its versions were moved to other paths. */
	isGone: boolean;
}

/** Message about a path, with a machine-readable kind. */
export interface Notice {
	kind: string;
	/** Path under which the message is listed, then other paths that it mentions. */
	paths: readonly string[];
	text: string;
}

export const isSame = (a: TreeFile | null | undefined, b: TreeFile | null | undefined): boolean =>
	a?.id === b?.id && a?.mode === b?.mode;

/** Parent directories of a path, innermost first, without the top level. */
export function* directoriesOf(path: string): Generator<string> {
	for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}

/** State of a tree merge: versions of each path, and messages. */
export class MergePlan {
	readonly paths = new Map<string, PathState>();
	/** Files that are resolved already. */
	readonly settled = new Map<string, TreeFile>();
	readonly directories: OfSides<Set<string>> = [new Set(), new Set(), new Set()];
	readonly attributes: Attributes;
	/** Submodules in conflict, with the commit to merge if it is available. */
	readonly submodules = new Map<string, string | null>();
	isClean = true;
	readonly #notices = new Map<string, Notice[]>();

	/** @param depth nesting level of merges of merge bases; 0 for the actual merge */
	constructor(
		readonly git: Invocation,
		readonly trees: OfSides<string>,
		readonly how: TreeMergeHow,
		readonly depth: number
	) {
		this.attributes = new Attributes(git.repository);
		const { objects } = git.repository;
		const base = treeFiles(objects, trees[0]);
		const [ours, theirs] = [worktreeFiles(objects, trees[1]), worktreeFiles(objects, trees[2])];
		for (const [at, files] of [base, ours, theirs].entries())
			for (const path of files.keys()) addDirectories(this.directories[at]!, path);
		for (const path of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()]))
			this.#take(path, [base.get(path) ?? null, ours.get(path) ?? null, theirs.get(path) ?? null]);
	}

	#take(path: string, files: OfSides<TreeFile | null>): void {
		const [base, ours, theirs] = files;
		if (base && ours && theirs) {
			if (isSame(base, theirs) || isSame(ours, theirs)) return void this.settled.set(path, ours);
			if (isSame(base, ours)) return void this.settled.set(path, theirs);
		}
		const pairs = [
			[base, ours],
			[base, theirs],
			[ours, theirs]
		] as const;
		const isMatched = pairs.some(([a, b]) => a && b && isSame(a, b));
		this.paths.set(path, { files, names: [path, path, path], isMatched, isDisputed: false, isGone: false });
	}

	/** Name of a side in conflict messages. */
	label(side: Side): string {
		return side === 1 ? this.how.ours : this.how.theirs;
	}

	/** Adds a message, unless this merges merge bases. */
	say(kind: string, paths: readonly [string, ...string[]], text: string): void {
		if (this.depth > 0) return;
		const listed = this.#notices.get(paths[0]) ?? [];
		listed.push({ kind, paths, text });
		this.#notices.set(paths[0], listed);
	}

	/** All messages, sorted by path. */
	notices(): Notice[] {
		return [...this.#notices].sort(([a], [b]) => comparePaths(a, b)).flatMap(([, listed]) => listed);
	}

	/** Unused path beside another: `path~side`. */
	freePath(path: string, label: string): string {
		const plain = `${path}~${label.replaceAll('/', '_')}`;
		let free = plain;
		for (let n = 0; this.#isKnown(free); n++) free = `${plain}_${n}`;
		return free;
	}

	#isKnown(path: string): boolean {
		return this.paths.has(path) || this.settled.has(path) || this.directories.some((set) => set.has(path));
	}
}

export function addDirectories(set: Set<string>, path: string): void {
	for (const directory of directoriesOf(path)) {
		if (set.has(directory)) return;
		set.add(directory);
	}
}
