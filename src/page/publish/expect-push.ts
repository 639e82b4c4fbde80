import type { Parts } from '../parts.ts';
import { repositoryAt } from '../egress/git-call.ts';

/** Receives the commit that is about to be pushed. */
export type OnPush = (commit: string) => void;

/**
 * Runs a push that the user has requested: the ledger allows exactly its commit, once, and revokes that when the work
 * ends, even if it fails.
 *
 * @param url URL of the repository, as git uses it
 */
export async function withExpectedPush<T>(
	parts: Pick<Parts, 'egress'>,
	{ url, branch }: { url: string; branch: string },
	work: (onPush: OnPush) => Promise<T>
): Promise<T> {
	let withdraw = (): void => {};
	try {
		return await work((commit) => {
			const expected = { repository: repositoryAt(url), ref: `refs/heads/${branch}`, commit };
			withdraw = parts.egress?.expectPush(expected) ?? withdraw;
		});
	} finally {
		withdraw();
	}
}
