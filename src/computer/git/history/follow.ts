import { compareTrees, type Change } from '../diff/change.ts';
import { findRenames } from '../diff/renames.ts';
import type { Repository } from '../repository.ts';
import type { Revision } from './walk.ts';

/** History of one file across renames (`git log --follow`). */
export class Follower {
	readonly #repository: Repository;
	readonly #changes = new Map<string, Change[]>();
	#path: string;

	constructor(repository: Repository, path: string) {
		this.#repository = repository;
		this.#path = path;
	}

	/** Returns true if a commit changed the file; uses the old name for commits before a rename. */
	touches({ id, commit }: Revision): boolean {
		if (commit.parents.length > 1) return false;
		const parent = commit.parents[0];
		const before = parent === undefined ? null : this.#repository.commit(parent).tree;
		const all = compareTrees(this.#repository.objects, before, commit.tree);
		if (!all.some((change) => (change.after ?? change.before)?.path === this.#path)) return false;
		const change = findRenames(this.#repository, all).find(
			({ after, before }) => (after ?? before)?.path === this.#path
		);
		if (!change) return false;
		this.#changes.set(id, [change]);
		if (change.status === 'R') this.#path = change.before!.path;
		return true;
	}

	/** Changes of the file in the commit. */
	changesOf(id: string): Change[] {
		return this.#changes.get(id) ?? [];
	}
}
