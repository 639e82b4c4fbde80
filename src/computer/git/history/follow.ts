import { compareTrees, type Change } from '../diff/change.ts';
import { findRenames } from '../diff/renames.ts';
import type { Repository } from '../repository.ts';
import type { Revision } from './walk.ts';

/** The history of one file beyond its renames (`git log --follow`). */
export class Follower {
	readonly #repository: Repository;
	readonly #changes = new Map<string, Change[]>();
	#path: string;

	constructor(repository: Repository, path: string) {
		this.#repository = repository;
		this.#path = path;
	}

	/** Whether a commit changed the file; from a rename on, commits before it are asked about the old name. */
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

	/** What the commit did to the file. */
	changesOf(id: string): Change[] {
		return this.#changes.get(id) ?? [];
	}
}
