import type { Repository } from '../repository.ts';
import type { Revision } from './walk.ts';

/** Replaces the parents of a commit with its nearest shown ancestors. */
export function nearest(repository: Repository, { id, commit }: Revision, shown: ReadonlySet<string>): Revision {
	const found: string[] = [];
	const seen = new Set<string>();
	const visit = (parent: string): void => {
		if (seen.has(parent)) return;
		seen.add(parent);
		if (shown.has(parent)) found.push(parent);
		else repository.parents(parent).forEach(visit);
	};
	commit.parents.forEach(visit);
	return { id, commit: { ...commit, parents: found } };
}
