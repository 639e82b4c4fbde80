import { readCommits, type Commit } from '#workspace/repository/commits.ts';
import type { GitEnvironment } from '#workspace/repository/run-git.ts';
import { t } from '../../strings/index.ts';

/** Commits read to find the one HEAD is at, should others be newer. */
const READ = 200;

/** Reads the commit that HEAD is at. Rejects with a sentence where there is none. */
export async function lastCommit(environment: GitEnvironment): Promise<Commit> {
	const found = (await readCommits(environment, READ)).find(({ head }) => head);
	if (!found) throw new Error(t.commits.none);
	return found;
}
