import type { Parts } from '../parts.ts';
import { repositoryAt } from '../egress/git-call.ts';

/** Receives the commit that is about to be pushed. */
export type OnPush = (commit: string) => void;

/**
 * Runs a push that the user has asked for: the ledger lets exactly its commit through, once, and forgets it at the end
 * of the work, however that ends.
 *
 * @param url address of the repository, as git uses it
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
