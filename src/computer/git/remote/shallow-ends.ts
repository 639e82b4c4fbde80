import type { Repository } from '../repository.ts';

/** Commits at which the history of a remote ends, and with it that of what was fetched: their parents are not here. */
export function foreignEnds(repository: Repository, shallow: readonly string[]): Set<string> {
	const { objects } = repository;
	const own = repository.shallowCommits();
	const isEnd = (id: string) =>
		!own.has(id) &&
		objects.findPresent(id)?.type === 'commit' &&
		objects.commit(id).parents.some((parent) => !objects.has(parent));
	return new Set(shallow.filter(isEnd));
}

/** Returns whether the history of an object reaches one of some commits. */
export function reachesEnd(repository: Repository, start: string, ends: ReadonlySet<string>): boolean {
	const seen = new Set<string>();
	const left = [repository.peeled(start)];
	for (let id = left.pop(); id !== undefined; id = left.pop()) {
		if (ends.has(id)) return true;
		if (seen.has(id) || repository.objects.findPresent(id)?.type !== 'commit') continue;
		seen.add(id);
		left.push(...repository.parents(id));
	}
	return false;
}
