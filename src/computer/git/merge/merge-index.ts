import { GitError } from '../errors.ts';
import { newEntry, type IndexEntry } from '../index/index-file.ts';
import { objectId } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { Mode } from '#environment/mode.ts';
import { isFileChanged, lstatOrNull } from '../worktree/checkout.ts';
import { storedContent } from '../worktree/file-state.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { comparePaths } from '../bytes.ts';
import { scanRepository } from '../worktree/scan.ts';

/** Options for merging trees into the index. */
export interface MergeHow {
	/** Updates the files of the working tree. */
	update: boolean;
	/** Overwrites entries in conflict and changed files instead of failing. */
	reset: boolean;
	/** Three trees: also resolves paths that one side removed or that both sides added identically. */
	aggressive: boolean;
	/** Ignores the working tree. */
	indexOnly: boolean;
}

/** Resulting changes to the index and the working tree. */
export interface TreeMerge {
	entries: IndexEntry[];
	/** Entries whose files are to be written; a subset of {@link entries}. */
	write: IndexEntry[];
	/** Paths of files to remove. */
	remove: string[];
}

interface PathState {
	path: string;
	entry: IndexEntry | undefined;
	trees: (TreeFile | undefined)[];
}

/**
 * Merges one, two or three trees with the index, by the tables of git-read-tree(1).
 *
 * @throws GitError naming the first entry whose changes would be lost
 */
export function mergeIndex(repository: Repository, trees: readonly string[], how: MergeHow): TreeMerge {
	const sides = trees.map((tree) => treeFiles(repository.objects, tree));
	const staged = repository.index.entries();
	const inIndex = new Map(staged.filter(({ stage }) => stage === 0).map((entry) => [entry.path, entry]));
	const paths = new Set([...staged.map(({ path }) => path), ...sides.flatMap((side) => [...side.keys()])]);
	const merger = new IndexMerger(repository, how, sides, inIndex);
	for (const path of [...paths].sort(comparePaths)) {
		const state = { path, entry: inIndex.get(path), trees: sides.map((side) => side.get(path)) };
		if (trees.length === 1) merger.one(state);
		else if (trees.length === 2) merger.two(state);
		else merger.three(state);
	}
	return merger.result;
}

const isSame = (a: TreeFile | undefined, b: TreeFile | undefined): boolean => a?.id === b?.id && a?.mode === b?.mode;

class IndexMerger {
	readonly result: TreeMerge = { entries: [], write: [], remove: [] };
	readonly #ignored: ReadonlySet<string>;
	/** No index exists yet, so a missing entry does not mean that the user removed the file. */
	readonly #isFirst: boolean;

	constructor(
		private readonly repository: Repository,
		private readonly how: MergeHow,
		private readonly sides: readonly ReadonlyMap<string, TreeFile>[],
		private readonly inIndex: ReadonlyMap<string, IndexEntry>
	) {
		this.#isFirst = repository.index.writtenMs === 0;
		const scan = how.update && !how.reset ? scanRepository(repository, { listIgnored: true }) : null;
		this.#ignored = new Set(scan ? [...scan.files.keys()].filter((path) => !scan.visible.has(path)) : []);
	}

