import { fatal } from '../errors.ts';
import { isBranchName } from './ref-format.ts';
import { referenceNamed } from './named-ref.ts';
import type { Repository } from '../repository.ts';

/** Expands a branch name: `@{-1}` is the previously checked-out branch, `@{u}` the upstream. */
export function namedBranch(repository: Repository, name: string): string {
	const back = /^@\{-(\d+)\}$/.exec(name)?.[1];
	if (back !== undefined) return repository.previousBranch(Number(back)) ?? name;
	return shortOfMarked(repository, name, 'refs/heads/') ?? name;
}

/**
 * Short name of the branch that a suffix such as `@{u}` refers to; null if there is no such suffix, or if it refers to
 * another kind of reference.
 */
export function shortOfMarked(
	repository: Repository,
	name: string,
	space: 'refs/heads/' | 'refs/remotes/'
): string | null {
	const full = /@\{(?:u|upstream|push)\}$/i.test(name) ? referenceNamed(repository, name) : null;
	return full?.startsWith(space) ? full.slice(space.length) : null;
}

/** @throws GitError if the name is not a valid branch name */
export function checkName(name: string): void {
	// `@` is a synonym for HEAD.
	if (name === '@' || !isBranchName(name)) throw fatal(`'${name}' is not a valid branch name`);
}
