import { GitError } from './errors.ts';
import type { Invocation } from './invocation.ts';
import { Repository } from './repository.ts';

/** The repository that git was started in; outside of one the directory, for what needs no objects. */
export function repositoryOrDirectory(git: Invocation): Repository {
	try {
		return git.repository;
	} catch (error) {
		if (error instanceof GitError) return new Repository(git.surroundings, git.cwd);
		throw error;
	}
}
