import { EMPTY_BLOB } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import { breakRewrites, isHalf, joinHalves, type BreakHow } from './break-rewrites.ts';
import { sortChanges, type Change, type ChangeSide } from './change.ts';
import { prefetchSides } from './prefetch-sides.ts';
import { sideContent } from './sides.ts';
import { piecesOf, SAME, similarity, type Pieces } from './similarity.ts';

/** Options for finding renames and copies. */
export interface RenameHow {
	/** Minimum similarity, out of {@link SAME}. */
	least: number;
	/** Possible sources of copies: none, changed files, or all files. */
	copies: 'none' | 'changed' | 'all';
	/** If there are more files on each side, only files with identical content are paired; 0 for no limit. */
	limit: number;
	/** Also pairs empty files. */
	pairsEmpty: boolean;
	breaks: BreakHow | null;
	/** Filters the sources that are compared by similarity; all sources by default. */
	isWanted?: (path: string) => boolean;
	/** All files before the changes, if `copies` is `all`. */
	filesBefore: () => ReadonlyMap<string, TreeFile>;
}

export const USUAL_RENAMES: RenameHow = {
	least: SAME / 2,
	copies: 'none',
	limit: 1000,
	pairsEmpty: true,
	breaks: null,
	filesBefore: () => new Map()
};

/** Files with a unique name are paired early if their similarity exceeds the minimum by this share of the rest. */
const NAME_FACTOR = 0.5;

interface Pair {
	source: Source;
	/** Similarity, out of {@link SAME}. */
	score: number;
}

interface Source {
	side: ChangeSide;
	/** Change that deleted the file, if it was deleted. */
	change: Change | null;
	uses: number;
}

/** Pairs added files with similar deleted ones, or also with others if copies are requested, as git does. */
export function findRenames(repository: Repository, changes: Change[], how: RenameHow = USUAL_RENAMES): Change[] {
	const split = how.breaks ? breakRewrites(repository, changes, how.breaks) : changes;
	const targets = split.filter(({ status }) => status === 'A');
	const sources = sourcesOf(split, how);
	const pairs = targets.length === 0 || sources.length === 0 ? null : new Pairing(repository, how, sources, targets);
	const found = pairs ? applied(split, pairs.find()) : split;
	return how.breaks ? joinHalves(found) : found;
}

function sourcesOf(changes: readonly Change[], how: RenameHow): Source[] {
	const sources: Source[] = [];
	for (const change of changes) {
		if (change.status === 'D' && change.before) sources.push({ side: change.before, change, uses: 0 });
		else if (how.copies !== 'none' && (change.status === 'M' || change.status === 'T') && change.before)
			sources.push({ side: change.before, change: null, uses: 0 });
	}
	if (how.copies !== 'all') return sources;
	const changed = new Set(changes.flatMap(({ before }) => (before ? [before.path] : [])));
	for (const [path, file] of how.filesBefore())
		if (!changed.has(path))
			sources.push({ side: { mode: file.mode, id: file.id, path, inWorktree: false }, change: null, uses: 0 });
	return sources;
}

/** Replaces additions by renames and copies, and removes the deletions that became renames. */
function applied(changes: readonly Change[], pairs: ReadonlyMap<Change, Pair>): Change[] {
	if (pairs.size === 0) return [...changes];
	const left = new Map<Source, number>();
	for (const { source } of pairs.values()) left.set(source, (left.get(source) ?? 0) + 1);
	const gone = new Set<Change>();
	for (const { change } of left.keys()) if (change && !isHalf(change)) gone.add(change);
	for (const target of pairs.keys()) {
		const peer = isHalf(target);
		if (peer) gone.add(peer);
	}
	return sortChanges(
		changes
			.filter((change) => !gone.has(change))
			.map((change): Change => {
				const pair = pairs.get(change);
				if (!pair) return change;
				const { source, score } = pair;
				const uses = left.get(source)! - 1;
				left.set(source, uses);
				// The last target of a deleted file is a rename, the others are copies.
				const stays = source.change === null || (isHalf(source.change) !== null && source.change.similarity === 0);
				const similarity = Math.floor((score * 100) / SAME);
				return { status: stays || uses > 0 ? 'C' : 'R', before: source.side, after: change.after, similarity };
			})
	);
}

class Pairing {
	readonly #pairs = new Map<Change, Pair>();
	readonly #pieces = new Map<ChangeSide, Pieces>();
	readonly #copies: boolean;

	constructor(
		private readonly repository: Repository,
		private readonly how: RenameHow,
		private readonly sources: readonly Source[],
		private readonly targets: readonly Change[]
	) {
		this.#copies = how.copies !== 'none';
	}

