import { differsFrom, walkHistory } from '../history/walk.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';

/** Commit that may be the first bad one, with those of its parents that may be it too. */
export interface Candidate {
	id: string;
	parents: string[];
}

export interface Choice {
	id: string;
	/** Number of candidates reachable from this commit, including itself. */
	weight: number;
	/** Skipped commits, which cannot be tested. */
	untested: string[];
}

/** Commits that a bisection considers. */
interface Scope {
	bad: string;
	good: readonly string[];
	/** Considers only commits that change these paths. */
	paths: Pathspec | null;
	/** Does not follow merged branches. */
	firstParent: boolean;
}

/** Ancestors of `bad` that are not ancestors of a good commit, newest first. */
export function candidates(repository: Repository, { bad, good, paths, firstParent }: Scope): Candidate[] {
	const range = { include: [bad], exclude: [...good] };
	const revisions = [...walkHistory(repository, range, firstParent, paths ?? undefined)];
	const byId = new Map(revisions.map((revision) => [revision.id, revision]));
	const parentsOf = (id: string) => (byId.get(id)?.commit.parents ?? []).slice(0, firstParent ? 1 : undefined);
	const counts = new Set(
		revisions
			.filter(({ commit }) => {
				const parents = commit.parents.length === 0 ? [null] : commit.parents;
				return paths === null || parents.every((parent) => differsFrom(repository, parent, commit, paths));
			})
			.map(({ id }) => id)
	);
	/** Nearest ancestors that are candidates. */
	const near = (id: string, seen = new Set<string>()): string[] => {
		if (seen.has(id) || !byId.has(id)) return [];
		seen.add(id);
		return counts.has(id) ? [id] : parentsOf(id).flatMap((parent) => near(parent, seen));
	};
	return revisions
		.filter(({ id }) => counts.has(id))
		.map(({ id }) => ({ id, parents: [...new Set(parentsOf(id).flatMap((parent) => near(parent)))] }));
}

/**
 * Chooses the commit that best halves the candidates, exactly as git does, even between equal ones.
 * Null if no testable commit is left.
 */
export function chooseNext(left: readonly Candidate[], skipped: ReadonlySet<string>, bad: string): Choice | null {
	const oldestFirst = [...left].reverse();
	const weights = weigh(oldestFirst);
	const total = left.length;
	const distance = (id: string) => Math.min(weights.get(id) ?? 0, total - (weights.get(id) ?? 0));
	const isHalf = (id: string) => Math.abs(2 * (weights.get(id) ?? 0) - total) <= 1;
	const choice = (id: string, untested: string[]) => ({ id, weight: weights.get(id) ?? 0, untested });
	if (skipped.size === 0) {
		// git looks for a halfway commit among merges first, then among those with one parent, never among roots.
		const halfway =
			oldestFirst.find(({ id, parents }) => parents.length > 1 && isHalf(id)) ??
			oldestFirst.find(({ id, parents }) => parents.length === 1 && isHalf(id));
		const [first] = [...(halfway ? [halfway] : []), ...oldestFirst.sort((a, b) => distance(b.id) - distance(a.id))];
		return first ? choice(first.id, []) : null;
	}
	const order = left.map(({ id }) => id).sort((a, b) => distance(b) - distance(a) || (a < b ? -1 : 1));
	const untested = order.filter((id) => skipped.has(id));
	const open = order.filter((id) => !skipped.has(id));
	const [first] = order;
	if (first === undefined || open.length === 0) return null;
	if (!skipped.has(first)) return choice(first, []);
	// git computes the rest as if the best commit were tested.
	return { ...choice(awayFrom(open, bad), untested), weight: weights.get(first) ?? 0 };
}

/** Range of git's pseudo-random numbers. */
const NUMBERS = 32_768;

/** Chooses a commit at some distance from untestable ones, since their neighbors may be untestable too. */
function awayFrom(open: readonly string[], bad: string): string {
	const count = open.length;
	const number = Math.floor((Math.imul(count, 1_103_515_245) + 12_345) >>> 0) / 65_536;
	const random = Math.floor(number) % NUMBERS;
	const root = (value: number) => Math.floor(Math.sqrt(value));
	const at = Math.floor((Math.floor((count * random) / NUMBERS) * root(random)) / root(NUMBERS));
	const chosen = open[at];
	if (chosen !== undefined && chosen !== bad) return chosen;
	return open[Math.max(0, at - 1)] ?? open[0]!;
}

/** Number of candidates reachable from each candidate. */
function weigh(oldestFirst: readonly Candidate[]): Map<string, number> {
	const byId = new Map(oldestFirst.map((candidate) => [candidate.id, candidate]));
	const weights = new Map<string, number>();
	for (const { id, parents } of oldestFirst) {
		const known = parents.length === 1 ? weights.get(parents[0] ?? '') : undefined;
		if (parents.length < 2 && (parents.length === 0 || known !== undefined)) {
			weights.set(id, (known ?? 0) + 1);
			continue;
		}
		const seen = new Set([id]);
		for (const one of seen) for (const parent of byId.get(one)?.parents ?? []) seen.add(parent);
		weights.set(id, seen.size);
	}
	return weights;
}

/** Number of tests still needed, by git's estimate. */
export function stepsLeft(count: number): number {
	if (count < 3) return 0;
	const steps = Math.floor(Math.log2(count));
	const whole = 2 ** steps;
	return whole < 3 * (count - whole) ? steps : steps - 1;
}