	one({ path, entry, trees: [next] }: PathState): void {
		if (!next) return entry || this.how.reset ? this.#remove(path, entry) : undefined;
		if (entry && isSame(entry, next)) {
			const isLeftAlone = entry.skipWorktree || !this.how.update || !this.how.reset;
			const isWritten = !isLeftAlone && (this.#isMissing(entry) || this.#isDirty(entry));
			return this.#keep(isWritten ? newEntry(path, next) : entry, isWritten);
		}
		this.#take(path, next, entry);
	}

	/** Updates the index from the first tree to the second, keeping staged changes. */
	two({ path, entry, trees: [before, after] }: PathState): void {
		if (!entry) {
			if (!after) return undefined;
			if (!before || this.#isFirst || this.how.reset) return this.#take(path, after, undefined);
			if (isSame(before, after)) return undefined;
			throw this.#refusal(path);
		}
		if (isSame(before, after)) return this.#keep(entry);
		if (isSame(entry, after)) return this.#keep(entry);
		if (!before && !after) return this.#keep(entry);
		if (isSame(entry, before) || this.how.reset) {
			if (after) return this.#take(path, after, entry);
			return this.#remove(path, entry);
		}
		throw this.#refusal(path);
	}

	/** Merges two sides with their base; unresolved paths keep their stages. */
	three({ path, entry, trees: [base, ours, theirs] }: PathState): void {
		const isClean = !entry || isSame(entry, ours);
		const decided = this.#decided(path, base, ours, theirs);
		if (decided !== undefined) {
			if (!isClean && !(decided && isSame(entry, decided)) && !this.how.reset) throw this.#refusal(path);
			if (!decided) return entry ? this.#remove(path, entry) : undefined;
			if (entry && isSame(entry, decided)) return this.#keep(entry);
			return this.#take(path, decided, entry);
		}
		if (!base && !ours && !theirs) return entry ? this.#keep(entry) : undefined;
		if (!isClean && !this.how.reset) throw this.#refusal(path);
		if (entry && !this.how.indexOnly && this.#isDirty(entry)) throw this.#notUpToDate(path);
		for (const [at, file] of [base, ours, theirs].entries())
			if (file) this.result.entries.push(newEntry(path, file, at + 1));
	}

	/** The version that a three-way merge selects, null to remove the file; undefined if the path is not resolved. */
	#decided(
		path: string,
		base: TreeFile | undefined,
		ours: TreeFile | undefined,
		theirs: TreeFile | undefined
	): TreeFile | null | undefined {
		const [, , other] = this.sides;
		const inWay = (side: ReadonlyMap<string, TreeFile> | undefined): boolean =>
			side !== undefined && [...side.keys()].some((name) => name.startsWith(`${path}/`));
		if (ours && theirs && isSame(ours, theirs)) return ours;
		if (base && ours && theirs) {
			if (isSame(base, ours)) return theirs;
			if (isSame(base, theirs)) return ours;
			return undefined;
		}
		if (!base && ours && !theirs && !inWay(other)) return ours;
		if (!base && !ours && theirs && !inWay(this.sides[1])) return theirs;
		if (!this.how.aggressive || !base) return undefined;
		if (!ours && !theirs) return null;
		if (!ours && isSame(base, theirs)) return null;
		if (!theirs && isSame(base, ours)) return null;
		return undefined;
	}

	#keep(entry: IndexEntry, isWritten = false): void {
		this.result.entries.push(entry);
		if (isWritten) this.result.write.push(entry);
	}

	#take(path: string, file: TreeFile, entry: IndexEntry | undefined): void {
		if (!this.how.reset && !this.how.indexOnly) {
			if (entry && !isSame(entry, file) && this.#isDirty(entry)) throw this.#notUpToDate(path);
			if (!entry && this.how.update && this.repository.sparse.has(path)) this.#requireFree(path, file);
		}
		const isLeftOut = entry?.skipWorktree ?? false;
		this.#keep({ ...newEntry(path, file), ...(isLeftOut ? { skipWorktree: true } : {}) }, this.how.update);
	}

	#remove(path: string, entry: IndexEntry | undefined): void {
		if (entry && !this.how.reset && !this.how.indexOnly && this.#isDirty(entry)) throw this.#notUpToDate(path);
		this.result.remove.push(path);
	}

	#isMissing({ path }: IndexEntry): boolean {
		return !lstatOrNull(this.repository, this.repository.absolute(path));
	}

	#isDirty(entry: IndexEntry): boolean {
		if (entry.mode === Mode.commit || this.repository.isBare) return false;
		const stat = lstatOrNull(this.repository, this.repository.absolute(entry.path));
		if (!stat) return false;
		return stat.kind === 'directory' || isFileChanged(this.repository, entry, stat);
	}

	/** @throws GitError if an untracked file would be overwritten */
	#requireFree(path: string, file: TreeFile): void {
		const { files } = this.repository;
		const full = this.repository.absolute(path);
		const stat = lstatOrNull(this.repository, full);
		if (!stat || this.#ignored.has(path)) return;
		if (stat.kind === 'directory') {
			const inside = files.walk(full).filter((one) => one.stat.kind !== 'directory');
			const names = inside.map((one) => one.path.slice(this.repository.root.length + 1));
			if (names.every((name) => this.inIndex.has(name) || this.#ignored.has(name))) return;
			throw new GitError(
				`error: Updating the following directories would lose untracked files in them:\n\t${path}\n`,
				128
			);
		}
		if (objectId('blob', storedContent(this.repository, path, stat)) === file.id) return;
		throw new GitError(`error: Untracked working tree file '${path}' would be overwritten by merge.`, 128);
	}

	#refusal(path: string): GitError {
		return new GitError(`error: Entry '${path}' would be overwritten by merge. Cannot merge.`, 128);
	}

	#notUpToDate(path: string): GitError {
		return new GitError(`error: Entry '${path}' not uptodate. Cannot merge.`, 128);
	}
}
