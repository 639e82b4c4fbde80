import { EMPTY_TREE } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { independent, topological, type Revision } from './walk.ts';

/**
 * Commits that a reference names, with the first ones and the merges of lines of history that have such.
 *
 * @param isNamed tells of a commit whether a reference names it
 */
export function namedHistory<One extends Revision>(
	repository: Repository,
	all: readonly One[],
	isNamed: (id: string) => boolean
): One[] {
	const byId = new Map(all.map((one) => [one.id, one]));
	/** Commits that stand for another one. */
	const standIns = new Map<string, readonly string[]>();
	const kept = new Set<string>();
	const sorted = topological(all);
	for (const { id, commit } of [...sorted].reverse()) {
		const before = [...new Set(commit.parents.flatMap((parent) => standIns.get(parent) ?? []))];
		const lines = before.length > 1 ? independent(repository, before) : before;
		const isFirst = commit.parents.length === 0 && commit.tree !== EMPTY_TREE;
		if (isNamed(id) || isFirst || lines.length > 1) kept.add(id);
		standIns.set(id, kept.has(id) ? [id] : lines);
	}
	return sorted.flatMap(({ id }) => (kept.has(id) ? [byId.get(id)!] : []));
}
