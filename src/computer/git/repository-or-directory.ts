import { GitError } from './errors.ts';
import type { Invocation } from './invocation.ts';
import { Repository } from './repository.ts';

/** The current repository; outside of one, an object for the current directory, for commands that need no objects. */
export function repositoryOrDirectory(git: Invocation): Repository {
	try {
		return git.repository;
	} catch (error) {
		if (error instanceof GitError) return new Repository(git.surroundings, git.cwd);
		throw error;
	}
}
