import { fatal } from '../errors.ts';
import { isBranchName } from './ref-format.ts';
import type { Repository } from '../repository.ts';

/** The branch that a name stands for: `@{-1}` is the one that was checked out before. */
export function namedBranch(repository: Repository, name: string): string {
	const back = /^@\{-(\d+)\}$/.exec(name)?.[1];
	return back === undefined ? name : (repository.previousBranch(Number(back)) ?? name);
}

/** @throws GitError for a name that no branch can have */
export function checkName(name: string): void {
	// `@` is another name of HEAD.
	if (name === '@' || !isBranchName(name)) throw fatal(`'${name}' is not a valid branch name`);
}
