import { walkHistory } from '../history/walk.ts';
import type { Repository } from '../repository.ts';

/** A commit that may be the first bad one, with its parents that may be it, too. */
export interface Candidate {
	id: string;
	parents: string[];
}

export interface Choice {
	id: string;
	/** Number of candidates reachable from it, including itself. */
	weight: number;
	/** Commits at least as good a choice, if they could be tested. */
	untested: string[];
}

/** Ancestors of `bad` that are not ancestors of a good commit, newest first. */
export function candidates(repository: Repository, bad: string, good: readonly string[]): Candidate[] {
	const revisions = [...walkHistory(repository, { include: [bad], exclude: [...good] })];
	const ids = new Set(revisions.map(({ id }) => id));
	return revisions.map(({ id, commit }) => ({ id, parents: commit.parents.filter((parent) => ids.has(parent)) }));
}

/**
 * The commit that leaves the least to test whatever it turns out to be: git's choice, down to which of two equal ones.
 * Null when none is left that can be tested.
 */
export function chooseNext(left: readonly Candidate[], skipped: ReadonlySet<string>): Choice | null {
	const oldestFirst = [...left].reverse();
	const weights = weigh(oldestFirst);
	const total = left.length;
	const distance = (id: string) => Math.min(weights.get(id) ?? 0, total - (weights.get(id) ?? 0));
	const isHalf = (id: string) => Math.abs(2 * (weights.get(id) ?? 0) - total) <= 1;
	// git looks for one in the middle among merges first, and never at those without parents.
	const halfway =
		oldestFirst.find(({ id, parents }) => parents.length > 1 && isHalf(id)) ??
		oldestFirst.find(({ id, parents }) => parents.length === 1 && isHalf(id));
	const byDistance = [...oldestFirst].sort((a, b) => distance(b.id) - distance(a.id));
	const order = skipped.size === 0 && halfway ? [halfway] : byDistance;
	const untested: string[] = [];
	for (const { id } of order) {
		if (!skipped.has(id)) return { id, weight: weights.get(id) ?? 0, untested };
		untested.push(id);
	}
	return null;
}

/** Number of candidates reachable from each. */
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

/** git's estimate of the tests still needed for so many commits. */
export function stepsLeft(count: number): number {
	if (count < 3) return 0;
	const steps = Math.floor(Math.log2(count));
	const whole = 2 ** steps;
	return whole < 3 * (count - whole) ? steps : steps - 1;
}
