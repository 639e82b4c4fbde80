import { comparePaths } from '../bytes.ts';
import type { Invocation } from '../invocation.ts';
import { Attributes } from '../worktree/attributes.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { worktreeFiles } from '../worktree/verify-path.ts';
import type { Labels } from './merge-text.ts';
import type { StrategyOptions } from './strategy.ts';

/** Something for each of base, ours and theirs, in the order of their stages. */
export type OfSides<T> = [base: T, ours: T, theirs: T];

/** Position of a side in {@link OfSides}. */
export type Side = 1 | 2;

export const otherSide = (side: Side): Side => (side === 1 ? 2 : 1);

/** Names of the sides, and rules by which trees are merged. */
export interface TreeMergeHow extends Pick<Labels, 'ours' | 'theirs' | 'base' | 'style'> {
	options?: StrategyOptions | undefined;
	/** Files in a directory that the other side renamed stay where they are, without a question. */
	ignoresDirectoryRenames?: boolean;
}

/** One path that the sides do not plainly agree on. */
export interface PathState {
	files: OfSides<TreeFile | null>;
	/** Path of each file on its side, which is another one before a rename. */
	names: OfSides<string>;
	/** Two of the files are the same, and nothing was renamed. */
	isMatched: boolean;
	/** It is in doubt that this is the file's place. */
	isDisputed: boolean;
	/** Its files were all taken to other paths. */
	isGone: boolean;
}

/** Sentence about a path, with the kind that machines know it by. */
export interface Notice {
	kind: string;
	/** The path it is listed under, then others that it names. */
	paths: readonly string[];
	text: string;
}

export const isSame = (a: TreeFile | null | undefined, b: TreeFile | null | undefined): boolean =>
	a?.id === b?.id && a?.mode === b?.mode;

/** Directories that a path is in, the innermost first; not the top. */
export function* directoriesOf(path: string): Generator<string> {
	for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}

/** Trees while they are merged: what is known of each path, and what is to be said. */
export class MergePlan {
	readonly paths = new Map<string, PathState>();
	/** Files that need no further look. */
	readonly settled = new Map<string, TreeFile>();
	readonly directories: OfSides<Set<string>> = [new Set(), new Set(), new Set()];
	readonly attributes: Attributes;
	/** Submodules in conflict, with the commit to merge where it is there. */
	readonly submodules = new Map<string, string | null>();
	isClean = true;
	readonly #notices = new Map<string, Notice[]>();

	/** @param depth merges that this is inside of: it makes a base for them */
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

	/** Name of a side as conflicts call it. */
	label(side: Side): string {
		return side === 1 ? this.how.ours : this.how.theirs;
	}

	/** Notes a sentence, unless only a base is made. */
	say(kind: string, paths: readonly [string, ...string[]], text: string): void {
		if (this.depth > 0) return;
		const listed = this.#notices.get(paths[0]) ?? [];
		listed.push({ kind, paths, text });
		this.#notices.set(paths[0], listed);
	}

	/** All sentences, by path. */
	notices(): Notice[] {
		return [...this.#notices].sort(([a], [b]) => comparePaths(a, b)).flatMap(([, listed]) => listed);
	}

	/** Path beside another that nothing has: `path~side`. */
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
