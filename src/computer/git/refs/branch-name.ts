import { fatal } from '../errors.ts';
import { isBranchName } from './ref-format.ts';
import { referenceNamed } from './named-ref.ts';
import type { Repository } from '../repository.ts';

/** The branch that a name stands for: `@{-1}` is the one that was checked out before, `@{u}` the one that is followed. */
export function namedBranch(repository: Repository, name: string): string {
	const back = /^@\{-(\d+)\}$/.exec(name)?.[1];
	if (back !== undefined) return repository.previousBranch(Number(back)) ?? name;
	return shortOfMarked(repository, name, 'refs/heads/') ?? name;
}

/** The short name of the branch that a mark such as `@{u}` leads to; null for a name without one, or that leads elsewhere. */
export function shortOfMarked(
	repository: Repository,
	name: string,
	space: 'refs/heads/' | 'refs/remotes/'
): string | null {
	const full = /@\{(?:u|upstream|push)\}$/i.test(name) ? referenceNamed(repository, name) : null;
	return full?.startsWith(space) ? full.slice(space.length) : null;
}

/** @throws GitError for a name that no branch can have */
export function checkName(name: string): void {
	// `@` is another name of HEAD.
	if (name === '@' || !isBranchName(name)) throw fatal(`'${name}' is not a valid branch name`);
}
