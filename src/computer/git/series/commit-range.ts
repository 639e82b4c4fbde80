import { GitError } from '../errors.ts';
import { parseRange } from '../history/walk.ts';
import type { Repository } from '../repository.ts';

/** Returns whether a text names commits to exclude as well as commits to include: `a..b`, `a^!` or `a^-`. */
export function isCommitRange(repository: Repository, text: string): boolean {
	try {
		const { include, exclude } = parseRange(repository, [text]);
		return include.length > 0 && exclude.length > 0;
	} catch (error) {
		if (error instanceof GitError) return false;
		throw error;
	}
}