	find(): ReadonlyMap<Change, Pair> {
		this.#pairSame();
		if (this.how.least >= SAME) return this.#pairs;
		if (!this.#copies) this.#pairNames();
		const targets = this.#left();
		const unused = this.#copies ? this.sources : this.sources.filter(({ uses }) => uses === 0);
		const sources = unused.filter(({ side }) => this.#isWanted(side));
		const { limit } = this.how;
		if (limit > 0 && targets.length * sources.length > limit * limit) return this.#pairs;
		if (targets.length > 0 && sources.length > 0)
			prefetchSides(this.repository, [...targets.map(({ after }) => after), ...sources.map(({ side }) => side)]);
		const ranked = this.#rank(targets, sources);
		for (const { target, source, score } of ranked) if (source.uses === 0) this.#pair(target, source, score);
		if (this.#copies) for (const { target, source, score } of ranked) this.#pair(target, source, score);
		return this.#pairs;
	}

	#left(): Change[] {
		return this.targets.filter((target) => !this.#pairs.has(target) && this.#isPairable(target.after!));
	}

	#isWanted({ path }: ChangeSide): boolean {
		return this.how.isWanted?.(path) ?? true;
	}

	#isPairable({ id }: ChangeSide): boolean {
		return this.how.pairsEmpty || id !== EMPTY_BLOB;
	}

	#pair(target: Change, source: Source, score: number): void {
		if (this.#pairs.has(target)) return;
		this.#pairs.set(target, { source, score });
		source.uses++;
	}

	/** Pairs files with identical content; prefers unused sources and those with the same name. */
	#pairSame(): void {
		const byId = new Map<string, Source[]>();
		for (const source of this.sources) {
			const same = byId.get(source.side.id);
			if (same) same.push(source);
			else byId.set(source.side.id, [source]);
		}
		for (const target of this.targets) {
			const side = target.after!;
			let best: Source | null = null;
			let bestScore = -1;
			for (const source of this.#isPairable(side) ? (byId.get(side.id) ?? []) : []) {
				if (kind(source.side) !== kind(side) || (source.uses > 0 && !this.#copies)) continue;
				const score = Number(source.uses === 0) + Number(nameOf(source.side) === nameOf(side));
				if (score > bestScore) [best, bestScore] = [source, score];
			}
			if (best) this.#pair(target, best, SAME);
		}
	}

	/** Pairs files whose name is unique on both sides, so that they need not be compared with all others. */
	#pairNames(): void {
		const least = Math.floor(this.how.least + NAME_FACTOR * (SAME - this.how.least));
		const targets = this.#left();
		const sources = this.sources.filter(({ uses }) => uses === 0);
		const targetByName = uniqueByName(targets, ({ after }) => nameOf(after!));
		const sourceByName = uniqueByName(sources, ({ side }) => nameOf(side));
		const compared = [...sourceByName].flatMap(([name, source]) => {
			const target = targetByName.get(name);
			return source && target && this.#isWanted(source.side) ? [{ source, target }] : [];
		});
		prefetchSides(
			this.repository,
			compared.flatMap(({ source, target }) => [source.side, target.after])
		);
		for (const { source, target } of compared) {
			const score = this.#score(source.side, target.after!);
			if (score >= least) this.#pair(target, source, score);
		}
	}

	#rank(targets: readonly Change[], sources: readonly Source[]) {
		const ranked: { target: Change; source: Source; score: number; sameName: number }[] = [];
		for (const target of targets)
			for (const source of sources) {
				const score = this.#score(source.side, target.after!);
				if (score < this.how.least) continue;
				const sameName = Number(nameOf(target.after!) === nameOf(source.side));
				ranked.push({ target, source, score, sameName });
			}
		return ranked.sort((a, b) => b.score - a.score || b.sameName - a.sameName);
	}

	#score(before: ChangeSide, after: ChangeSide): number {
		// Symbolic links and submodules are only paired if identical.
		if (kind(before) !== REGULAR || kind(after) !== REGULAR) return 0;
		return similarity(this.#read(before), this.#read(after), this.how.least);
	}

	#read(side: ChangeSide): Pieces {
		let known = this.#pieces.get(side);
		if (!known) this.#pieces.set(side, (known = piecesOf(sideContent(this.repository, side))));
		return known;
	}
}

const REGULAR = 0o100000;
const kind = (side: ChangeSide) => side.mode & 0o170000;
const nameOf = (side: ChangeSide) => side.path.slice(side.path.lastIndexOf('/') + 1);

/** Maps each name to its only item; null if there are several. */
function uniqueByName<T>(all: readonly T[], name: (one: T) => string): Map<string, T | null> {
	const found = new Map<string, T | null>();
	for (const one of all) found.set(name(one), found.has(name(one)) ? null : one);
	return found;
}
